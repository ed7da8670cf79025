import { campaignsStore, narrows, oldestReadMs } from '#renderer/stores/campaigns/index.ts';
import { ageText, IconButton, LinkButton, useNow } from '#renderer/ui/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { countWords } from './count-words.ts';
import { Filters } from './filters.tsx';
import styles from './toolbar.module.css';

/** Title, count, age of what is shown, search and filters. */
export function Toolbar(): ReactElement {
  const { list, filter, all, kept, reload, clearFilter } = useStore(campaignsStore);
  const narrowed = narrows(filter);
  const nowMs = useNow(5000);
  const readAtMs = list ? oldestReadMs(list) : null;
  return (
    <div className={styles.place}>
      <header className={styles.toolbar}>
        <h1 className={styles.title}>Campaigns</h1>
        <div className={styles.count}>
          {list && (
            <span role="status">
              {countWords(list.total, { all: narrowed ? all : null, cached: kept !== null })}
            </span>
          )}
          {narrowed && (
            <LinkButton label="Clear filters" onClick={clearFilter}>
              Clear
            </LinkButton>
          )}
          {readAtMs !== null && <span className={styles.age}>read {ageText(readAtMs, nowMs)}</span>}
        </div>
        <div className={styles.controls}>
          <Filters />
          <IconButton icon="refresh" label="Refresh" onClick={reload} />
        </div>
      </header>
    </div>
  );
}
