import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskFailure } from '#shared/errors/index.ts';
import {
  connectReadOnly,
  type Database,
  makeFolder,
  preparePrivateFile,
  withStorageErrors,
} from '../sqlite/index.ts';

/** A state of practice that a person saved. */
export interface StoredState {
  name: string;
  /** Name of the folder with its copies. */
  folder: string;
  atMs: number;
  /** Time by which the clock of the embedded service was ahead, in milliseconds. */
  aheadMs: number;
}

/** The saved states of the workspace. */
export interface StateRows {
  /** Newest first. */
  all(): StoredState[];
  find(name: string): StoredState | null;
  /** In place of another one of this name. */
  keep(state: StoredState): void;
  clear(): void;
}

const columns = 'name, folder, at_ms AS atMs, ahead_ms AS aheadMs';

export function createStateRows(db: Database): StateRows {
  const all = db.prepare<[], StoredState>(
    `SELECT ${columns} FROM practice_state ORDER BY at_ms DESC, folder DESC`,
  );
  const find = db.prepare<[string], StoredState>(`SELECT ${columns} FROM practice_state WHERE name = ?`);
  const keep = db.prepare<[StoredState]>(
    `INSERT OR REPLACE INTO practice_state (name, folder, at_ms, ahead_ms)
     VALUES (:name, :folder, :atMs, :aheadMs)`,
  );
  const clear = db.prepare('DELETE FROM practice_state');
  return {
    all: () => all.all(),
    find: (name) => find.get(name) ?? null,
    keep: (state) => void keep.run(state),
    clear: () => void clear.run(),
  };
}

/** The files of a workspace that make its state. Caches are filled again. */
const databases = ['countersign.sqlite', 'backend.sqlite'];
const anchor = 'ledger.anchor.json';

/**
 * Copies the state of a workspace into a new folder, also while the workspace is open: all of it in one turn, so that no other work of
 * this process comes in between. Fails as the disk does.
 */
export function copyWorkspace(from: string, to: string): void {
  try {
    makeFolder(to, 0o700);
  } catch (failure) {
    throw diskFailure(failure, 'storage_failed');
  }
  for (const name of databases) copyDatabase(join(from, name), join(to, name));
  try {
    copyFileSync(join(from, anchor), join(to, anchor));
  } catch (failure) {
    throw diskFailure(failure, 'storage_failed');
  }
}

function copyDatabase(from: string, to: string): void {
  preparePrivateFile(to);
  withStorageErrors(() => {
    const db = connectReadOnly(from);
    try {
      db.prepare('VACUUM INTO ?').run(to);
    } finally {
      db.close();
    }
  });
}
