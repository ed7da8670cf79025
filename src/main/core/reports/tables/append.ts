import type { Table } from '../table.ts';

/**
 * Puts tables one behind the other. Columns are united by their names: rows of a table without a column have null or NaN there.
 * A column that is a sum in one table and a dimension in another becomes a dimension. An added table is not kept, so that
 * many can be added without holding all of them. Fails with `number_too_large` where values leave the safe integers of the common scale.
 */
export class TableAppender {
  add(table: Table): void {
    throw new Error(`Not built yet: ${table.rowCount}`);
  }

  /** Gives the rows of everything that was added; the appender is of no use afterwards. */
  finish(): Table {
    throw new Error('Not built yet');
  }
}

/** The rows of all tables in one. One table comes back as it is. */
export function concatTables(tables: readonly Table[]): Table {
  const appender = new TableAppender();
  for (const table of tables) appender.add(table);
  return appender.finish();
}
