import type { ReactElement, ReactNode } from 'react';
import { cx } from '../cx.ts';
import styles from './pills.module.css';

/** A value of a set, for example a country. Wraps, never cut. */
export function Chip(props: { children: ReactNode; small?: boolean; quiet?: boolean }): ReactElement {
  return (
    <span className={cx(styles.chip, props.small && styles.small, props.quiet && styles.quiet)}>
      {props.children}
    </span>
  );
}

/** Chips that wrap over lines. */
export function ChipList({ children }: { children: ReactNode }): ReactElement {
  return <span className={styles.list}>{children}</span>;
}
