import { existsSync, chmodSync, closeSync, fsyncSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { replaceFileSync, diskFailureAt } from '#system/replace-file.ts';
import { refuseOtherThanFiles } from '#core/platform/disk-places.ts';
import { AppError } from '#shared/errors/index.ts';
import { connect, type Database, withStorageErrors } from './database.ts';

export const companions = ['-wal', '-shm', '-journal'] as const;

export function timeInName(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '');
}

export function freeName(wanted: string): string {
  let name = wanted;
  for (let count = 2; existsSync(name); count += 1) name = `${wanted}-${count}`;
  return name;
}

/**
 * Creates the file if it does not exist. Never opens an existing file: closing it would release SQLite's locks on it. Fails with
 * `path_occupied`, `disk_full`, `disk_read_only` or `data_folder_unusable`.
 */
export function preparePrivateFile(file: string): void {
  refuseOtherThanFiles([file]);
  try {
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    chmodSync(file, 0o600);
  } catch (failure) {
    throw diskFailureAt(dirname(file), failure, 'data_folder_unusable');
  }
}

/** SQLite would treat a log without its database as belonging to a new database and remove the log. */
export function hasOnlyLog(file: string): boolean {
  const [content, log] = [file, `${file}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.size);
  return (content ?? 0) === 0 && (log ?? 0) > 0;
}

export function setAside(file: string, nowMs: number): string {
  const aside = freeName(`${file}.corrupt-${timeInName(nowMs)}`);
  preparePrivateFile(file);
  try {
    replaceFileSync(file, aside);
    for (const companion of companions) {
      if (existsSync(file + companion)) replaceFileSync(file + companion, aside + companion);
    }
  } catch (failure) {
    throw new AppError('data_folder_unusable', { cause: failure });
  }
  return aside;
}

export function removeDatabase(file: string): void {
  for (const companion of ['', ...companions]) rmSync(file + companion, { force: true });
}

export function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const pagesAtOnce = 1_000;

/** Copies with SQLite's online backup. Fails as the disk does. */
export async function copyOnline(db: Database, file: string): Promise<void> {
  removeDatabase(file);
  preparePrivateFile(file);
  try {
    await db.backup(file, { progress: () => pagesAtOnce });
    syncFile(file);
  } catch (failure) {
    removeDatabase(file);
    withStorageErrors(() => {
      throw failure;
    });
  }
}

/** Changes a copy that no process has open; leaves no log or journal. Fails as the disk does. */
export function changeCopy<T>(file: string, change: (db: Database) => T): T {
  return withStorageErrors(() => {
    const db = connect(file);
    let result;
    try {
      result = db.transaction(change).immediate(db);
      db.pragma('wal_checkpoint(TRUNCATE)');
      db.pragma('journal_mode = DELETE');
    } finally {
      db.close();
    }
    syncFile(file);
    return result;
  });
}
