import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { ledgerStore } from '#renderer/stores/ledger/index.ts';
import { routeHref } from '#renderer/stores/ui/index.ts';
import { Button } from '#renderer/ui/index.ts';
import styles from './filter-bar.module.css';

/** Says that only one proposal's rows are shown, and leads back to all of them. */
export function FilterBar(): ReactElement | null {
  const { proposalId, filterBy } = useStore(ledgerStore);
  if (proposalId === null) return null;
  return (
    <div className={styles.bar}>
      <span>
        Only the rows of <a href={routeHref({ page: 'proposals', id: proposalId })}>one proposal</a>
      </span>
      <Button size="small" kind="quiet" icon="close" onClick={() => filterBy(null)}>
        Show all rows
      </Button>
    </div>
  );
}
