import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import type { Logger } from '#core/platform/logger.ts';
import { runTransaction, withStorageErrors } from './database.ts';
import type { Database } from './database.ts';
import { schemaNumber } from './inspect.ts';
import { companions, freeName, timeInName, preparePrivateFile } from './files.ts';

/**
 * One step of a schema. Numbers count up without gaps; a released step is never edited. The first step need not be number 1:
 * lower numbers then belong to builds before it, whose files cannot be migrated.
 */
export interface Migration {
  number: number;
  /** For people, for example `ledger and settings`. */
  name: string;
  /** Runs inside the step's transaction. */
  up(db: Database): void;
}

/** The schema numbers that the first and the last migration lead to; 0 without any. A gap or a wrong order is a bug and throws. */
export function schemaRange(migrations: readonly Migration[]): { first: number; newest: number } {
  const first = migrations[0]?.number ?? 0;
  migrations.forEach(({ number, name }, index) => {
    if (number !== first + index) throw new Error(`Migration ${number} (${name}) is out of order`);
  });
  return { first, newest: migrations.at(-1)?.number ?? 0 };
}

/** Brings the file to the newest schema, each step in one transaction of its own. */
export function migrate(db: Database, migrations: readonly Migration[], logger: Logger): void {
  const from = schemaNumber(db);
  for (const { number, name, up } of migrations) {
    if (number <= from) continue;
    runTransaction(db, () => {
      up(db);
      db.pragma(`user_version = ${number}`);
    });
    logger.info({ migration: number, name }, 'The database schema moved on');
  }
}

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
