import { type MouseEvent, type ReactElement, useEffect, useId, useRef } from 'react';
import { cx } from '../cx.ts';
import common from '../styles/common.module.css';
import styles from './controls.module.css';

export interface CheckboxProps {
  label: string;
  hint?: string | undefined;
  checked: boolean;
  indeterminate?: boolean;
  hideLabel?: boolean;
  disabled?: boolean;
  tabIndex?: number;
  /** `event.shiftKey` means a range selection. */
  onChange: (checked: boolean, event: MouseEvent<HTMLInputElement>) => void;
}

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
          <Hint id={hintId} text={hint} />
        </span>
      )}
    </label>
  );
}

function Hint({ id, text }: { id: string; text: string | undefined }): ReactElement | null {
  if (text === undefined) return null;
  return (
    <span className={cx(common.quiet, styles.quietLine)} id={id}>
      {text}
    </span>
  );
}

export interface RadioOption {
  id: string;
  label: string;
  hint?: string;
}

export interface RadioGroupProps {
  label: string;
  value: string;
  options: readonly RadioOption[];
  onChange: (id: string) => void;
}

export function RadioGroup({ label, value, options, onChange }: RadioGroupProps): ReactElement {
  const name = useId();
  return (
    <fieldset className={common.stack2}>
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
            <Hint id={`${name}-${option.id}`} text={option.hint} />
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface CheckboxGroupProps<Id extends string> {
  label: string;
  options: readonly { id: Id; label: string }[];
  chosen: readonly Id[];
  wide?: boolean;
  error?: string | undefined;
  onChange: (chosen: Id[]) => void;
}

export function CheckboxGroup<Id extends string>(props: CheckboxGroupProps<Id>): ReactElement {
  const { label, options, chosen, wide = false, error, onChange } = props;
  return (
    <fieldset>
      <legend className={styles.legend}>{label}</legend>
      <div className={wide ? common.wrap2 : common.stack2}>
        {options.map((option) => (
          <Checkbox
            key={option.id}
            label={option.label}
            checked={chosen.includes(option.id)}
            onChange={(isOn) =>
              onChange(
                options.flatMap(({ id }) => ((id === option.id ? isOn : chosen.includes(id)) ? [id] : [])),
              )
            }
          />
        ))}
      </div>
      <FieldError text={error} />
    </fieldset>
  );
}

export function FieldError({ text }: { text: string | undefined }): ReactElement | null {
  if (text === undefined) return null;
  return (
    <p className={cx(common.bad, common.small)} role="alert">
      {text}
    </p>
  );
}
