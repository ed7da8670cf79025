import type { ReactElement, ReactNode } from 'react';
import { cx } from '../cx.ts';
import styles from './blocks.module.css';

export interface ListLinkProps {
  id: string;
  href: string;
  /** It stands open beside the list. */
  selected: boolean;
  className?: string | undefined;
  children: ReactNode;
}

/** One entry of a list whose entries open beside it. */
export function ListLink({ id, href, selected, className, children }: ListLinkProps): ReactElement {
  return (
    <a
      id={id}
      href={href}
      className={cx(styles.link, selected && styles.selected, className)}
      aria-current={selected ? 'true' : undefined}
    >
      {children}
    </a>
  );
}
