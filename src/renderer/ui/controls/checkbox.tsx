import { useEffect, useId, useRef, type MouseEvent, type ReactElement } from 'react';
import { cx } from '../cx.ts';
import styles from './fields.module.css';

export interface CheckboxProps {
  /** The accessible name; also drawn unless `hideLabel`. */
  label: string;
  /** What it means, one line under the label. */
  hint?: string | undefined;
  checked: boolean;
  indeterminate?: boolean;
  hideLabel?: boolean;
  disabled?: boolean;
  tabIndex?: number;
  /** `event.shiftKey` tells a range selection. */
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
            <span className={styles.checkboxHint} id={hintId}>
              {hint}
            </span>
          )}
        </span>
      )}
    </label>
  );
}
