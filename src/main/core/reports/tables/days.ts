import type { Table } from '../table.ts';

/** The rows of a table by their `date`. */
export interface DayTables {
  /** One for every date of `dates`, without rows where there are none, and for every other date that came. */
  days: Map<string, Table>;
  /** Rows without a date; null where every row has one. */
  undated: Table | null;
}

/** Splits a table by its `date` dimension, for example into the slices of a cache. `dates` are those that were asked for. */
export function splitByDate(table: Table, dates: readonly string[]): DayTables {
  throw new Error(`Not built yet: ${table.rowCount} ${dates.length}`);
}

/** The table with a dimension `date` that is the same day in every row; replaces one that it has. Shares the other columns. */
export function withDate(table: Table, date: string): Table {
  throw new Error(`Not built yet: ${table.rowCount} ${date}`);
}
