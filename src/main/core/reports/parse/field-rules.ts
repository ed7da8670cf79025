import { isRatio, recomputedColumns, reportDimensions, reportMetrics } from '#shared/reports/index.ts';
import { defaultFormats } from '#shared/lib/formats.ts';
import type { ReportShape } from '../worker/messages.ts';

type NumberSpelling = 'json' | 'text' | 'either';

/**
 * How a field is read. `ignored`: the values are computed from sums instead. `unknown`: numbers are summed, and with
 * `decimalTexts` also decimals in texts; other texts and booleans make a dimension. With `open`, a column may be empty and have
 * fractions, because the contract does not define it.
 */
export type FieldRule =
  | { kind: 'date' | 'text'; open: boolean }
  | { kind: 'count' | 'amount'; spelling: NumberSpelling; open: boolean }
  | { kind: 'ignored' }
  | { kind: 'unknown'; decimalTexts: boolean };

/** The contract defines the columns of XML traffic by day and of the Search report, but not those by country and sub-id. */
export function fieldRules(shape: ReportShape): (name: string) => FieldRule {
  const rules = new Map<string, FieldRule>([['', { kind: 'ignored' }]]);
  for (const name of recomputedColumns) rules.set(name, { kind: 'ignored' });
  const open = openDimension(shape) !== null;
  const spelling = shape.kind === 'search' ? 'text' : shape.groupBy === 'day' ? 'json' : 'either';
  for (const metric of reportMetrics[shape.kind]) {
    if (isRatio(metric)) rules.set(metric.id, { kind: 'ignored' });
    else
      rules.set(metric.id, { kind: metric.kind === 'count' && !open ? 'count' : 'amount', spelling, open });
  }
  for (const name of reportDimensions[shape.kind])
    rules.set(name, { kind: name === 'date' ? 'date' : 'text', open });
  const unknown: FieldRule = { kind: 'unknown', decimalTexts: shape.kind === 'search' };
  return (name) => rules.get(name) ?? unknown;
}

/** Name of the only dimension of rows by country or sub-id, for which a service may use another name. */
export function openDimension(shape: ReportShape): string | null {
  return shape.kind === 'xml' && shape.groupBy !== 'day' ? shape.groupBy : null;
}

/** Limits that keep an answer within the program's memory. A larger answer is refused, never truncated. */
export interface ReportLimits {
  bytes: number;
  rows: number;
  /** Fields over all rows, and members of the envelope. */
  columns: number;
  /** Rows times columns; checked every 1,024 rows. */
  cells: number;
  /** Size of one row, or of one envelope member other than `data`. */
  pieceBytes: number;
  textBytes: number;
  nameBytes: number;
  distinctTextBytes: number;
}

export const reportLimits: Readonly<ReportLimits> = {
  bytes: 512 * 2 ** 20,
  rows: 2_000_000,
  columns: 60,
  cells: 24_000_000,
  pieceBytes: 2 ** 20,
  textBytes: 4_096,
  nameBytes: 200,
  distinctTextBytes: 64 * 2 ** 20,
};

export function bytesText(bytes: number): string {
  return bytes % 2 ** 20 === 0 ? `${bytes / 2 ** 20} MiB` : `${defaultFormats.count(bytes)} bytes`;
}
