import type { KeyboardEvent, ReactElement, Ref } from 'react';
import { cx } from '../cx.ts';
import { Icon } from '../display/icon.tsx';
import styles from './fields.module.css';

export interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string | undefined;
  onKeyDown?: ((event: KeyboardEvent<HTMLInputElement>) => void) | undefined;
  ref?: Ref<HTMLInputElement> | undefined;
}

/** A search box; the clear button appears with the first character. */
export function SearchField(props: SearchFieldProps): ReactElement {
  const { label, value, onChange, ...rest } = props;
  return (
    <div className={cx(styles.control, styles.search)} role="search">
      <Icon name="search" size={14} />
      <input
        type="text"
        aria-label={label}
        value={value}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        {...rest}
      />
      {value !== '' && (
        <button type="button" className={styles.clear} aria-label="Clear search" onClick={() => onChange('')}>
          <Icon name="close" size={14} />
        </button>
      )}
    </div>
  );
}
