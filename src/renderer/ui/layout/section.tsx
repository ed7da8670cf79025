import type { ReactElement, ReactNode } from 'react';
import styles from './blocks.module.css';

/** One titled part of a panel, closed off by a hairline. */
export function Section(props: { title: string; aside?: ReactNode; children: ReactNode }): ReactElement {
  return (
    <section className={styles.section} aria-label={props.title}>
      <div className={styles.sectionHead}>
        <h3 className={styles.sectionTitle}>{props.title}</h3>
        {props.aside !== undefined && <span className={styles.sectionAside}>{props.aside}</span>}
      </div>
      {props.children}
    </section>
  );
}
