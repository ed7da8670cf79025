import type { ReportKind } from '#shared/reports/index.ts';
import type { Table } from '../table.ts';

export interface DatasetTables {
  kind: ReportKind;
  current: Table;
  /** Rows of the compared days, with the dates that they have; null where nothing is compared. */
  compared: Table | null;
  /** By how many days the compared range lies before the current one. */
  shiftDays: number;
}

/**
 * The rows that one range, and the range it is compared with, have; made once and asked many times. Keeps sums and orders of
 * the last questions. Shares the arrays of its tables, which must not change afterwards. Fails with `number_too_large`.
 */
export class Dataset {
  readonly kind: ReportKind;
  readonly tables: DatasetTables;

  constructor(tables: DatasetTables) {
    this.kind = tables.kind;
    this.tables = tables;
  }

  /** Bytes of memory that it holds besides its tables, roughly. */
  get cacheBytes(): number {
    return 0;
  }
}
