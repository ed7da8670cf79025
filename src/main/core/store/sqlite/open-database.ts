import { dirname } from 'node:path';
import { AppError } from '#shared/errors/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import { backUp } from './backup.ts';
import { connect, type Database } from './database.ts';
import { withStorageErrors } from './failures.ts';
import { inspect } from './inspect.ts';
import { migrate, newestSchema, type Migration } from './migrate.ts';
import { preparePrivateFile, preparePrivateFolder } from './permissions.ts';
import { setAside } from './set-aside.ts';

export interface OpenDatabaseOptions {
  /** Absolute path; its folder is made where needed. */
  file: string;
  migrations: readonly Migration[];
  clock: Clock;
  logger: Logger;
}

/** An open database file at the newest schema. Whoever opened it disposes it. */
export interface OpenedDatabase extends AsyncDisposable {
  db: Database;
  /** Where a damaged file was moved before a fresh one took its place; null when the file was sound or new. */
  setAside: string | null;
}

/**
 * Opens or makes a database file: private permissions, durable commits, newest schema. An older file is copied before it
 * is migrated; a damaged one is moved aside, never deleted. Fails with `schema_newer` (the file stays as it was),
 * `storage_failed` or `data_folder_unusable`.
 */
export function openDatabase({ file, migrations, clock, logger }: OpenDatabaseOptions): OpenedDatabase {
  const newest = newestSchema(migrations);
  preparePrivateFolder(dirname(file));
  const found = inspect(file);
  const schema = found.kind === 'sound' ? found.schema : 0;
  if (schema > newest) throw new AppError('schema_newer', { data: { file, schema, newest } });

  const aside = found.kind === 'corrupt' ? setAside(file, clock.nowMs()) : null;
  if (aside !== null) logger.error({ file, setAside: aside }, 'A damaged database file was set aside');
  preparePrivateFile(file);

  const db = withStorageErrors(() => connect(file));
  try {
    if (schema > 0 && schema < newest) {
      const backup = backUp(db, clock.nowMs());
      logger.info({ file, backup, schema }, 'The database was copied before its schema moves on');
    }
    migrate(db, migrations, logger);
  } catch (failure) {
    db.close();
    throw failure;
  }
  return { db, setAside: aside, dispose: async () => void db.close() };
}
