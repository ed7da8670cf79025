import type { ReactElement, ReactNode } from 'react';
import { cx } from '../cx.ts';
import { Icon } from '../display/icon.tsx';
import styles from './blocks.module.css';
import common from '../styles/common.module.css';

interface CardProps {
  title: string;
  /** 2 for a card right under the title of the page; else 3. */
  level?: 2 | 3;
  aside?: ReactNode;
  children: ReactNode;
  actions?: ReactNode;
}

export function Card({ title, level = 3, aside, children, actions }: CardProps): ReactElement {
  const Heading = `h${level}` as const;
  return (
    <section className={styles.card} aria-label={title}>
      <div className={styles.cardHead}>
        <Heading className={common.strong}>{title}</Heading>
        {aside}
      </div>
      <div className={cx(common.stack3, styles.body)}>{children}</div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </section>
  );
}

interface FoldedCardProps extends Omit<CardProps, 'actions'> {
  open: boolean;
  onToggle: (open: boolean) => void;
}

export function FoldedCard({
  title,
  level = 3,
  aside,
  children,
  open,
  onToggle,
}: FoldedCardProps): ReactElement {
  const Heading = `h${level}` as const;
  return (
    <section className={styles.card} aria-label={title}>
      <details open={open} onToggle={(event) => onToggle(event.currentTarget.open)}>
        <summary className={styles.cardHead}>
          <span className={styles.fold}>
            <Icon name="chevron-right" size={14} />
          </span>
          <Heading className={common.strong}>{title}</Heading>
          <span className={styles.cardAside}>{aside}</span>
        </summary>
        <div className={cx(common.stack3, styles.body)}>{children}</div>
      </details>
    </section>
  );
}

export function Cards({ children, wide = false }: { children: ReactNode; wide?: boolean }): ReactElement {
  return <div className={cx(common.stack4, styles.cards, wide && styles.wide)}>{children}</div>;
}

export function Spread({ children }: { children: ReactNode }): ReactElement {
  return <div className={styles.spread}>{children}</div>;
}

export function Buttons({ children }: { children: ReactNode }): ReactElement {
  return <span className={common.wrap2}>{children}</span>;
}
