import { Fragment, type ReactElement, type ReactNode } from 'react';
import styles from './definition-list.module.css';

export interface Definition {
  key: string;
  term: string;
  value: ReactNode;
}

/** Labels and values in two columns; values wrap. */
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
