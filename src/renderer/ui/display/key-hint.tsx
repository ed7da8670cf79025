import type { ReactElement } from 'react';
import styles from './pills.module.css';

/** The keys of a shortcut, for example `['⌘', 'K']`. */
export function KeyHint({ keys }: { keys: readonly string[] }): ReactElement {
  return (
    <span className={styles.keys}>
      {keys.map((key) => (
        <kbd key={key} className={styles.key}>
          {key}
        </kbd>
      ))}
    </span>
  );
}
