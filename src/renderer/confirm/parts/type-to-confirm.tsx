import { useId, type ReactElement } from 'react';
import { ForeignText, Icon } from '#renderer/ui/index.ts';
import styles from '../foot.module.css';

export interface TypeToConfirmProps {
  asked: { label: string; value: string };
  typed: string;
  right: boolean;
  disabled: boolean;
  onType: (text: string) => void;
}

/** The value that a person types before Approve can be pressed. Enter does nothing here. */
export function TypeToConfirm({ asked, typed, right, disabled, onType }: TypeToConfirmProps): ReactElement {
  const id = useId();
  return (
    <div className={styles.typeRow}>
      <label htmlFor={id} className={styles.label}>
        <ForeignText text={asked.label} />:
      </label>
      <input
        id={id}
        className={styles.input}
        value={typed}
        disabled={disabled}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        onChange={(event) => onType(event.target.value)}
      />
      <span className={styles.sign} role="status">
        {right && (
          <>
            <Icon name="check" /> matches
          </>
        )}
      </span>
    </div>
  );
}
