import { columnInSentence, type NamedColumn } from './labels.ts';
import { isSum, type ReportKind } from './metrics.ts';
import { exactOf, exactText, ratioOf } from './decimals.ts';

export const shareColumnId = 'share-of-total';

export interface ShareColumn {
  /** For example `Share of net revenue`. May contain the service's own label. */
  column: NamedColumn;
  at: number;
  /** Exact decimal text with at most ten decimals. Null without a total. */
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

/** Suffix of a sort key that orders by the difference from the compared days. */
export const differenceSuffix = ':difference';

export function sortedColumn(sort: string): { column: string; byDifference: boolean } {
  const byDifference = sort.endsWith(differenceSuffix);
  return { column: byDifference ? sort.slice(0, -differenceSuffix.length) : sort, byDifference };
}
