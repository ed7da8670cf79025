import { cursorRow } from '../stores/reports-store.ts';
import { drillDimensions } from '../stores/beside-stores.ts';
import { drillStore, goToReport, reportsStore } from '../stores/stores.ts';
import { valuesOf, withCounted, withExcluded, withOnly } from '../stores/report-query.ts';
import { tableKeyOf } from '#renderer/ui/index.ts';
import type { ReportQuery, ReportRow } from '#shared/app-api/index.ts';
import type { KeyPress } from '#shared/lib/shortcuts.ts';

/** False for rows of XML traffic by a dimension of the service's own, of which it can be asked for nothing more. */
export function canDrillInto(query: ReportQuery, row: ReportRow): boolean {
  return query.source.kind === 'search' || drillDimensions(query, row.path, []).length > 0;
}

/** Opens the panel of a row, split by the first dimension that there is. */
export function drillInto(row: ReportRow, by?: string): void {
  const { answered, head } = reportsStore.getState();
  if (answered === null || head === null) return;
  const split = by ?? drillDimensions(answered, row.path, head.dimensions)[0];
  if (split === undefined) return;
  drillStore.getState().open(answered, { of: valuesOf(answered, row.path), by: split });
}

/** Where a moving key takes the cursor; null when the key does not move. */
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

/** Does what a key means in the table of a report. True when it meant something. */
export function pressTableKey(event: KeyPress, screenful: number): boolean {
  const state = reportsStore.getState();
  const { rows, cursor, moveCursor } = state;
  if (event.altKey || event.ctrlKey || event.metaKey || rows === null) return false;
  const key = tableKeyOf(event, ['onlyValue', 'excludeValue']);
  const target = movedTo(key, { cursor, last: rows.count - 1, screenful });
  if (target !== null) {
    moveCursor(target);
    const moved = cursorRow(reportsStore.getState());
    if (drillStore.getState().drill !== null && moved !== undefined) drillInto(moved);
    return true;
  }
  const row = cursorRow(state);
  if (key === 'Escape') return closeOrClear();
  return row !== undefined && pressRowKey(key, row);
}

/** Closes the panel, or clears the selection. */
function closeOrClear(): boolean {
  const { drill, close } = drillStore.getState();
  if (drill !== null) close();
  else reportsStore.getState().clearSelection();
  return true;
}

function pressRowKey(key: string, row: ReportRow): boolean {
  const { answered, toggleSelected, toggleExpanded } = reportsStore.getState();
  if (answered === null) return false;
  const values = valuesOf(answered, row.path);
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
      goToReport((row.excluded ? withCounted : withExcluded)(answered, [values]));
      return true;
    case 'onlyValue':
      goToReport(withOnly(answered, values));
      return true;
    default:
      return false;
  }
}
