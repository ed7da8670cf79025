import { connect, type Database, withStorageErrors } from './database.ts';
import { preparePrivateFile, removeDatabase, syncFile } from './files.ts';

/** Pages copied at once, between which other work runs: 8 MB. */
const pagesAtOnce = 1_000;

/**
 * Copies an open database into a new file for its owner only, while it is read and written: SQLite's online backup. The copy is that of
 * one moment, and on disk. What lies there is replaced. Fails as the disk does.
 */
export async function copyOnline(db: Database, file: string): Promise<void> {
  removeDatabase(file);
  preparePrivateFile(file);
  try {
    await db.backup(file, { progress: () => pagesAtOnce });
    syncFile(file);
  } catch (failure) {
    removeDatabase(file);
    withStorageErrors(() => {
      throw failure;
    });
  }
}

/** Changes a copy that no process has open, and leaves it one file that is on disk. Fails as the disk does. */
export function changeCopy<T>(file: string, change: (db: Database) => T): T {
  return withStorageErrors(() => {
    const db = connect(file);
    let result;
    try {
      result = db.transaction(change).immediate(db);
      db.pragma('wal_checkpoint(TRUNCATE)');
      // Back in WAL mode with its first connection; until then nothing lies beside it.
      db.pragma('journal_mode = DELETE');
    } finally {
      db.close();
    }
    syncFile(file);
    return result;
  });
}
