import type { ReactElement, ReactNode } from 'react';
import { cx } from '../cx.ts';
import styles from './values.module.css';

/** Payloads, hashes and ids in the fixed-width face; `block` for a framed, scrolling passage that wraps. */
export function Mono({ children, block = false }: { children: ReactNode; block?: boolean }): ReactElement {
  return <code className={cx(styles.mono, block && styles.block)}>{children}</code>;
}
