import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { AppError, diskFailure } from '#shared/errors/index.ts';
import { claimFolder, type ClaimParts } from '#system/claim-folder.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import { refuseOtherThanFiles } from '#core/platform/occupied-places.ts';
import { companions, preparePrivateFile } from './files.ts';
import { isCorruption, withStorageErrors } from './database.ts';

/** The process that holds a data folder, for the message of a second start. */
interface Holder {
  pid: number;
  host: string;
  /** ISO 8601, UTC. */
  since: string;
}

/** Long enough to decide between two starts at the same moment. */
const settleMs = 250;

export interface LockFolderOptions {
  folder: string;
  host: string;
  clock: Clock;
  /** System access for this folder; a test brings doubles. */
  system?: ClaimParts;
}

/**
 * Takes the data folder for this process until disposed. The lock is SQLite's exclusive one on an empty file, so the
 * kernel releases it however the process ends; the holder's name beside it is information only. Fails as {@link claimFolder};
 * with `data_folder_locked`, naming the holder in `data` (`pid`, `host`, `since`; null where not yet written); with `lock_damaged`
 * for a lock file that is no lock; and as {@link preparePrivateFile}.
 */
export function lockFolder({ folder, host, clock, system = {} }: LockFolderOptions): AsyncDisposable {
  const lockFile = join(folder, 'lock.sqlite');
  const holderFile = join(folder, 'lock.json');
  // SQLite's journal needs memory that every process shares, and its lock one that the kernel keeps.
  claimFolder(folder, system);
  refuseOtherThanFiles([...companions.map((companion) => lockFile + companion), holderFile]);

  const db = withStorageErrors(() => {
    preparePrivateFile(lockFile);
    return new BetterSqlite3(lockFile, { timeout: settleMs });
  });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (failure) {
    db.close();
    if (isHeld(failure)) throw lockedBy(holderFile, failure);
    if (isCorruption(failure)) throw new AppError('lock_damaged', { cause: failure });
    withStorageErrors(() => {
      throw failure;
    });
  }

  try {
    const holder: Holder = { pid: process.pid, host, since: new Date(clock.nowMs()).toISOString() };
    writeFileSync(holderFile, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
  } catch (failure) {
    db.close();
    throw diskFailure(failure, 'storage_failed');
  }
  return {
    dispose: async () => {
      if (!db.open) return;
      try {
        rmSync(holderFile, { force: true });
      } catch {
        // On Windows another program may hold it: it is information only, and the next start writes it anew.
      } finally {
        db.close();
      }
    },
  };
}

function isHeld(failure: unknown): boolean {
  return failure instanceof BetterSqlite3.SqliteError && failure.code.startsWith('SQLITE_BUSY');
}

function lockedBy(holderFile: string, cause: unknown): AppError {
  const holder = readHolder(holderFile);
  if (holder === null) {
    return new AppError('data_folder_locked', { data: { pid: null, host: null, since: null }, cause });
  }
  return new AppError('data_folder_locked', {
    message: `Another Countersign uses this data folder: the ${holder.host} host, process ${holder.pid}, since ${minuteText(holder.since)}.`,
    data: { ...holder },
    cause,
  });
}

/** `2026-11-21T17:19:06.536Z` as a person reads it: `2026-11-21 17:19 UTC`. */
const minuteText = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

function readHolder(holderFile: string): Holder | null {
  try {
    const { pid, host, since } = JSON.parse(readFileSync(holderFile, 'utf8')) as Partial<Holder>;
    if (typeof pid !== 'number' || typeof host !== 'string' || typeof since !== 'string') return null;
    return { pid, host, since };
  } catch {
    // The other process has the lock but has not written its name yet.
    return null;
  }
}
