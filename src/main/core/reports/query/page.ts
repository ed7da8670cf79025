import type { ReportPage, ReportQuery, ReportValue } from '#shared/app-api/reports.ts';
import type { DayRange } from '#shared/reports/index.ts';
import type { Dataset } from './dataset.ts';

/** The part of a `ReportPage` that follows from the rows. */
export type PagePart = Pick<
  ReportPage,
  'columns' | 'dimensions' | 'rows' | 'rowCount' | 'totals' | 'comparedTotals' | 'days' | 'comparedDays'
>;

/** The days of a question: what its rows are of. */
export interface QueryDays {
  range: DayRange;
  compared: DayRange | null;
  /** The current day where the range has it: left out of totals and comparisons unless `query.includeToday`. */
  incompleteDay: string | null;
}

export interface PageQuestion extends QueryDays {
  query: ReportQuery;
  expanded: readonly (readonly (string | null)[])[];
  offset: number;
  limit: number;
}

/** Answers one question. Fails with `number_too_large` where a sum leaves the safe integers. */
export function queryPage(dataset: Dataset, question: PageQuestion): PagePart {
  throw new Error(`Not built yet: ${dataset.kind} ${question.offset}`);
}

/**
 * The series of a question alone: for XML traffic by country or sub-id, whose rows have no date, asked of a dataset of the
 * same range by day.
 */
export function queryDays(
  dataset: Dataset,
  question: QueryDays & { query: ReportQuery },
): Pick<PagePart, 'days' | 'comparedDays'> {
  throw new Error(`Not built yet: ${dataset.kind} ${question.range.from}`);
}

export interface DrillQuestion {
  query: ReportQuery;
  /** The value whose rows are asked for, for example the country BR, and the dimension by which they are listed. */
  of: ReportValue;
  by: string;
}

/**
 * The rows of one value by another dimension, from a dataset of day tables (`withDate`, `concatTables`). By `date` they are in the order of
 * the days, otherwise in that of `query.sort`. Filters and exclusions of the query count, its search text does not.
 */
export function queryDrill(
  dataset: Dataset,
  question: DrillQuestion,
): { columns: ReportPage['columns']; rows: { value: string | null; values: (string | null)[] }[] } {
  throw new Error(`Not built yet: ${dataset.kind} ${question.by}`);
}
