import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useStore } from 'zustand';
import { flightsStore } from '#renderer/stores/campaigns/flights-store.ts';
import { campaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import { lastChangesStore } from './stores/list-stores.ts';
import { loadedRows, type PagedList, rowAt } from '#renderer/stores/campaigns/paged-list.ts';
import { columnLimits } from '#renderer/stores/ui/ui-store.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import {
  Checkbox,
  shortcutOf,
  type TableColumn,
  tableKeyOf,
  useFormats,
  useForwardedKeys,
  VirtualTable,
} from '#renderer/ui/index.ts';
import type { CampaignRow, SortColumn } from '#shared/contract/index.ts';
import type { KeyPress } from '#shared/lib/shortcuts.ts';
import { shownColumns } from './columns.tsx';
import { clickCell, pressCellKey, pressEarlyKey, useCellEvents } from './grid/active-cell.ts';
import { movedCursor } from './list-rules.ts';

const rowHeights = { normal: 32, compact: 28 } as const;
const skeletonRows = 24;

/** Opens the campaign. A click in the cell of a value only makes the cell active. */
function click(index: number, event: MouseEvent): void {
  const { extendSelection, toggleSelected } = campaignsStore.getState();
  const isCell = clickCell(index, event);
  if (event.shiftKey) extendSelection(index);
  else if (event.ctrlKey || event.metaKey) toggleSelected(index);
  else if (!isCell || panelIsOpen()) openRow(index);
  else campaignsStore.getState().moveCursor(index);
}

function panelIsOpen(): boolean {
  const { route } = uiStore.getState();
  return route.page === 'campaigns' && route.cid !== null;
}

function useVisibleColumns(): readonly (typeof selectColumn)[] {
  const { hiddenColumns, columnOrder } = useStore(uiStore);
  return useMemo(
    () => [selectColumn, ...shownColumns({ hiddenColumns, columnOrder })],
    [hiddenColumns, columnOrder],
  );
}

/** Reads what the list does not contain, for the rows in view and only if its columns are shown. */
function useRowsInView(
  list: PagedList | null,
  columns: readonly { key: string }[],
): (first: number, last: number) => void {
  const [range, setRange] = useState({ first: 0, last: 0 });
  const hasChanges = columns.some(({ key }) => key === 'lastChange');
  const hasFlights = columns.some(({ key }) => key === 'create' || key === 'expire');
  useEffect(() => {
    if (list === null) return;
    const cids: number[] = [];
    for (let index = range.first; index <= range.last; index += 1) {
      const row = rowAt(list, index);
      if (row !== undefined) cids.push(row.cid);
    }
    if (hasChanges) lastChangesStore.getState().show(cids);
    flightsStore.getState().show(hasFlights ? cids : []);
  }, [list, range, hasChanges, hasFlights]);
  return (first, last) => setRange({ first, last });
}

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

export function CampaignTable(): ReactElement {
  const { list, filter, conditions, loading, cursor, selection, kept, show, sortBy } =
    useStore(campaignsStore);
  const scrollKey = useMemo(() => ({ filter, conditions }), [filter, conditions]);
  const { density, columnWidths, setColumnWidth } = useStore(uiStore);
  const openCid = useStore(uiStore, ({ route }) => (route.page === 'campaigns' ? route.cid : null));
  const columns = useVisibleColumns();
  const grid = useRef<HTMLDivElement>(null);
  const showInView = useRowsInView(list, columns);
  const { activeColumn, ...cellEvents } = useCellEvents(columns);

  const listed = list !== null;
  useFirstRowMark(listed, kept !== null);
  useListFocus(grid);
  useEffect(() => {
    // Only a newly opened campaign moves the cursor. Newly read pages do not.
    if (listed && openCid !== null) campaignsStore.getState().pointAt(openCid);
  }, [openCid, listed]);

  useForwardedKeys(grid, (event) => pressTableKey(event, skeletonRows));

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
      {...cellEvents}
      activeColumn={activeColumn}
      onKeyDown={(event, screenful) => press(event, screenful)}
      onShow={(first, last) => {
        show(first, last);
        showInView(first, last);
      }}
      dim={loading && list !== null}
      scrollKey={scrollKey}
    />
  );
}

