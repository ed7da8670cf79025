import { closeSync, copyFileSync, openSync, readSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { refuseOtherThanFiles, makeTemporary, removeTemporary } from '#core/platform/disk-places.ts';
import { AppError, diskFailure } from '#shared/errors/index.ts';
import {
  connectInMemory,
  connectReadOnly,
  type Database,
  runTransaction,
  withStorageErrors,
} from './database.ts';
import { companions } from './files.ts';
import type { Logger } from '#core/platform/logger.ts';
import { ownWords, quotedUpTo, sentence } from '#shared/lib/sentence.ts';

export function schemaNumber(db: Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

/** Never edit a released migration. Numbers below the first belong to builds whose files cannot be migrated. */
export interface Migration {
  number: number;
  name: string;
  up(db: Database): void;
}

/** Throws if numbers are missing or out of order, which is a bug. */
export function schemaRange(migrations: readonly Migration[]): { first: number; newest: number } {
  const first = migrations[0]?.number ?? 0;
  migrations.forEach(({ number, name }, index) => {
    if (number !== first + index) throw new Error(`Migration ${number} (${name}) is out of order`);
  });
  return { first, newest: migrations.at(-1)?.number ?? 0 };
}

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

const databaseMark = 'SQLite format 3\0';
const databaseHeaderLength = 100;
const schemaOffset = 60;
const largestPage = 65_536;

/** Fails with `schema_newer`, `schema_older_build`, `schema_unknown` or `path_occupied`. Changes no file. */
export function refuseForeignSchema(file: string, migrations: readonly Migration[]): void {
  refuseOtherThanFiles(['', ...companions].map((companion) => file + companion));
  const { first, newest } = schemaRange(migrations);
  const schema = storedSchema(file);
  if (schema === null) return;
  const data = { file, schema, newest };
  if (schema > newest) throw new AppError('schema_newer', { data });
  if (schema < 0) throw new AppError('schema_unknown', { data });
  refuseOlderBuild(file, schema, { first, newest });
}

export function refuseOlderBuild(
  file: string,
  schema: number,
  { first, newest }: { first: number; newest: number },
): void {
  if (schema <= 0 || schema >= first) return;
  const folder = dirname(file);
  const message = sentence`The data folder ${quotedUpTo(folder, 300)} is from an older build of Countersign: ${basename(file)} has the schema number ${schema}, and the first one here is ${first}.`;
  throw new AppError('schema_older_build', { message, data: { file, schema, newest, folder } });
}

/**
 * Returns the schema number of the latest commit; null without a database. Ignores a rollback journal: Countersign's own journals
 * come from the switch to WAL, which does not change the number.
 */
export function storedSchema(file: string): number | null {
  try {
    const size = sizeOf(file);
    const start = readStart(file, size);
    const isDatabase =
      start.length >= databaseHeaderLength && start.toString('latin1').startsWith(databaseMark);
    if (!isDatabase) return null;
    const logSize = sizeOf(`${file}-wal`);
    return logSize === 0 ? start.readInt32BE(schemaOffset) : schemaWithLog(file, start, size);
  } catch (failure) {
    if (failure instanceof AppError) throw failure;
    throw diskFailure(failure, 'storage_failed');
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function readStart(file: string, size: number): Buffer {
  const start = Buffer.alloc(Math.min(size, largestPage));
  if (size === 0) return start;
  const descriptor = openSync(file, 'r');
  try {
    return start.subarray(0, readSync(descriptor, start, 0, start.length, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** SQLite reads a copy of the first page and the log; a hole replaces all other pages, so that no large file is copied. */
function schemaWithLog(file: string, start: Buffer, size: number): number {
  const folder = makeTemporary('countersign-schema-');
  try {
    const copy = join(folder, 'copy.sqlite');
    writeFileSync(copy, start);
    truncateSync(copy, size);
    copyFileSync(`${file}-wal`, `${copy}-wal`);
    return withStorageErrors(() => readSchema(copy));
  } catch (failure) {
    if (failure instanceof AppError && failure.code === 'database_corrupt')
      return start.readInt32BE(schemaOffset);
    throw failure;
  } finally {
    removeTemporary(folder);
  }
}

function readSchema(file: string): number {
  const db = connectReadOnly(file);
  try {
    return schemaNumber(db);
  } finally {
    db.close();
  }
}

type Tables = ReadonlyMap<string, ReadonlySet<string>>;

/** Fails with `schema_incomplete` if a table of the file's schema is missing, or if a table of a later schema already exists. */
export function refuseOtherTables(db: Database, migrations: readonly Migration[], schema: number): void {
  const found = tablesOf(db);
  const { tables: now } = ownSchema(migrations, schema);
  const { tables: newest } = ownSchema(migrations, schemaRange(migrations).newest);
  const missing = firstMissing(now, found);
  if (missing !== null) throw incomplete(db, `lacks ${missing}, which its schema number ${schema} has`);
  const early = [...newest.keys()].find((name) => !now.has(name) && found.has(name));
  if (early !== undefined)
    throw incomplete(db, `has the table ${early}, which its schema number ${schema} lacks`);
}

function firstMissing(expected: Tables, found: Tables): string | null {
  for (const [name, columns] of expected) {
    const present = found.get(name);
    if (present === undefined) return `the table ${name}`;
    const column = [...columns].find((one) => !present.has(one));
    if (column !== undefined) return `the column ${column} of the table ${name}`;
  }
  return null;
}

function incomplete({ name }: Database, what: string): AppError {
  const message = sentence`The tables of a database are not those of its schema number: ${name} ${ownWords(what)}.`;
  return new AppError('schema_incomplete', { message, data: { file: name } });
}

export interface SchemaObject {
  type: string;
  name: string;
  tbl_name: string;
  sql: string | null;
}

interface OwnSchema {
  tables: Tables;
  objects: readonly SchemaObject[];
}

const ownSchemas = new WeakMap<readonly Migration[], Map<number, OwnSchema>>();

export function ownSchema(migrations: readonly Migration[], schema: number): OwnSchema {
  const known = ownSchemas.get(migrations) ?? new Map<number, OwnSchema>();
  const found = known.get(schema) ?? makeSchema(migrations, schema);
  ownSchemas.set(migrations, known.set(schema, found));
  return found;
}

function makeSchema(migrations: readonly Migration[], schema: number): OwnSchema {
  const db = connectInMemory();
  try {
    for (const { number, up } of migrations) if (number <= schema) up(db);
    return { tables: tablesOf(db), objects: objectsOf(db) };
  } finally {
    db.close();
  }
}

function tablesOf(db: Database): Tables {
  const columns = db.prepare<[], { table: string; column: string }>(
    `SELECT tables.name AS "table", columns.name AS "column"
     FROM pragma_table_list AS tables, pragma_table_xinfo(tables.name) AS columns
     WHERE tables.schema = 'main' AND tables.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
  );
  const tables = new Map<string, Set<string>>();
  for (const { table, column } of columns.all()) {
    const known = tables.get(table) ?? new Set();
    tables.set(table, known.add(column));
  }
  return tables;
}

/** Fails as the disk does, and with `database_corrupt`. */
export function hasOwnSchema(file: string, migrations: readonly Migration[]): boolean {
  return withStorageErrors(() => {
    const db = connectReadOnly(file);
    try {
      return isDeepStrictEqual(objectsOf(db), ownSchema(migrations, schemaNumber(db)).objects);
    } finally {
      db.close();
    }
  });
}

function objectsOf(db: Database): SchemaObject[] {
  return db
    .prepare<[], SchemaObject>(
      `SELECT type, name, tbl_name, sql FROM sqlite_schema
       WHERE NOT (type = 'table' AND name LIKE 'sqlite\\_stat%' ESCAPE '\\') ORDER BY type, name`,
    )
    .all();
}
