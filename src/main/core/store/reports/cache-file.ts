import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Logger } from '#core/platform/logger.ts';
import {
  companions,
  connect,
  connectInMemory,
  type Database,
  migrate,
  type Migration,
  preparePrivateFile,
  preparePrivateFolder,
  schemaNumber,
  withStorageErrors,
} from '../sqlite/index.ts';

/** Slices of reports with the time of their reading, and the sources that were asked for. */
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
 * Opens or makes the cache. A file that is damaged, of another schema or in the way is replaced: it is a cache, and no
 * report may stay that cannot be deleted any more. If the disk allows none, the cache lasts as long as the process.
 * Never fails because of the disk.
 */
export function openCacheFile(file: string | null, logger: Logger): Database {
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

/** Removes the cache with everything that SQLite keeps beside it. */
export function removeCacheFile(file: string): void {
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
    // Fails where the tables are other ones.
    db.prepare('SELECT id, profile, key_hash, size, body FROM slice LIMIT 0').all();
    // A lost commit is read again from the service.
    db.pragma('synchronous = NORMAL');
    return db;
  } catch (failure) {
    db.close();
    throw failure;
  }
}
