import { type MouseEvent, type ReactElement, useEffect, useId, useRef } from 'react';
import { cx } from '../cx.ts';
import styles from './fields.module.css';
import common from '../styles/common.module.css';

export interface CheckboxProps {
  /** The accessible name; also drawn unless `hideLabel`. */
  label: string;
  /** An explanation, one line under the label. */
  hint?: string | undefined;
  checked: boolean;
  indeterminate?: boolean;
  hideLabel?: boolean;
  disabled?: boolean;
  tabIndex?: number;
  /** `event.shiftKey` means a range selection. */
  onChange: (checked: boolean, event: MouseEvent<HTMLInputElement>) => void;
}

/** A native checkbox; Space and click toggle it. */
export function Checkbox(props: CheckboxProps): ReactElement {
  const { label, hint, checked, indeterminate = false, hideLabel = false } = props;
  const { disabled, tabIndex, onChange } = props;
  const hintId = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.indeterminate = indeterminate;
  }, [indeterminate]);
  return (
    <label
      className={cx(styles.box, hint !== undefined && styles.tall)}
      onClick={(event) => event.stopPropagation()}
    >
      <input
        ref={input}
        type="checkbox"
        className={styles.checkboxInput}
        aria-label={hideLabel || hint !== undefined ? label : undefined}
        aria-describedby={hint === undefined ? undefined : hintId}
        checked={checked}
        disabled={disabled}
        tabIndex={tabIndex}
        readOnly
        onClick={(event) => onChange(!checked, event)}
      />
      {!hideLabel && (
        <span>
          {label}
          {hint !== undefined && (
            <span className={cx(common.quiet, styles.quietLine)} id={hintId}>
              {hint}
            </span>
          )}
        </span>
      )}
    </label>
  );
}

export interface RadioOption {
  id: string;
  label: string;
  /** The effect of the choice, one line. */
  hint?: string;
}

export interface RadioGroupProps {
  label: string;
  value: string;
  options: readonly RadioOption[];
  onChange: (id: string) => void;
}

/** One choice of very few that are worth reading; native radio buttons, so the arrow keys work. */
export function RadioGroup({ label, value, options, onChange }: RadioGroupProps): ReactElement {
  const name = useId();
  return (
    <fieldset className={cx(common.stack2, styles.group)}>
      <legend className={cx(common.quiet, styles.legend)}>{label}</legend>
      {options.map((option) => (
        <label key={option.id} className={styles.rowStart}>
          <input
            type="radio"
            className={styles.radioInput}
            name={name}
            checked={option.id === value}
            aria-label={option.label}
            aria-describedby={option.hint === undefined ? undefined : `${name}-${option.id}`}
            onChange={() => onChange(option.id)}
          />
          <span>
            {option.label}
            {option.hint !== undefined && (
              <span className={cx(common.quiet, styles.quietLine)} id={`${name}-${option.id}`}>
                {option.hint}
              </span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
