import type { ReactElement } from 'react';
import { cx } from '../cx.ts';
import styles from './pills.module.css';

/** A small count beside a word. `label` says what is counted. */
export function Badge(props: { count: number; label: string; attention?: boolean }): ReactElement {
  return (
    <span className={cx(styles.badge, props.attention && styles.attention)} aria-label={props.label}>
      {props.count}
    </span>
  );
}
