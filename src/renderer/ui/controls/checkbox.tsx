import { useEffect, useRef, type MouseEvent, type ReactElement } from 'react';
import styles from './checkbox.module.css';

export interface CheckboxProps {
  /** The accessible name; also drawn unless `hideLabel`. */
  label: string;
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
  const { label, checked, indeterminate = false, hideLabel = false, disabled, tabIndex, onChange } = props;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.indeterminate = indeterminate;
  }, [indeterminate]);
  return (
    <label className={styles.box} onClick={(event) => event.stopPropagation()}>
      <input
        ref={input}
        type="checkbox"
        className={styles.input}
        aria-label={hideLabel ? label : undefined}
        checked={checked}
        disabled={disabled}
        tabIndex={tabIndex}
        readOnly
        onClick={(event) => onChange(!checked, event)}
      />
      {!hideLabel && <span>{label}</span>}
    </label>
  );
}
