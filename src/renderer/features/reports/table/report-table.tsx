import { marksStore, targetKey } from '../stores/marks-store.ts';
import {
  goToReport,
  heatStore,
  reportPreferences,
  reportsStore,
  canDrillInto,
  drillInto,
  drillStore,
  alertOn,
  rowActionsStore,
  showOnly,
  toggleCounted,
} from '../stores/stores.ts';
import { useReport } from '../use-report.ts';
import { isWaiting, type ReportsState, cursorRow } from '../stores/reports-store.ts';
import { rowOrderKey, sortedBy, valueOf } from '../stores/report-query.ts';
import { rowAt, pathKey } from '../stores/report-rows.ts';
import { columnLimits } from '#renderer/stores/ui/ui-store.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import {
  useFormats,
  Button,
  changeAndFocus,
  ContextMenu,
  EmptyState,
  keysOf,
  ForeignText,
  useForwardedKeys,
  placeOfCell,
  VirtualTable,
  tableKeyOf,
} from '#renderer/ui/index.ts';
import type { ReportQuery, ReportRow } from '#shared/app-api/index.ts';
import { inertStart, quotedStart } from '#shared/lib/inert-text.ts';
import { isWeekend, nounsOf, sortedColumn, valueLabel } from '#shared/reports/index.ts';
import { useEffect, useMemo, useRef, type KeyboardEvent, type MouseEvent, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { reportColumns } from './columns.tsx';
import styles from './report-table.module.css';
import type { KeyPress } from '#shared/lib/shortcuts.ts';

const rowHeights = { normal: 32, compact: 28, compared: 44 } as const;

const skeletonRows = 12;

const widthPrefix = 'report.';

function click(index: number): void {
  const { rows, moveCursor } = reportsStore.getState();
  moveCursor(index);
  const row = rows === null ? undefined : rowAt(rows, index);
  if (row !== undefined) drillInto(row);
}

function press(event: KeyboardEvent, screenful: number): void {
  if (pressTableKey(event, screenful)) event.preventDefault();
}

function openMenu(event: MouseEvent, columns: readonly { key: string }[]): void {
  const place = placeOfCell(event.target, columns);
  const { rows, moveCursor } = reportsStore.getState();
  const row = place === null || rows === null ? undefined : rowAt(rows, place.index);
  if (place === null || row === undefined) return;
  event.preventDefault();
  moveCursor(place.index);
  const at = { x: event.clientX, y: event.clientY };
  rowActionsStore.getState().set({ menu: { row, metric: place.column, at } });
}

function openMenuAtCursor(row: ReportRow): boolean {
  const id = document.activeElement?.getAttribute('aria-activedescendant');
  const place = (id == null ? null : document.getElementById(id))?.getBoundingClientRect();
  if (place === undefined) return false;
  // A row is as wide as the table, so its menu opens at its name.
  const at = { x: place.left + 120, y: place.bottom };
  rowActionsStore.getState().set({ menu: { row, metric: null, at } });
  return true;
}

function RowMenu({ query }: { query: ReportQuery }): ReactElement | null {
  const menu = useStore(rowActionsStore, (state) => state.menu);
  if (menu === null) return null;
  const { row, metric, at } = menu;
  const { dimension, value } = valueOf(query, row.path);
  return (
    <ContextMenu
      name={`Actions for ${inertStart(valueLabel(dimension, value), 60)}`}
      at={at}
      entries={[
        ...(canDrillInto(query, row)
          ? [{ id: 'details', label: 'Show details', icon: 'panel' as const, keys: ['Enter'] }]
          : []),
        { id: 'only', label: 'Show only this value', icon: 'filter', keys: keysOf('onlyValue') },
        {
          id: 'exclude',
          label: row.excluded ? 'Count again' : 'Exclude',
          icon: row.excluded ? 'plus' : 'exclude',
          keys: keysOf('excludeValue'),
        },
        { id: 'alert', label: 'Alert me…', icon: 'alerts', keys: keysOf('alertMe') },
      ]}
      onClose={() => rowActionsStore.getState().set({ menu: null })}
      onAction={(id) => {
        if (id === 'details') drillInto(row);
        else if (id === 'only') showOnly(query, row);
        else if (id === 'exclude') toggleCounted(query, row);
        else alertOn(row.path, metric);
      }}
    />
  );
}

function useHeat(isShown: boolean): void {
  useEffect(() => {
    if (!isShown) return undefined;
    const see = ({ answered, head, rows }: ReportsState): void => {
      if (answered !== null && head !== null && rows !== null)
        heatStore.getState().see({ query: answered, head, rows });
    };
    see(reportsStore.getState());
    return reportsStore.subscribe((state, before) => {
      if (state.rows !== before.rows) see(state);
    });
  }, [isShown]);
}

export function ReportTable(): ReactElement | null {
  const formats = useFormats();
  const { query, answered, head, rows, selection, cursor, loading, showRows } = useReport(
    'query',
    'answered',
    'head',
    'rows',
    'selection',
    'cursor',
    'loading',
    'showRows',
  );
  const waiting = useStore(reportsStore, isWaiting);
  const { density, columnWidths, setColumnWidth } = useStore(uiStore);
  const look = useStore(reportPreferences, (state) => query && state[query.source.kind]);
  const grid = useRef<HTMLDivElement>(null);
  useForwardedKeys(grid, (event) => pressTableKey(event, skeletonRows));

  const items = useStore(marksStore, (state) => state.items);
  const marks = useMemo(() => new Map((items ?? []).map((mark) => [targetKey(mark), mark])), [items]);
  const shown = answered ?? query;
  useHeat(look?.heat === true);
  // A new block of rows changes no column, so that rows in view are not redrawn.
  const columns = useMemo(
    () =>
      shown === null || look === null ? [] : reportColumns({ query: shown, head, look, marks }, formats),
    [shown, head, look, marks, formats],
  );
  const widths = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(columnWidths).flatMap(([key, width]) =>
          key.startsWith(widthPrefix) ? [[key.slice(widthPrefix.length), width]] : [],
        ),
      ),
    [columnWidths],
  );
  if (query === null || shown === null) return null;
  if (!waiting && rows?.count === 0 && shown.search !== '') return <NoMatches query={query} shown={shown} />;
  const isCompared = head?.comparedTotals != null;
  const { sort } = query;
  return (
    <div className={isCompared ? styles.compared : styles.table}>
      <VirtualTable<ReportRow>
        ref={grid}
        label="Report rows"
        columns={columns}
        widths={widths}
        sizing={{
          ...columnLimits,
          onResize: (column, width) => setColumnWidth(`${widthPrefix}${column}`, width),
        }}
        rowCount={waiting || rows === null ? skeletonRows : rows.count}
        rowHeight={isCompared ? rowHeights.compared : rowHeights[density]}
        rowAt={(index) => (rows === null ? undefined : rowAt(rows, index))}
        keyOf={(row) => pathKey(row.path)}
        isSelected={(row) => selection.has(pathKey(row.path))}
        isOpen={() => false}
        classOf={(row) => rowClass(row, shown.levels, head?.incompleteDay ?? null)}
        {...(shown.levels.length > 1 ? { branchOf } : {})}
        cursor={cursor}
        sort={{ column: sortedColumn(sort.column).column, order: sort.descending ? 'desc' : 'asc' }}
        onSort={(column) => goToReport(sortedBy(query, column))}
        onRowClick={click}
        onCellContextMenu={(event) => openMenu(event, columns)}
        onKeyDown={press}
        onShow={showRows}
        dim={loading && rows !== null}
        scrollKey={rowOrderKey(query)}
      />
      <RowMenu query={shown} />
    </div>
  );
}

