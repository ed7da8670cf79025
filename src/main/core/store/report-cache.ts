import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import {
  returnPages,
  runTransaction,
  withStorageErrors,
  type Database,
  connect,
  connectInMemory,
  readAll,
  readFirst,
  readValue,
  writes,
} from './sqlite/database.ts';
import { companions, preparePrivateFile } from './sqlite/files.ts';
import { migrate, type Migration, schemaNumber } from './sqlite/stored-schema.ts';
import { preparePrivateFolder } from '#system/claim-folder.ts';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';

export interface ReportScope {
  profile: string;
  keyHash: string;
  report: 'xml' | 'search';
  /** The TID or the feed; 0 for all feeds of the key. */
  source: number;
}

export type SliceGrouping = 'day' | 'geo' | 'subid' | 'feed';

/** `from` and `to` are inclusive. Rows with dates are stored in slices of one day each. */
export interface SliceAddress {
  grouping: SliceGrouping;
  from: string;
  to: string;
}

interface CachedSlice {
  body: Uint8Array;
  readAtMs: number;
}

/** Belongs to one thread, which must dispose it. */
export interface ReportCache {
  /** In the order of `addresses`; null for a missing slice. */
  readTimes(scope: ReportScope, addresses: readonly SliceAddress[]): (number | null)[];
  /** A read counts as use: the least recently used slices are removed first. */
  read(scope: ReportScope, address: SliceAddress): CachedSlice | null;
  /** Writes all slices or none. Calls `body` one slice at a time, so that memory contains only one body. */
  write(
    scope: ReportScope,
    slices: readonly (SliceAddress & { body: () => Uint8Array })[],
    readAtMs: number,
  ): void;
  useSource(scope: ReportScope): void;
  sources(owner: Pick<ReportScope, 'profile' | 'keyHash'>): { tids: number[]; sids: number[] };
  /** With `keyHash`, removes only slices read with other keys. */
  forget(profile: string, keyHash?: string): void;
  keepOnly(profiles: readonly string[]): void;
  dispose(): void;
}

interface ReportCacheOptions {
  file: string | null;
  maxBytes: number;
  clock: Pick<Clock, 'nowMs'>;
  logger: Logger;
}

type SliceKey = [string, string, string, number, string, string, string];

const placeOf = (scope: ReportScope, { grouping, from, to }: SliceAddress): SliceKey => [
  scope.profile,
  scope.keyHash,
  scope.report,
  scope.source,
  grouping,
  from,
  to,
];

const isPlace =
  'profile = ? AND key_hash = ? AND report = ? AND source = ? AND grouping = ? AND from_day = ? AND to_day = ?';

/** Damage that is found later empties the cache. Fails with `disk_full`, and as the disk does. */
export function openReportCache(options: ReportCacheOptions): ReportCache {
  const { file, logger } = options;
  let cache = createCache(openCacheFile(file, logger), options);

  function sound<T>(work: (cache: ReportCache) => T): T {
    try {
      return withStorageErrors(() => work(cache));
    } catch (failure) {
      if (!(failure instanceof AppError) || failure.code !== 'database_corrupt') throw failure;
      logger.warn({ file, failure }, 'The cache of reports is damaged and rebuilt');
      cache.dispose();
      if (file !== null) removeCacheFile(file);
      cache = createCache(openCacheFile(file, logger), options);
      return work(cache);
    }
  }

  return {
    readTimes: (scope, addresses) => sound((each) => each.readTimes(scope, addresses)),
    read: (scope, address) => sound((each) => each.read(scope, address)),
    write: (scope, slices, readAtMs) => sound((each) => each.write(scope, slices, readAtMs)),
    useSource: (scope) => sound((each) => each.useSource(scope)),
    sources: (owner) => sound((each) => each.sources(owner)),
    forget: (profile, keyHash) => sound((each) => each.forget(profile, keyHash)),
    keepOnly: (profiles) => sound((each) => each.keepOnly(profiles)),
    dispose: () => cache.dispose(),
  };
}

