import type { ReactElement, ReactNode } from 'react';
import styles from './card.module.css';

export interface CardProps {
  title: string;
  /** 2 where the card stands right under the title of the page; else 3. */
  level?: 2 | 3;
  /** How it stands, at the right of the title. */
  aside?: ReactNode;
  children: ReactNode;
  /** What can be done, in one row at the foot. */
  actions?: ReactNode;
}

/** One framed matter of a page that has several. */
export function Card({ title, level = 3, aside, children, actions }: CardProps): ReactElement {
  const Heading = `h${level}` as const;
  return (
    <section className={styles.card} aria-label={title}>
      <div className={styles.head}>
        <Heading className={styles.title}>{title}</Heading>
        {aside}
      </div>
      <div className={styles.body}>{children}</div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </section>
  );
}
