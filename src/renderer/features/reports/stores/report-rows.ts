import type { ReportPage, ReportRow } from '#shared/app-api/index.ts';
import { isRatio, metricOf, ratioDecimals, sumDecimals, type ReportKind } from '#shared/reports/index.ts';

export type ReportHead = Omit<ReportPage, 'rows'>;

export const pathKey = (path: readonly (string | null)[]): string => JSON.stringify(path);

export const blockSize = 100;

/** Blocks that stay loaded on each side of the view, because a report may have a million rows. */
const blocksAround = 10;

export interface ReportRows {
  count: number;
  blocks: ReadonlyMap<number, { rows: readonly ReportRow[]; stale: boolean }>;
}

export function withBlock(rows: ReportRows | null, block: number, page: ReportPage): ReportRows {
  const known = rows ?? { count: page.rowCount, blocks: new Map() };
  const shifted = known.count !== page.rowCount;
  const blocks = new Map(shifted ? markStale(known).blocks : known.blocks);
  blocks.set(block, { rows: page.rows, stale: false });
  return { count: page.rowCount, blocks };
}

export function withoutFar(rows: ReportRows, first: number, last: number): ReportRows {
  const start = Math.floor(first / blockSize) - blocksAround;
  const end = Math.floor(last / blockSize) + blocksAround;
  return {
    ...rows,
    blocks: new Map([...rows.blocks].filter(([number]) => number >= start && number <= end)),
  };
}

export function markStale(rows: ReportRows): ReportRows {
  const blocks = [...rows.blocks].map(([number, block]) => [number, { ...block, stale: true }] as const);
  return { ...rows, blocks: new Map(blocks) };
}

export function rowAt(rows: ReportRows, index: number): ReportRow | undefined {
  return rows.blocks.get(Math.floor(index / blockSize))?.rows[index % blockSize];
}

/** Blocks that are missing or stale in the range, widened by half a block on both sides. */
export function neededBlocks(rows: ReportRows, first: number, last: number): number[] {
  const start = Math.floor(Math.max(0, first - blockSize / 2) / blockSize);
  const end = Math.floor(Math.min(rows.count - 1, last + blockSize / 2) / blockSize);
  const numbers = Array.from({ length: Math.max(0, end - start + 1) }, (_, at) => start + at);
  return numbers.filter((number) => rows.blocks.get(number)?.stale !== false);
}

export function readRows(rows: ReportRows): ReportRow[] {
  return [...rows.blocks].toSorted(([a], [b]) => a - b).flatMap(([, block]) => block.rows);
}

/** Null if both periods contain the row, while days are missing, and for the current day, which is not compared. */
export function periodWord(
  { path, values, compared }: Pick<ReportRow, 'path' | 'values' | 'compared'>,
  levels: readonly string[],
  { incompleteDay, state }: Pick<ReportPage, 'incompleteDay' | 'state'>,
): 'new' | 'gone' | null {
  const day = path[levels.indexOf('date')];
  if (state.partial || (incompleteDay !== null && day === incompleteDay)) return null;
  const isThere = (of: ReportRow['compared']): boolean => of?.some((value) => value !== null) ?? false;
  if (isThere(values) === isThere(compared)) return null;
  return isThere(values) ? 'new' : 'gone';
}

export type RowSelection = ReadonlyMap<string, ReportRow>;

export function toggled(selection: RowSelection, row: ReportRow): RowSelection {
  const next = new Map(selection);
  if (!next.delete(pathKey(row.path))) next.set(pathKey(row.path), row);
  return next;
}

export function renewed(selection: RowSelection, rows: readonly ReportRow[]): RowSelection {
  if (selection.size === 0) return selection;
  const next = new Map(selection);
  for (const row of rows) if (next.has(pathKey(row.path))) next.set(pathKey(row.path), row);
  return next;
}

/** Selected rows that the newest answers did not contain. Their figures come from an earlier reading. */
export function outdatedRows(
  { selection, outdated }: { selection: RowSelection; outdated: ReadonlySet<string> },
  { rows, isNewReading }: { rows: readonly ReportRow[]; isNewReading: boolean },
): ReadonlySet<string> {
  if (selection.size === 0) return new Set();
  const read = new Set(rows.map(({ path }) => pathKey(path)));
  return new Set(
    [...selection.keys()].filter((key) => !read.has(key) && (isNewReading || outdated.has(key))),
  );
}

/** Ignores rows inside another selected row, so that nothing counts twice. Ratios are computed from sums. */
export function selectionSums(
  kind: ReportKind,
  columns: ReportPage['columns'],
  selection: RowSelection,
): (string | null)[] {
  const counted = [...selection.values()].filter(({ path }) => !hasSelectedParent(selection, path));
  const sums = new Map(columns.map(({ id }, at) => [id, sumAt(counted, at)]));
  return columns.map(({ id }) => {
    const metric = metricOf(kind, id);
    if (metric === undefined || !isRatio(metric)) return sums.get(id) ?? null;
    const [over, under] = [sums.get(metric.over) ?? null, sums.get(metric.under) ?? null];
    return over === null || under === null ? null : ratioDecimals(over, under, metric.times);
  });
}

function sumAt(rows: readonly ReportRow[], column: number): string | null {
  const values = rows.map(({ values }) => values[column] ?? null).filter((value) => value !== null);
  return values.length === 0 ? null : sumDecimals(values);
}

function hasSelectedParent(selection: RowSelection, path: ReportRow['path']): boolean {
  return path.some((_, length) => length > 0 && selection.has(pathKey(path.slice(0, length))));
}