function createCache(db: Database, { maxBytes, clock }: ReportCacheOptions): ReportCache {
  const time = readValue<number>(db, `SELECT read_at_ms FROM slice WHERE ${isPlace}`);
  const body = readFirst<CachedSlice & { id: number }>(
    db,
    `SELECT id, read_at_ms AS readAtMs, body FROM slice WHERE ${isPlace}`,
  );
  const touch = writes(db, 'UPDATE slice SET used_at_ms = ? WHERE id = ?');
  const remove = writes(db, `DELETE FROM slice WHERE ${isPlace}`);
  const insert = writes(
    db,
    `INSERT INTO slice (profile, key_hash, report, source, grouping, from_day, to_day, read_at_ms, used_at_ms, size, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const total = readValue<number>(db, 'SELECT coalesce(sum(size), 0) FROM slice');
  const oldest = readAll<{ id: number; size: number }>(
    db,
    'SELECT id, size FROM slice ORDER BY used_at_ms, id LIMIT 64',
  );
  const removeId = writes(db, 'DELETE FROM slice WHERE id = ?');
  const use = writes(
    db,
    'INSERT OR IGNORE INTO used_source (profile, key_hash, report, source) VALUES (?, ?, ?, ?)',
  );
  const used = readAll<{ report: string; source: number }>(
    db,
    'SELECT report, source FROM used_source WHERE profile = ? AND key_hash = ? AND source > 0 ORDER BY source',
  );

  function evict(): void {
    let excess = (total() ?? 0) - maxBytes;
    while (excess > 0) {
      for (const { id, size } of oldest()) {
        if (excess <= 0) break;
        removeId(id);
        excess -= size;
      }
    }
  }

  function deleteWhere(condition: string, ...parameters: string[]): void {
    const deleted = runTransaction(db, () =>
      ['slice', 'used_source'].map(
        (table) => db.prepare(`DELETE FROM ${table} WHERE ${condition}`).run(...parameters).changes,
      ),
    );
    if (deleted.every((rows) => rows === 0)) return;
    while (returnPages(db));
    db.pragma('wal_checkpoint(TRUNCATE)');
  }

  return {
    readTimes: (scope, addresses) => addresses.map((address) => time(...placeOf(scope, address))),
    read(scope, address) {
      const found = body(...placeOf(scope, address));
      if (found === null) return null;
      touch(clock.nowMs(), found.id);
      return { body: found.body, readAtMs: found.readAtMs };
    },
    write(scope, slices, readAtMs) {
      const nowMs = clock.nowMs();
      runTransaction(db, () => {
        for (const { body: encode, ...address } of slices) {
          const bytes = encode();
          const place = placeOf(scope, address);
          remove(...place);
          insert(...place, readAtMs, nowMs, bytes.byteLength, bytes);
        }
        evict();
      });
    },
    useSource: ({ profile, keyHash, report, source }) => use(profile, keyHash, report, source),
    sources({ profile, keyHash }) {
      const rows = used(profile, keyHash);
      const of = (report: string): number[] =>
        rows.filter((row) => row.report === report).map(({ source }) => source);
      return { tids: of('xml'), sids: of('search') };
    },
    forget(profile, keyHash) {
      if (keyHash === undefined) deleteWhere('profile = ?', profile);
      else deleteWhere('profile = ? AND key_hash <> ?', profile, keyHash);
    },
    keepOnly(profiles) {
      deleteWhere('profile NOT IN (SELECT value FROM json_each(?))', JSON.stringify(profiles));
    },
    dispose: () => void db.close(),
  };
}

const slices: Migration = {
  number: 1,
  name: 'slices of reports',
  up(db) {
    db.exec(`
      CREATE TABLE slice (
        id INTEGER PRIMARY KEY,
        profile TEXT NOT NULL,
        key_hash TEXT NOT NULL,
        report TEXT NOT NULL CHECK (report IN ('xml', 'search')),
        source INTEGER NOT NULL,
        grouping TEXT NOT NULL CHECK (grouping IN ('day', 'geo', 'subid', 'feed')),
        from_day TEXT NOT NULL,
        to_day TEXT NOT NULL,
        read_at_ms INTEGER NOT NULL,
        used_at_ms INTEGER NOT NULL,
        size INTEGER NOT NULL,
        body BLOB NOT NULL,
        UNIQUE (profile, key_hash, report, source, grouping, from_day, to_day)
      ) STRICT;
      CREATE INDEX slice_by_use ON slice (used_at_ms, size);

      CREATE TABLE used_source (
        profile TEXT NOT NULL,
        key_hash TEXT NOT NULL,
        report TEXT NOT NULL CHECK (report IN ('xml', 'search')),
        source INTEGER NOT NULL,
        PRIMARY KEY (profile, key_hash, report, source)
      ) STRICT, WITHOUT ROWID;
    `);
  },
};

const migrations = [slices];

/**
 * Replaces a damaged file and a file with another schema, because the cache can be read again. Without a usable disk the cache
 * is in memory.
 */
function openCacheFile(file: string | null, logger: Logger): Database {
  if (file === null) return migrated(connectInMemory(), logger);
  try {
    return openFile(file, logger);
  } catch (failure) {
    logger.warn({ file, failure }, 'The cache of reports is rebuilt');
  }
  try {
    removeCacheFile(file);
    return openFile(file, logger);
  } catch (failure) {
    logger.warn({ file, failure }, 'Reports are not cached on the disk');
    return migrated(connectInMemory(), logger);
  }
}

function removeCacheFile(file: string): void {
  for (const suffix of ['', ...companions]) rmSync(file + suffix, { force: true, recursive: true });
}

function openFile(file: string, logger: Logger): Database {
  preparePrivateFolder(dirname(file));
  preparePrivateFile(file);
  return withStorageErrors(() => migrated(connect(file), logger));
}

function migrated(db: Database, logger: Logger): Database {
  try {
    if (schemaNumber(db) > migrations.length) throw new Error('A newer Countersign has made this cache');
    migrate(db, migrations, logger);
    // Fails if the tables are different.
    db.prepare('SELECT id, profile, key_hash, size, body FROM slice LIMIT 0').all();
    // A commit that is lost in a power failure can be read again from the service.
    db.pragma('synchronous = NORMAL');
    return db;
  } catch (failure) {
    db.close();
    throw failure;
  }
}
