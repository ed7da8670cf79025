import type { ReactElement } from 'react';
import styles from './changes.module.css';

/** A heading on a line, with a count beside it. */
export function Rule({ title, aside }: { title: string; aside?: string | undefined }): ReactElement {
  return (
    <div className={styles.rule}>
      <h2>{title}</h2>
      {aside !== undefined && <span>{aside}</span>}
    </div>
  );
}
