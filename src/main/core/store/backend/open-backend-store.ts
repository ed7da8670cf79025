import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import { changeCopy, copyOnline } from '../sqlite/files.ts';
import { type Database, runTransaction, withStorageErrors } from '../sqlite/database.ts';
import { type FolderLock } from '../sqlite/folder-lock.ts';
import { guardParts, rememberPlace } from '../sqlite/store-guard.ts';
import { hasOwnSchema, refuseForeignSchema, schemaNumber } from '../sqlite/stored-schema.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { createSqlRows } from '../oauth-rows.ts';
import { createBackendReader, createBackendWriter, createPublisherKeys } from './backend-rows.ts';
import { createCampaignList } from './campaign-list.ts';
import { backendMigrations } from './migrations.ts';
import { createOperationRows, createPictureRows } from './operation-rows.ts';
import { createStatisticsReader, createStatisticsWriter } from './statistics-rows.ts';
import { createTaskReader, createTaskWriter } from './task-rows.ts';

/**
 * Every call fails with `storage_failed` or `database_corrupt` as the disk does or if the file was moved, and with
 * `lock_lost`.
 */
export interface BackendStore extends AsyncDisposable, BackendRows {
  /** All or nothing, on the disk when it returns. The work is synchronous. */
  transaction<T>(work: () => T): T;
  /** Checks that a write reaches the disk, by a tiny commit, at most once a second. Fails with `storage_failed`. */
  probe(): void;
  /** Copies everything, secrets included, into a file, while it is read and written. Fails as the disk does. */
  copyTo(file: string): Promise<void>;
  /** The new path of a file that was damaged at this start, or null. */
  setAside: string | null;
}

type BackendRows = ReturnType<typeof rowsOf>;

function rowsOf(db: Database) {
  const list = createCampaignList(db);
  return {
    read: createBackendReader(db, list),
    write: createBackendWriter(db, list),
    oauth: createSqlRows(db),
    statistics: { read: createStatisticsReader(db), write: createStatisticsWriter(db) },
    publisherKeys: createPublisherKeys(db),
    operations: createOperationRows(db),
    pictures: createPictureRows(db),
    tasks: { read: createTaskReader(db), write: createTaskWriter(db) },
  };
}

/** Refuses a schema that is not ours before anything is opened: `schema_newer`, `schema_older_build` or `schema_unknown`. */
export function refuseForeignBackendSchema(file: string): void {
  refuseForeignSchema(file, backendMigrations);
}

/** True if a backend.sqlite has exactly the tables, triggers and so on of its schema number. Fails as {@link hasOwnSchema}. */
export function hasOwnBackendSchema(file: string): boolean {
  return hasOwnSchema(file, backendMigrations);
}

/** Opens or makes backend.sqlite; fails as `openDatabase`. */
export function openBackendStore(options: {
  file: string;
  clock: Clock;
  logger: Logger;
  lock?: FolderLock | undefined;
}): BackendStore {
  const { db, setAside, dispose } = openDatabase({ ...options, migrations: backendMigrations });
  const place = rememberPlace(options.file, options.clock, options.lock?.check);
  return {
    ...guardParts(rowsOf(db), (call) => {
      place.check();
      return withStorageErrors(call, options.file);
    }),
    transaction(work) {
      place.checkNow();
      const result = runTransaction(db, work);
      // A write into a file that was moved meanwhile is not kept, whatever SQLite says.
      place.checkNow();
      return result;
    },
    copyTo: (copy) => copyOnline(db, copy),
    probe: createProbe(db, { clock: options.clock, check: place.checkNow }),
    setAside,
    dispose,
  };
}

/** Removes every sign-in and publisher key from a copy of backend.sqlite. Fails as the disk does. */
export function removeBackendSecrets(file: string): void {
  changeCopy(file, (db) => {
    db.exec('DELETE FROM oauth_row; DELETE FROM publisher_key;');
  });
}

const lookEveryMs = 1_000;

function createProbe(db: Database, { clock, check }: { clock: Clock; check(): void }): () => void {
  let last: { atMs: number; failure: unknown } | undefined;
  const look = (): unknown => {
    try {
      check();
      // SQLite writes the page whether the number is another one or not.
      runTransaction(db, () => db.pragma(`user_version = ${schemaNumber(db)}`));
      return null;
    } catch (failure) {
      return failure;
    }
  };
  return () => {
    const nowMs = clock.monotonicMs();
    if (last === undefined || nowMs - last.atMs >= lookEveryMs) last = { atMs: nowMs, failure: look() };
    if (last.failure !== null) throw last.failure;
  };
}
