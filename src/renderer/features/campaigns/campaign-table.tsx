import { campaignsStore, rowAt } from '#renderer/stores/campaigns/index.ts';
import { columnLimits, uiStore } from '#renderer/stores/ui/index.ts';
import { modalIsOpen, VirtualTable } from '#renderer/ui/index.ts';
import type { CampaignRow, SortColumn } from '#shared/contract/index.ts';
import {
  useEffect,
  useMemo,
  useRef,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type RefObject,
} from 'react';
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

/** Takes the focus when the list is wanted, once the rows are those that were asked for. */
function useListFocus(grid: RefObject<HTMLDivElement | null>): void {
  const wanted = useStore(uiStore, (state) => state.wantedFocus);
  const loading = useStore(campaignsStore, (state) => state.loading);
  useEffect(() => {
    if (loading || (wanted !== 'list' && wanted !== 'first-row')) return;
    grid.current?.focus();
    if (wanted === 'first-row') openRow(0);
    uiStore.getState().focusTaken();
  }, [wanted, loading, grid]);
}

/** The campaigns, as long as the list is; only what is in view is rendered and read. */
export function CampaignTable(): ReactElement {
  const { list, filter, loading, cursor, selection, show, sortBy } = useStore(campaignsStore);
  const { density, columnWidths, setColumnWidth } = useStore(uiStore);
  const openCid = useStore(uiStore, ({ route }) => (route.page === 'campaigns' ? route.cid : null));
  const columns = useVisibleColumns();
  const grid = useRef<HTMLDivElement>(null);

  const listed = list !== null;
  useFirstRowMark(listed);
  useListFocus(grid);
  useEffect(() => {
    // Only a newly opened campaign moves the cursor, not every newly read page.
    if (listed && openCid !== null) campaignsStore.getState().pointAt(openCid);
  }, [openCid, listed]);

  useEffect(() => {
    const forward = (event: globalThis.KeyboardEvent): void => {
      if (document.activeElement !== document.body || event.defaultPrevented || modalIsOpen()) return;
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
      widths={columnWidths}
      sizing={{ ...columnLimits, onResize: setColumnWidth }}
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
