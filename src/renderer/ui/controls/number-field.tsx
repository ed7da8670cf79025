import { useId, type ReactElement, type ReactNode } from 'react';
import { describedBy, FieldFrame } from './field-frame.tsx';
import styles from './fields.module.css';

export interface NumberFieldProps {
  label: string;
  /** Decimal text exactly as typed; the owner parses it and reports junk as `error`. Nothing is rounded here. */
  value: string;
  onChange: (value: string) => void;
  limit?: string | undefined;
  error?: string | undefined;
  /** A unit before the figure, for example `$`. */
  unit?: string | undefined;
  changed?: boolean | undefined;
  disabled?: boolean | undefined;
  note?: ReactNode;
}

/** A plain decimal as text: no spinner, no locale, no rounding. */
export function NumberField(props: NumberFieldProps): ReactElement {
  const id = useId();
  const { label, value, onChange, limit, error, unit, changed, disabled, note } = props;
  return (
    <FieldFrame {...{ id, label, limit, error, changed, disabled, note }}>
      <div className={styles.control}>
        {unit !== undefined && <span aria-hidden>{unit}</span>}
        <input
          id={id}
          type="text"
          inputMode="decimal"
          className={styles.number}
          value={value}
          disabled={disabled}
          autoComplete="off"
          aria-invalid={error !== undefined}
          aria-describedby={describedBy(id, { limit, error })}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
    </FieldFrame>
  );
}
