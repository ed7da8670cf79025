import type { Database } from './database.ts';
import { withStorageErrors } from './database.ts';

/** SQLite's number for a file whose free pages are given back when asked for. */
const incremental = 2;

/** Pages given back at once: 16 MB. */
const pagesAtOnce = 2_000;

/**
 * Gives pages that nothing uses any more back to the disk, a part of them at a time. Returns true while more are left. A file
 * that another program made without that setting is written anew once, which takes a second for each hundred megabytes.
 * Outside transactions. Fails with `storage_failed`.
 */
export function returnPages(db: Database): boolean {
  return withStorageErrors(() => {
    if (freePages(db) === 0) return false;
    if (db.pragma('auto_vacuum', { simple: true }) === incremental) {
      db.pragma(`incremental_vacuum(${pagesAtOnce})`);
    } else {
      db.pragma(`auto_vacuum = ${incremental}`);
      db.exec('VACUUM');
    }
    db.pragma('wal_checkpoint(TRUNCATE)');
    return freePages(db) > 0;
  });
}

function freePages(db: Database): number {
  return Number(db.pragma('freelist_count', { simple: true }));
}
