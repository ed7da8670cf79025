import { useId, type ReactElement, type Ref } from 'react';
import { describedBy, FieldFrame } from './field-frame.tsx';
import styles from './fields.module.css';

export interface SecretFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  limit?: string | undefined;
  error?: string | undefined;
  disabled?: boolean | undefined;
  ref?: Ref<HTMLInputElement> | undefined;
}

/** A line whose text is never drawn, remembered or completed. The owner empties it as soon as the secret was handed on. */
export function SecretField(props: SecretFieldProps): ReactElement {
  const id = useId();
  const { label, value, onChange, limit, error, disabled, ref } = props;
  return (
    <FieldFrame {...{ id, label, limit, error, disabled }}>
      <div className={styles.control}>
        <input
          ref={ref}
          id={id}
          type="password"
          value={value}
          disabled={disabled}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy(id, { limit, error })}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
    </FieldFrame>
  );
}
