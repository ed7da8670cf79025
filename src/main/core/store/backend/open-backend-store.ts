import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import {
  guardParts,
  openDatabase,
  refuseForeignSchema,
  rememberPlace,
  runTransaction,
  withStorageErrors,
} from '../sqlite/index.ts';
import { createBackendReader } from './backend-reader.ts';
import { createBackendWriter } from './backend-writer.ts';
import { createCampaignList } from './campaign-list.ts';
import { backendMigrations } from './migrations/index.ts';
import { createSqlRows, type OAuthRows } from '../oauth/index.ts';
import { createOperationRows, createPictureRows } from './operations/index.ts';
import type { OperationRows, PictureRows } from './operations/index.ts';
import { createProbe } from './probe.ts';
import { createPublisherKeys } from './statistics/publisher-keys.ts';
import type { PublisherKeys } from './statistics/publisher-keys.ts';
import { createStatisticsReader } from './statistics/statistics-reader.ts';
import { createStatisticsWriter } from './statistics/statistics-writer.ts';
import type { StatisticsReader, StatisticsWriter } from './statistics/types.ts';
import { createTaskStore } from './tasks/index.ts';
import type { TaskReader, TaskWriter } from './tasks/index.ts';
import type { BackendReader, BackendWriter } from './types.ts';

/** Reports read their rows once: more would only push out what the list needs. */
const reportCacheKibibytes = 4 * 1024;

/**
 * The embedded service's own database. Every call fails with `storage_failed` or `database_corrupt` when the disk does, or
 * when the file is no longer in its place.
 */
export interface BackendStore extends AsyncDisposable {
  read: BackendReader;
  write: BackendWriter;
  /** What the authorization server keeps. */
  oauth: OAuthRows;
  /** Traffic of publishers. */
  statistics: { read: StatisticsReader; write: StatisticsWriter };
  publisherKeys: PublisherKeys;
  /** What was prepared and committed through the remote tools. */
  operations: OperationRows;
  /** Pictures that were uploaded and published. */
  pictures: PictureRows;
  /** Scheduled tasks and their runs. */
  tasks: { read: TaskReader; write: TaskWriter };
  /** All or nothing, on the disk when it returns. The work is synchronous. */
  transaction<T>(work: () => T): T;
  /** Whether a write reaches the disk; commits a tiny one, at most once a second. Fails with `storage_failed`. */
  probe(): void;
  /** Where a damaged file was moved at this start, or null. */
  setAside: string | null;
}

/** Refuses a newer or unknown schema before anything is opened: `schema_newer` or `schema_unknown`. */
export function refuseForeignBackendSchema(file: string): void {
  refuseForeignSchema(file, backendMigrations);
}

/** Opens or makes backend.sqlite; fails as `openDatabase`. */
export function openBackendStore(options: { file: string; clock: Clock; logger: Logger }): BackendStore {
  const { db, setAside, dispose } = openDatabase({ ...options, migrations: backendMigrations });
  const list = createCampaignList(db);
  const place = rememberPlace(options.file, options.clock);
  const parts = {
    read: createBackendReader(db, list),
    write: createBackendWriter(db, list),
    oauth: createSqlRows(db),
    statistics: { read: createStatisticsReader(db), write: createStatisticsWriter(db) },
    publisherKeys: createPublisherKeys(db),
    operations: createOperationRows(db),
    pictures: createPictureRows(db),
    tasks: createTaskStore(db),
  };
  return {
    ...guardParts(parts, (call) => {
      place.check();
      return withStorageErrors(call);
    }),
    transaction(work) {
      place.checkNow();
      const result = runTransaction(db, work);
      // What went into a file that was moved meanwhile is not kept, whatever SQLite says.
      place.checkNow();
      return result;
    },
    probe: createProbe(db, { clock: options.clock, check: place.checkNow }),
    setAside,
    dispose,
  };
}
