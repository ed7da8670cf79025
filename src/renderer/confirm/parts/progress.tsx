import type { ReactElement } from 'react';
import type { Choice } from '../gesture/gesture.ts';
import styles from './progress.module.css';

const words: Record<Choice, string> = {
  approve: 'Approved. Reading once more, sending exactly what was shown, then reading it back…',
  deny: 'Denied. Writing it down…',
};

/** What the core does between the decision and the verdict. */
export function Progress({ choice }: { choice: Choice }): ReactElement {
  return (
    <footer className={styles.foot} role="status">
      <span className={styles.line} aria-hidden />
      {words[choice]}
    </footer>
  );
}
