import { useId, type KeyboardEvent, type ReactElement, type ReactNode, type Ref } from 'react';
import { describedBy, FieldFrame } from './field-frame.tsx';
import styles from './fields.module.css';

export interface TextFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  limit?: string | undefined;
  error?: string | undefined;
  placeholder?: string | undefined;
  /** True when the value differs from what is stored: the field is inked. */
  changed?: boolean | undefined;
  disabled?: boolean | undefined;
  note?: ReactNode;
  autoFocus?: boolean | undefined;
  onKeyDown?: ((event: KeyboardEvent<HTMLInputElement>) => void) | undefined;
  ref?: Ref<HTMLInputElement> | undefined;
}

/** A line of text with its label, limit and error. */
export function TextField(props: TextFieldProps): ReactElement {
  const id = useId();
  const { label, value, onChange, limit, error, changed, disabled, note, ...rest } = props;
  return (
    <FieldFrame {...{ id, label, limit, error, changed, disabled, note }}>
      <div className={styles.control}>
        <input
          id={id}
          type="text"
          value={value}
          disabled={disabled}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy(id, { limit, error })}
          onChange={(event) => onChange(event.target.value)}
          {...rest}
          data-autofocus={rest.autoFocus || undefined}
        />
      </div>
    </FieldFrame>
  );
}
