import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { AppError } from '#shared/errors/index.ts';
import { claimFolder, type ClaimParts } from '#system/claim-folder.ts';
import { diskFailureAt } from '#system/replace-file.ts';
import { watchIdentity } from '#system/network-place.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import { refuseOtherThanFiles } from '#core/platform/disk-places.ts';
import { companions, preparePrivateFile } from './files.ts';
import { isCorruption, withStorageErrors } from './database.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

interface LockHolder {
  pid: number;
  host: string;
  since: string;
}

const settleMs = 250;

interface LockFolderOptions {
  folder: string;
  host: string;
  clock: Clock;
  system?: ClaimParts;
}

export interface FolderLock extends AsyncDisposable {
  check(): void;
  /** Fails with `data_folder_locked` if another connection has this database open, and as the disk does. Changes nothing. */
  refuseOpened(database: string): void;
}

/**
 * Locks the data folder with SQLite's exclusive lock on an empty file. The kernel releases that lock however the process ends.
 * Fails as {@link claimFolder} and {@link preparePrivateFile} do, with `lock_damaged`, and with `data_folder_locked`
 * (docs/one-core.md).
 */
export function lockFolder({ folder, host, clock, system = {} }: LockFolderOptions): FolderLock {
  const lockFile = join(folder, 'lock.sqlite');
  const holderFile = join(folder, 'lock.json');
  claimFolder(folder, system);
  refuseOtherThanFiles([...companions.map((companion) => lockFile + companion), holderFile]);

  withStorageErrors(() => preparePrivateFile(lockFile));
  // Read before SQLite opens the file, so that a file that replaces it in between has a different identity.
  const identity = watchIdentity(lockFile);
  const own = identity();
  const check = (): void => {
    if (identity() !== own) throw new AppError('lock_lost');
  };
  const db = withStorageErrors(() => new BetterSqlite3(lockFile, { timeout: settleMs }), lockFile);
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (failure) {
    db.close();
    if (isHeld(failure)) throw lockedBy(readHolder(holderFile), failure);
    if (isCorruption(failure)) throw new AppError('lock_damaged', { cause: failure });
    withStorageErrors(() => {
      throw failure;
    }, lockFile);
  }

  const before = readHolder(holderFile);
  let isOthers = false;
  try {
    check();
    const holder: LockHolder = { pid: process.pid, host, since: new Date(clock.nowMs()).toISOString() };
    writeHolder(holderFile, holder);
  } catch (failure) {
    // Determined before the lock's journal is removed, because removing it frees an inode and would hide that the disk
    // had none left.
    const known = failure instanceof AppError ? failure : diskFailureAt(folder, failure, 'storage_failed');
    db.close();
    throw known;
  }
  return {
    check,
    refuseOpened(database) {
      try {
        withExclusiveLock(database);
      } catch (failure) {
        if (!isHeld(failure)) {
          withStorageErrors(() => {
            throw failure;
          }, database);
        }
        isOthers = true;
        throw lockedBy(before, failure);
      }
    },
    dispose: async () => {
      if (!db.open) return;
      try {
        if (isOthers && before !== null) writeHolder(holderFile, before);
        else rmSync(holderFile, { force: true });
      } catch {
        // On Windows another program may have the file open. It is only information, and the next start replaces it.
      } finally {
        db.close();
      }
    },
  };
}

function isHeld(failure: unknown): boolean {
  return failure instanceof BetterSqlite3.SqliteError && failure.code.startsWith('SQLITE_BUSY');
}

/** Fails with `SQLITE_BUSY` if another connection has the file open, because in WAL mode every connection has a shared lock. */
function withExclusiveLock(file: string): void {
  const db = new BetterSqlite3(file, { fileMustExist: true, timeout: settleMs });
  try {
    db.pragma('locking_mode = EXCLUSIVE');
    db.exec('BEGIN EXCLUSIVE; COMMIT');
  } finally {
    db.close();
  }
}

function lockedBy(holder: LockHolder | null, cause: unknown): AppError {
  if (holder === null) {
    return new AppError('data_folder_locked', { data: { pid: null, host: null, since: null }, cause });
  }
  return new AppError('data_folder_locked', {
    message: sentence`Another Countersign uses this data folder: the ${holder.host} host, process ${holder.pid}, since ${ownWords(minuteText(holder.since))}.`,
    data: { ...holder },
    cause,
  });
}

const minuteText = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

function writeHolder(holderFile: string, holder: LockHolder): void {
  writeFileSync(holderFile, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
}

function readHolder(holderFile: string): LockHolder | null {
  try {
    const { pid, host, since } = JSON.parse(readFileSync(holderFile, 'utf8')) as Partial<LockHolder>;
    if (typeof pid !== 'number' || typeof host !== 'string' || typeof since !== 'string') return null;
    return { pid, host, since: new Date(since).toISOString() };
  } catch {
    return null;
  }
}
