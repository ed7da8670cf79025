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

/** Calls fail with `storage_failed`, `database_corrupt` or `lock_lost`. */
export interface BackendStore extends AsyncDisposable, BackendRows {
  /** Writes through to the disk before it returns. */
  transaction<T>(work: () => T): T;
  /** Checks, at most once a second, that a tiny commit reaches the disk. Fails with `storage_failed`. */
  probe(): void;
  /** The copy includes secrets. Fails as the disk does. */
  copyTo(file: string): Promise<void>;
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

export function refuseForeignBackendSchema(file: string): void {
  refuseForeignSchema(file, backendMigrations);
}

export function hasOwnBackendSchema(file: string): boolean {
  return hasOwnSchema(file, backendMigrations);
}

/** Fails as {@link openDatabase} does. */
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
      // The transaction is lost if the file was moved during it.
      place.checkNow();
      return result;
    },
    copyTo: (copy) => copyOnline(db, copy),
    probe: createProbe(db, { clock: options.clock, check: place.checkNow }),
    setAside,
    dispose,
  };
}

/** Removes sign-ins and publisher keys from a copy. Fails as the disk does. */
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
      // SQLite writes the page even if the number does not change.
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
