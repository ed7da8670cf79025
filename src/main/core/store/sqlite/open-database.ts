import { dirname } from 'node:path';
import { preparePrivateFolder } from '#system/claim-folder.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import { backUp, inspect, migrate, type Migration, schemaRange } from './migrate.ts';
import { connect, withStorageErrors, type Database } from './database.ts';
import type { FolderLock } from './folder-lock.ts';
import { preparePrivateFile, setAside } from './files.ts';
import { refuseForeignSchema, refuseOtherTables } from './stored-schema.ts';

export interface OpenDatabaseOptions {
  /** Absolute path; its folder is made where needed. */
  file: string;
  migrations: readonly Migration[];
  clock: Clock;
  logger: Logger;
  /** Of the file's folder: then a database that another process has open is refused. */
  lock?: FolderLock | undefined;
}

/** An open database file at the newest schema. The caller that opened it disposes it. */
export interface OpenedDatabase extends AsyncDisposable {
  db: Database;
  /** The new path of a damaged file that a fresh one replaced; null if the file was sound or new. */
  setAside: string | null;
}

/**
 * Opens or makes a database file: private permissions, durable commits, newest schema. An older file is copied before it
 * is migrated; a damaged one is moved aside, never deleted. Fails with `schema_newer`, `schema_older_build`,
 * `schema_unknown` or `path_occupied` (every file stays as it was), with `schema_incomplete` (its content does), with `data_folder_locked`
 * or `lock_lost`, and as the disk does.
 */
export function openDatabase({ file, migrations, clock, logger, lock }: OpenDatabaseOptions): OpenedDatabase {
  preparePrivateFolder(dirname(file));
  refuseForeignSchema(file, migrations);
  const found = inspect(file);
  const schema = found.kind === 'sound' ? found.schema : 0;

  const aside = found.kind === 'corrupt' ? setAside(file, clock.nowMs()) : null;
  if (aside !== null) logger.error({ file, setAside: aside }, 'A damaged database file was set aside');
  preparePrivateFile(file);
  if (found.kind === 'sound') lock?.refuseOpened(file);

  const db = withStorageErrors(() => connect(file), file);
  try {
    // After the connection has its shared lock: a start that takes the folder from here on finds it (docs/one-core.md).
    lock?.check();
    withStorageErrors(() => {
      refuseOtherTables(db, migrations, schema);
      if (schema > 0 && schema < schemaRange(migrations).newest) {
        const backup = backUp(db, clock.nowMs());
        logger.info({ file, backup, schema }, 'The database was copied before its schema moves on');
      }
      migrate(db, migrations, logger);
    }, file);
  } catch (failure) {
    db.close();
    throw failure;
  }
  return { db, setAside: aside, dispose: async () => void db.close() };
}
