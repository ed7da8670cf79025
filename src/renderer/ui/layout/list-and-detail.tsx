import type { ReactElement, ReactNode, Ref } from 'react';
import { cx } from '../cx.ts';
import common from '../styles/common.module.css';
import styles from './list-and-detail.module.css';

interface ListAndDetailProps {
  list: ReactElement;
  detail: ReactNode;
  /** The accessible name of the detail. */
  label: string;
  /** Leads back to the list where there is room for one of them; null while nothing is chosen. */
  back: { href: string; name: string } | null;
  /** Half of the page for the list. */
  wide?: boolean;
  /** Takes the focus by a key, not in the order of Tab. */
  ref?: Ref<HTMLElement>;
}

/** A list at the left, and what is chosen in it at the right. */
export function ListAndDetail(props: ListAndDetailProps): ReactElement {
  const { list, detail, label, back, wide = false, ref } = props;
  return (
    <div className={cx(styles.columns, wide && styles.wide, back !== null && styles.chosen)}>
      {list}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and the keyboard scrolls only what can have the focus */}
      <section ref={ref} className={styles.detail} aria-label={label} tabIndex={ref === undefined ? 0 : -1}>
        {back !== null && (
          <a className={styles.back} href={back.href}>
            {back.name}
          </a>
        )}
        {detail}
      </section>
    </div>
  );
}

/** Stays in view over its part of a list. */
export function ListHeading({ title, count }: { title: string; count: number | null }): ReactElement {
  return (
    <h2 className={cx(common.smallHeading, styles.heading)}>
      {title} <span>{count ?? ''}</span>
    </h2>
  );
}