function press(event: KeyboardEvent, screenful: number): void {
  const isOwn = event.target === event.currentTarget;
  if (isOwn && (pressEarlyKey(event) || pressCellKey(event))) {
    event.preventDefault();
    // The page's shortcuts with a digit or a sign must not act as well.
    event.stopPropagation();
  } else if (pressTableKey(event, screenful)) event.preventDefault();
}

function SelectAll(): ReactElement {
  const formats = useFormats();
  const { list, selection, selectLoaded, clearSelection } = useStore(campaignsStore);
  const loaded = list ? loadedRows(list) : [];
  const all = loaded.length > 0 && loaded.every((row) => selection.cids.has(row.cid));
  return (
    <Checkbox
      hideLabel
      label={`Select all ${formats.counted(loaded.length, 'loaded campaign')}`}
      tabIndex={-1}
      checked={all}
      indeterminate={!all && loaded.some((row) => selection.cids.has(row.cid))}
      onChange={() => (all ? clearSelection() : selectLoaded())}
    />
  );
}

function SelectRow({ row, index }: { row: CampaignRow; index: number }): ReactElement {
  const selected = useStore(campaignsStore, (state) => state.selection.cids.has(row.cid));
  const { toggleSelected, extendSelection } = campaignsStore.getState();
  return (
    <Checkbox
      hideLabel
      label={`Select campaign ${row.cid}`}
      tabIndex={-1}
      checked={selected}
      onChange={(_, event) => (event.shiftKey ? extendSelection(index) : toggleSelected(index))}
    />
  );
}

const selectColumn: TableColumn<CampaignRow> = {
  key: 'select',
  title: 'Selected',
  head: <SelectAll />,
  width: 36,
  sticky: true,
  render: (row, index) => <SelectRow row={row} index={index} />,
  placeholder: null,
};

function openRow(index: number): boolean {
  const { list, moveCursor } = campaignsStore.getState();
  const row = list ? rowAt(list, index) : undefined;
  moveCursor(index);
  if (row) uiStore.getState().navigate({ page: 'campaigns', cid: row.cid });
  return row !== undefined;
}

function pressTableKey(event: KeyPress, screenful: number): boolean {
  const { cursor, list, ...actions } = campaignsStore.getState();
  const { route, navigate, requestFocus } = uiStore.getState();
  const panelOpen = route.page === 'campaigns' && route.cid !== null;
  if (shortcutOf(event, ['selectAll']) !== null) {
    actions.selectLoaded();
    return true;
  }
  if (event.altKey || event.ctrlKey || event.metaKey) return false;
  const key = tableKeyOf(event, ['editRow']);
  const target = movedCursor(key, cursor, { total: list?.total ?? 0, screenful });
  if (target !== null) {
    if (event.shiftKey) actions.extendSelection(target);
    else actions.moveCursor(target);
    if (panelOpen && !event.shiftKey) openRow(target);
    return true;
  }
  switch (key) {
    case 'Enter':
      openRow(cursor);
      return true;
    case ' ':
      actions.toggleSelected(cursor);
      return true;
    case 'editRow':
      if (openRow(cursor)) requestFocus('editor');
      return true;
    case 'Escape':
      if (panelOpen) navigate({ page: 'campaigns', cid: null });
      else actions.clearSelection();
      return true;
    default:
      return false;
  }
}

/** Adds marks to the page's timeline when the first rows are painted, because the start benchmark reads them. */
function useFirstRowMark(listed: boolean, isKept: boolean): void {
  useEffect(() => {
    if (!listed) return;
    const name = isKept ? 'kept rows painted' : 'first row painted';
    // Rows are drawn in the next frame and painted at its end.
    requestAnimationFrame(() => requestAnimationFrame(() => performance.mark(name)));
  }, [listed, isKept]);
}