function NoMatches({ query, shown }: { query: ReportQuery; shown: ReportQuery }): ReactElement {
  return (
    <EmptyState
      icon="search-none"
      title="No results"
      action={<Button onClick={() => goToReport({ ...query, search: '' }, 'replace')}>Clear search</Button>}
    >
      No {nounsOf(shown.levels)} of this report contain <ForeignText text={quotedStart(shown.search, 60)} />.
    </EmptyState>
  );
}

const branchOf = ({
  path,
  expandable,
  expanded,
}: ReportRow): { level: number; expanded: boolean | null } => ({
  level: path.length,
  expanded: expandable ? expanded : null,
});

function rowClass(
  row: ReportRow,
  levels: readonly string[],
  incompleteDay: string | null,
): string | undefined {
  if (row.excluded) return styles.excluded;
  if (levels[row.path.length - 1] !== 'date') return undefined;
  const date = row.path.at(-1) ?? '';
  if (date === incompleteDay) return styles.incomplete;
  return isWeekend(date) ? styles.weekend : undefined;
}

function movedTo(
  key: string,
  { cursor, last, screenful }: { cursor: number; last: number; screenful: number },
): number | null {
  const moves: Partial<Record<string, number>> = {
    ArrowDown: cursor + 1,
    ArrowUp: cursor - 1,
    PageDown: cursor + screenful,
    PageUp: cursor - screenful,
    Home: 0,
    End: last,
  };
  return moves[key] ?? null;
}

function pressTableKey(event: KeyPress, screenful: number): boolean {
  const state = reportsStore.getState();
  const { rows, cursor, moveCursor } = state;
  if (event.altKey || event.ctrlKey || event.metaKey || rows === null) return false;
  const key = tableKeyOf(event, ['onlyValue', 'excludeValue', 'alertMe']);
  const target = movedTo(key, { cursor, last: rows.count - 1, screenful });
  if (target !== null) {
    moveCursor(target);
    const moved = cursorRow(reportsStore.getState());
    if (drillStore.getState().drill !== null && moved !== undefined) drillInto(moved);
    return true;
  }
  const row = cursorRow(state);
  if (row !== undefined && event.key === 'F10' && event.shiftKey) return openMenuAtCursor(row);
  if (key === 'Escape') return closeOrClear();
  return row !== undefined && pressRowKey(key, row);
}

/** Returns the focus to the control that opened the editor, else to the rows. */
export function closeAlertPanel(): void {
  const { set, opener } = rowActionsStore.getState();
  changeAndFocus(
    () => set({ watched: null, opener: null }),
    () => {
      const isShown = opener instanceof HTMLElement && opener.isConnected;
      return isShown ? opener : document.querySelector<HTMLElement>('[aria-label="Report rows"]');
    },
  );
}

function closeOrClear(): boolean {
  const { drill, close } = drillStore.getState();
  if (rowActionsStore.getState().watched !== null) closeAlertPanel();
  else if (drill !== null) close();
  else reportsStore.getState().clearSelection();
  return true;
}

function pressRowKey(key: string, row: ReportRow): boolean {
  const { answered, toggleSelected, toggleExpanded } = reportsStore.getState();
  if (answered === null) return false;
  switch (key) {
    case 'Enter':
      drillInto(row);
      return true;
    case ' ':
      toggleSelected(row);
      return true;
    case 'ArrowRight':
    case 'ArrowLeft':
      if (!row.expandable || row.expanded === (key === 'ArrowRight')) return false;
      toggleExpanded(row.path);
      return true;
    case 'excludeValue':
      toggleCounted(answered, row);
      return true;
    case 'onlyValue':
      showOnly(answered, row);
      return true;
    case 'alertMe':
      alertOn(row.path, null);
      return true;
    case 'ContextMenu':
      return openMenuAtCursor(row);
    default:
      return false;
  }
}
