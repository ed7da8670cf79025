import { withStorageErrors } from './failures.ts';
import type { Database } from './database.ts';

/**
 * Runs the work in one immediate transaction and returns its result after the commit has reached the disk. Inside another
 * transaction it is a savepoint of that one. Whatever is thrown rolls back; a full or failing disk is `storage_failed`.
 * The work must be synchronous.
 */
export function runTransaction<T>(db: Database, work: () => T): T {
  return withStorageErrors(() => db.transaction(work).immediate());
}
