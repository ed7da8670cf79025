import { createRecentMap } from '#core/platform/recent-map.ts';
import type { Database } from './database.ts';

/** Maximum number of remembered rows. */
const maxRemembered = 256;

/** Rows that are asked for again and again, by their id. */
export interface RememberedRows<Row> {
  /** Returns the current row; one object for as long as nothing is written. Null if there is none. */
  find(id: string): Readonly<Row> | null;
  /** Called before every write to the table. */
  forget(): void;
}

/**
 * Remembers what was read until something is written. Within a transaction everything is read from the disk: what it has
 * written may yet be rolled back. The data folder's lock keeps every other program from writing.
 */
export function rememberRows<Row extends object>(
  db: Pick<Database, 'inTransaction'>,
  read: (id: string) => Row | null,
): RememberedRows<Row> {
  const remembered = createRecentMap<string, Readonly<Row>>(maxRemembered);
  return {
    find(id) {
      if (db.inTransaction) return read(id);
      const known = remembered.get(id);
      if (known !== undefined) return known;
      const row = read(id);
      if (row === null) return null;
      remembered.set(id, Object.freeze(row));
      return row;
    },
    forget: () => remembered.clear(),
  };
}
