import type { ReactElement, ReactNode } from 'react';
import styles from './blocks.module.css';

/** A page of the app: its title and what it counts on top, everything else below. */
export function PageFrame(props: { title: string; count: ReactNode; children: ReactNode }): ReactElement {
  return (
    <div className={styles.page}>
      <header className={styles.pageHead}>
        <h1 className={styles.pageTitle}>{props.title}</h1>
        <span className={styles.count}>{props.count}</span>
      </header>
      {props.children}
    </div>
  );
}
