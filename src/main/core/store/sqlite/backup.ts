import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import type { Database } from './database.ts';
import { withStorageErrors } from './failures.ts';
import { companions, freeName, timeInName } from './file-names.ts';
import { preparePrivateFile } from './permissions.ts';
import { schemaNumber } from './inspect.ts';

/**
 * Copies the database as it stands, WAL included, to `<file>.backup-<schema>-<time>` beside it, 0600 and on disk when this
 * returns. Half a copy never has that name. Returns the copy's path. Fails as the disk does.
 */
export function backUp(db: Database, nowMs: number): string {
  const part = `${db.name}.backup-part`;
  // Left by a process that was killed while it copied.
  removeWithCompanions(part);
  preparePrivateFile(part);
  try {
    withStorageErrors(() => db.prepare('VACUUM INTO ?').run(part));
  } catch (failure) {
    removeWithCompanions(part);
    throw failure;
  }
  syncFile(part);
  const copy = freeName(`${db.name}.backup-${schemaNumber(db)}-${timeInName(nowMs)}`);
  renameSync(part, copy);
  return copy;
}

function removeWithCompanions(file: string): void {
  for (const companion of ['', ...companions]) rmSync(file + companion, { force: true });
}

function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
