import type { ReportPage, ReportQuery, ReportValue } from '#shared/app-api/index.ts';
import type { DayRange } from '#shared/reports/index.ts';

/** A value of each level, from the outside in. */
export type GroupPath = readonly (string | null)[];

/** The part of a `ReportPage` that follows from the rows. */
export type PagePart = Pick<
  ReportPage,
  | 'columns'
  | 'dimensions'
  | 'rows'
  | 'rowCount'
  | 'excludedCount'
  | 'totals'
  | 'comparedTotals'
  | 'days'
  | 'comparedDays'
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
  expanded: readonly GroupPath[];
  offset: number;
  limit: number;
}

export interface DrillQuestion {
  query: ReportQuery;
  /** The value whose rows are asked for, for example the country BR, and the dimension by which they are listed. */
  of: ReportValue;
  by: string;
}
