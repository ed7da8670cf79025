import { campaignsStore, rowAt } from '#renderer/stores/campaigns/index.ts';
import { uiStore } from '#renderer/stores/ui/index.ts';
import { VirtualTable } from '#renderer/ui/index.ts';
import type { CampaignRow, SortColumn } from '#shared/contract/index.ts';
import { useEffect, useMemo, useRef, type KeyboardEvent, type MouseEvent, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { campaignColumns } from './columns.tsx';
import { selectColumn } from './select-column.tsx';
import { openRow, pressTableKey } from './table-keys.ts';
import { useFirstRowMark } from './use-first-row-mark.ts';

const rowHeights = { normal: 32, compact: 28 } as const;
/** A first page that has not come yet is drawn as this many grey rows. */
const skeletonRows = 24;

function click(index: number, event: MouseEvent): void {
  const { extendSelection, toggleSelected } = campaignsStore.getState();
  if (event.shiftKey) extendSelection(index);
  else if (event.ctrlKey || event.metaKey) toggleSelected(index);
  else openRow(index);
}

function press(event: KeyboardEvent, screenful: number): void {
  if (pressTableKey(event, screenful)) event.preventDefault();
}

/** Columns that are not hidden; the box and the name always stay. */
function useVisibleColumns(): readonly (typeof selectColumn)[] {
  const hidden = useStore(uiStore, (state) => state.hiddenColumns);
  return useMemo(
    () => [selectColumn, ...campaignColumns.filter(({ key }) => key === 'name' || !hidden.includes(key))],
    [hidden],
  );
}

/** The campaigns, as long as the list is; only what is in view is rendered and read. */
export function CampaignTable(): ReactElement {
  const { list, filter, loading, cursor, selection, show, sortBy } = useStore(campaignsStore);
  const density = useStore(uiStore, (state) => state.density);
  const openCid = useStore(uiStore, ({ route }) => (route.page === 'campaigns' ? route.cid : null));
  const columns = useVisibleColumns();
  const grid = useRef<HTMLDivElement>(null);

  const listed = list !== null;
  useFirstRowMark(listed);
  useEffect(() => {
    // Only a newly opened campaign moves the cursor, not every newly read page.
    if (listed && openCid !== null) campaignsStore.getState().pointAt(openCid);
  }, [openCid, listed]);

  useEffect(() => {
    const forward = (event: globalThis.KeyboardEvent): void => {
      if (document.activeElement !== document.body || event.defaultPrevented) return;
      if (!pressTableKey(event, skeletonRows)) return;
      event.preventDefault();
      grid.current?.focus();
    };
    window.addEventListener('keydown', forward);
    return () => window.removeEventListener('keydown', forward);
  }, []);

  return (
    <VirtualTable<CampaignRow>
      ref={grid}
      label="Campaigns"
      columns={columns}
      rowCount={list?.total ?? skeletonRows}
      rowHeight={rowHeights[density]}
      rowAt={(index) => (list ? rowAt(list, index) : undefined)}
      keyOf={(row) => row.cid}
      isSelected={(row) => selection.cids.has(row.cid)}
      isOpen={(row) => row.cid === openCid}
      cursor={cursor}
      sort={{ column: filter.sort, order: filter.order }}
      onSort={(column) => sortBy(column as SortColumn)}
      onRowClick={click}
      onKeyDown={press}
      onShow={show}
      dim={loading && list !== null}
      scrollKey={filter}
    />
  );
}
