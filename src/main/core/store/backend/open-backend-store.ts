import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import { openDatabase, runTransaction } from '../sqlite/index.ts';
import { createBackendReader } from './backend-reader.ts';
import { createBackendWriter } from './backend-writer.ts';
import { createCampaignList } from './campaign-list.ts';
import { backendMigrations } from './migrations/index.ts';
import { createSqlRows, type OAuthRows } from '../oauth/index.ts';
import { createOperationRows, createPictureRows } from './operations/index.ts';
import type { OperationRows, PictureRows } from './operations/index.ts';
import { createPublisherKeys } from './statistics/publisher-keys.ts';
import type { PublisherKeys } from './statistics/publisher-keys.ts';
import { createStatisticsReader } from './statistics/statistics-reader.ts';
import { createStatisticsWriter } from './statistics/statistics-writer.ts';
import type { StatisticsReader, StatisticsWriter } from './statistics/types.ts';
import type { BackendReader, BackendWriter } from './types.ts';

/** How much of the file is kept in memory: the indexes of a large account fit. */
const cacheKibibytes = 64 * 1024;

/** The embedded service's own database. */
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
  /** All or nothing, on the disk when it returns. The work is synchronous. */
  transaction<T>(work: () => T): T;
  /** Where a damaged file was moved at this start, or null. */
  setAside: string | null;
}

/** Opens or makes backend.sqlite; fails as `openDatabase`. */
export function openBackendStore(options: { file: string; clock: Clock; logger: Logger }): BackendStore {
  const { db, setAside, dispose } = openDatabase({ ...options, migrations: backendMigrations });
  db.pragma(`cache_size = -${cacheKibibytes}`);
  const list = createCampaignList(db);
  return {
    read: createBackendReader(db, list),
    write: createBackendWriter(db),
    oauth: createSqlRows(db),
    statistics: { read: createStatisticsReader(db), write: createStatisticsWriter(db) },
    publisherKeys: createPublisherKeys(db),
    operations: createOperationRows(db),
    pictures: createPictureRows(db),
    transaction(work) {
      try {
        return runTransaction(db, work);
      } finally {
        list.forget();
      }
    },
    setAside,
    dispose,
  };
}
