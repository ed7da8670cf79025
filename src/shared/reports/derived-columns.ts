import { columnInSentence, type NamedColumn } from './labels.ts';
import { isSum, type ReportKind } from './metrics.ts';
import { exactOf, exactText, ratioOf } from './decimals.ts';

/** The column of what each row is of the total; it is chosen and ordered like those of the service. */
export const shareColumnId = 'share-of-total';

export interface ShareColumn {
  /** `Share of net revenue`. Foreign text where the shared column's own label is. */
  column: NamedColumn;
  at: number;
  /** The exact share as decimal text, rounded to ten decimals; null where there is no total or it is nothing. */
  of: (values: readonly (string | null)[], totals: readonly (string | null)[]) => string | null;
}

const maxDecimals = 10;

export function shareColumn(kind: ReportKind, sort: string, columns: readonly NamedColumn[]): ShareColumn {
  const placeOf = (id: string): number =>
    columns.findIndex((column) => column.id === id && isSum(column.kind));
  const sorted = placeOf(sortedColumn(sort).column);
  const at = sorted >= 0 ? sorted : placeOf(kind === 'xml' ? 'net_revenue' : 'revenue');
  const shared = columns[at];
  const label = shared === undefined ? 'Share of total' : `Share of ${columnInSentence(shared)}`;
  return {
    column: { id: shareColumnId, kind: 'share', label },
    at,
    of(values, totals) {
      const [part, total] = [values[at] ?? null, totals[at] ?? null];
      const ratio = part === null || total === null ? null : ratioOf(exactOf(part), exactOf(total));
      return ratio && exactText(ratio, maxDecimals);
    },
  };
}

/** Suffix of a column's name in the sort of a report, to order by its difference from the compared days. */
export const differenceSuffix = ':difference';

/** The column that a sort names, and whether it orders by the difference of it. */
export function sortedColumn(sort: string): { column: string; byDifference: boolean } {
  const byDifference = sort.endsWith(differenceSuffix);
  return { column: byDifference ? sort.slice(0, -differenceSuffix.length) : sort, byDifference };
}
