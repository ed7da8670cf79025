import type { ReactElement } from 'react';
import styles from './notices.module.css';

/** A grey bar where a value will stand; it does not move, so that a screenful of them costs nothing. Width in any CSS length. Hidden from assistive technology. */
export function Skeleton({ width = '100%' }: { width?: string | number }): ReactElement {
  return <span aria-hidden className={styles.skeleton} style={{ width }} />;
}
