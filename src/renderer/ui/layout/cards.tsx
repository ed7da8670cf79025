import type { ReactElement, ReactNode } from 'react';
import { cx } from '../cx.ts';
import styles from './blocks.module.css';

/** The column in which a page has its cards, one below the other; `wide` where they hold lists. */
export function Cards({ children, wide = false }: { children: ReactNode; wide?: boolean }): ReactElement {
  return <div className={cx(styles.cards, wide && styles.wide)}>{children}</div>;
}

/** What a line says at its left, and what can be done at its right; below each other where there is no room. */
export function Spread({ children }: { children: ReactNode }): ReactElement {
  return <div className={styles.spread}>{children}</div>;
}

/** Buttons, or small things like them, in one row that wraps. */
export function Buttons({ children }: { children: ReactNode }): ReactElement {
  return <span className={styles.buttons}>{children}</span>;
}
