import type { ReactElement, ReactNode } from 'react';
import styles from './card.module.css';

export interface CardProps {
  title: string;
  /** How it stands, at the right of the title. */
  aside?: ReactNode;
  children: ReactNode;
  /** What can be done, in one row at the foot. */
  actions?: ReactNode;
}

/** One framed matter of a page that has several. */
export function Card({ title, aside, children, actions }: CardProps): ReactElement {
  return (
    <section className={styles.card} aria-label={title}>
      <div className={styles.head}>
        <h3 className={styles.title}>{title}</h3>
        {aside}
      </div>
      <div className={styles.body}>{children}</div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </section>
  );
}
