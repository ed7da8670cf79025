import { useId, type ReactElement } from 'react';
import styles from './fields.module.css';

export interface RadioOption {
  id: string;
  label: string;
  /** What choosing it means, one line. */
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
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{label}</legend>
      {options.map((option) => (
        <label key={option.id} className={styles.option}>
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
              <span className={styles.radioHint} id={`${name}-${option.id}`}>
                {option.hint}
              </span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
