import { Fragment, type ReactElement, type ReactNode } from 'react';
import styles from './blocks.module.css';

export interface Definition {
  key: string;
  term: ReactNode;
  value: ReactNode;
}

/** Labels and values in two columns; both wrap. */
export function DefinitionList({ items }: { items: readonly Definition[] }): ReactElement {
  return (
    <dl className={styles.list}>
      {items.map((item) => (
        <Fragment key={item.key}>
          <dt className={styles.term}>{item.term}</dt>
          <dd className={styles.value}>{item.value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
