import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import type { Database } from './database.ts';
import { withStorageErrors } from './failures.ts';
import { freeName, timeInName } from './file-names.ts';
import { preparePrivateFile } from './permissions.ts';
import { schemaNumber } from './inspect.ts';

/**
 * Copies the database as it stands, WAL included, to `<file>.backup-<schema>-<time>` beside it, 0600 and on disk when this
 * returns. Returns the copy's path. Fails with `storage_failed`.
 */
export function backUp(db: Database, nowMs: number): string {
  const copy = freeName(`${db.name}.backup-${schemaNumber(db)}-${timeInName(nowMs)}`);
  preparePrivateFile(copy);
  try {
    withStorageErrors(() => db.prepare('VACUUM INTO ?').run(copy));
  } catch (failure) {
    // Half a copy must not pass for one.
    rmSync(copy);
    throw failure;
  }
  const descriptor = openSync(copy, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  return copy;
}
