import type { AppOutput, ReportPage, ReportQuery, ReportRow } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import type { ReportPath } from './report-query.ts';
import { rowAt, type ReportRows, type RowSelection } from './report-rows.ts';

/** Everything of an answer but its rows, of which there are many answers. */
export type ReportHead = Omit<ReportPage, 'rows'>;

export type ReportSources = AppOutput<'reports.sources'>;

export interface ReportsData {
  /** Null while no source is chosen. */
  query: ReportQuery | null;
  /** Null until the first answer. */
  sources: ReportSources | null;
  /** The query that `head` and `rows` answer: while `loading`, the one before. */
  answered: ReportQuery | null;
  /** Null where nothing of the source was answered. */
  head: ReportHead | null;
  rows: ReportRows | null;
  expanded: readonly ReportPath[];
  selection: RowSelection;
  /** Keys of selected rows whose figures are of an earlier reading: they were out of view since. */
  outdated: ReadonlySet<string>;
  /** The row that the keyboard is on. */
  cursor: number;
  /** True from a new query to its first answer. */
  loading: boolean;
  /** The reason if the core did not answer; the page then shows an earlier query. */
  failure: AppError | null;
}

/** The row under the cursor, where it was read. */
export function cursorRow({ rows, cursor }: Pick<ReportsData, 'rows' | 'cursor'>): ReportRow | undefined {
  return rows === null ? undefined : rowAt(rows, cursor);
}

/** The failure that the page names: of the last question, which the core refused, else of the last reading. Null where neither failed. */
export function failureOf({
  failure,
  head,
}: Pick<ReportsData, 'failure' | 'head'>): AppError | NonNullable<ReportHead['state']['failure']> | null {
  return failure ?? head?.state.failure ?? null;
}

/** True while nothing of the report has been read: not even old figures can be shown. */
export function isWaiting({ head, failure }: Pick<ReportsData, 'head' | 'failure'>): boolean {
  if (head === null) return failure === null;
  return head.state.state === 'reading' && head.state.readAtMs === null;
}
