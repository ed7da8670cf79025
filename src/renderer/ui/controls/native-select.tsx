import { useId, type ReactElement } from 'react';
import { describedBy, FieldFrame } from './field-frame.tsx';
import type { SelectProps } from './select.tsx';
import styles from './fields.module.css';

/** One choice of a few inside a dialog: the system draws the list, above the dialog, where a floating one of the page cannot stand. */
export function NativeSelect(props: Omit<SelectProps, 'note' | 'changed'>): ReactElement {
  const id = useId();
  const { label, value, options, onChange, limit, error, disabled } = props;
  return (
    <FieldFrame {...{ id, label, limit, error, disabled }}>
      <div className={styles.control}>
        <select
          id={id}
          value={value}
          disabled={disabled}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy(id, { limit, error })}
          onChange={(event) => onChange(event.target.value)}
        >
          {options.map((option) => (
            <option key={option.id} value={option.id} disabled={option.refused !== undefined}>
              {option.label}
            </option>
          ))}
        </select>
      </div>
    </FieldFrame>
  );
}
