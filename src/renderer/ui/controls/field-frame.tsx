import type { ReactElement, ReactNode } from 'react';
import { cx } from '../cx.ts';
import { Icon } from '../display/icon.tsx';
import styles from './fields.module.css';

export interface FieldFrameProps {
  id: string;
  label: string;
  /** The field's limit in words, for example `$0.010 – $2.500`. */
  limit?: string | undefined;
  /** What is wrong and what to do. */
  error?: string | undefined;
  changed?: boolean | undefined;
  disabled?: boolean | undefined;
  /** Beside the label, for example what was stored before. */
  note?: ReactNode;
  children: ReactNode;
}

/** Label, limit and error around one control. The control names `${id}-error` and `${id}-limit` as its description. */
export function FieldFrame(props: FieldFrameProps): ReactElement {
  const { id, label, limit, error, changed, disabled, note, children } = props;
  return (
    <div
      className={cx(
        styles.field,
        changed && styles.changed,
        error !== undefined && styles.invalid,
        disabled && styles.disabled,
      )}
    >
      <div className={styles.head}>
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
        {note !== undefined && <span className={styles.note}>{note}</span>}
      </div>
      {children}
      {limit !== undefined && (
        <p className={styles.limit} id={`${id}-limit`}>
          {limit}
        </p>
      )}
      {error !== undefined && (
        <p className={styles.error} id={`${id}-error`} role="alert">
          <Icon name="alert-circle" size={14} />
          <span>{error}</span>
        </p>
      )}
    </div>
  );
}

/** The ids that describe a control inside a {@link FieldFrame}. */
export function describedBy(id: string, frame: Pick<FieldFrameProps, 'limit' | 'error'>): string | undefined {
  const ids = [frame.error !== undefined && `${id}-error`, frame.limit !== undefined && `${id}-limit`].filter(
    Boolean,
  );
  return ids.length > 0 ? ids.join(' ') : undefined;
}
