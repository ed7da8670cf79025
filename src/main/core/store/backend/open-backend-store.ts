import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import { changeCopy, copyOnline } from '../sqlite/files.ts';
import { type Database, runTransaction, withStorageErrors } from '../sqlite/database.ts';
import { type FolderLock } from '../sqlite/folder-lock.ts';
import { guardParts, rememberPlace } from '../sqlite/store-guard.ts';
import { hasOwnSchema, refuseForeignSchema } from '../sqlite/stored-schema.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { schemaNumber } from '../sqlite/stored-schema.ts';
import { createSqlRows, type OAuthRows } from '../oauth-rows.ts';
import {
  createBackendReader,
  createBackendWriter,
  createPublisherKeys,
  type BackendReader,
  type BackendWriter,
  type PublisherKeys,
} from './backend-rows.ts';
import { createCampaignList } from './campaign-list.ts';
import { backendMigrations } from './migrations.ts';
import {
  createOperationRows,
  createPictureRows,
  type OperationRows,
  type PictureRows,
} from './operation-rows.ts';
import {
  createStatisticsReader,
  createStatisticsWriter,
  type StatisticsReader,
  type StatisticsWriter,
} from './statistics-rows.ts';
import { createTaskReader, createTaskWriter, type TaskReader, type TaskWriter } from './task-rows.ts';

/**
 * The embedded service's own database. Every call fails with `storage_failed` or `database_corrupt` when the disk does, or
 * when the file is no longer in its place, and with `lock_lost` when the lock of its folder is lost.
 */
export interface BackendStore extends AsyncDisposable {
  read: BackendReader;
  write: BackendWriter;
  oauth: OAuthRows;
  statistics: { read: StatisticsReader; write: StatisticsWriter };
  publisherKeys: PublisherKeys;
  operations: OperationRows;
  pictures: PictureRows;
  tasks: { read: TaskReader; write: TaskWriter };
  /** All or nothing, on the disk when it returns. The work is synchronous. */
  transaction<T>(work: () => T): T;
  /** Checks that a write reaches the disk, by a tiny commit, at most once a second. Fails with `storage_failed`. */
  probe(): void;
  /** Copies everything, secrets included, into a file, while it is read and written. Fails as the disk does. */
  copyTo(file: string): Promise<void>;
  /** The new path of a file that was damaged at this start, or null. */
  setAside: string | null;
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
  const list = createCampaignList(db);
  const place = rememberPlace(options.file, options.clock, options.lock?.check);
  const parts = {
    read: createBackendReader(db, list),
    write: createBackendWriter(db, list),
    oauth: createSqlRows(db),
    statistics: { read: createStatisticsReader(db), write: createStatisticsWriter(db) },
    publisherKeys: createPublisherKeys(db),
    operations: createOperationRows(db),
    pictures: createPictureRows(db),
    tasks: { read: createTaskReader(db), write: createTaskWriter(db) },
  };
  return {
    ...guardParts(parts, (call) => {
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
