import { copyFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { storedSchema } from '#core/store/sqlite/stored-schema.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { runs } from '#test/setup/property-runs.ts';

/** Reads the schema version of an abandoned file with SQLite. Uses a copy, because opening the file would change its log. */
function schemaBySqlite(file: string): number {
  const copy = join(tempFolder(), 'copy.sqlite');
  for (const name of ['', '-wal']) if (existsSync(file + name)) copyFileSync(file + name, copy + name);
  const db = new BetterSqlite3(copy);
  try {
    return Number(db.pragma('user_version', { simple: true }));
  } finally {
    db.close();
  }
}

const steps = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('schema' as const),
        to: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      }),
    },
    fc.constant({ kind: 'row' as const }),
    fc.constant({ kind: 'rolledBack' as const }),
    fc.constant({ kind: 'checkpoint' as const }),
  ),
  { maxLength: 8 },
);

test('the schema number read from a file and its log equals SQLite’s, wherever a process was killed', () => {
  fc.assert(
    fc.property(
      steps,
      fc.constantFrom(512, 4096, 65_536),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (taken, pageSize, keptPart) => {
        const file = join(tempFolder(), 'a.sqlite');
        const killed = join(tempFolder(), 'a.sqlite');
        const db = new BetterSqlite3(file);
        db.pragma(`page_size = ${pageSize}`);
        db.pragma('journal_mode = WAL');
        db.exec('CREATE TABLE note (text)');
        for (const step of taken) {
          if (step.kind === 'schema') db.pragma(`user_version = ${step.to}`);
          else if (step.kind === 'row') db.exec('INSERT INTO note VALUES (hex(randomblob(700)))');
          else if (step.kind === 'rolledBack') db.exec('BEGIN; PRAGMA user_version = 77; ROLLBACK');
          else db.pragma('wal_checkpoint(RESTART)');
        }
        for (const name of ['', '-wal']) copyFileSync(file + name, killed + name);
        db.close();
        // The end of the log may never have reached the disk.
        truncateSync(`${killed}-wal`, Math.floor(statSync(`${killed}-wal`).size * keptPart));
        expect(storedSchema(killed)).toBe(schemaBySqlite(killed));
      },
    ),
    runs(60),
  );
});

test('a missing or empty file, or a file that is not a database, has no schema number', async () => {
  const file = join(tempFolder(), 'a.sqlite');
  expect(storedSchema(file)).toBeNull();
  new BetterSqlite3(file).close();
  expect(storedSchema(file)).toBeNull();
  expect(storedSchema(import.meta.filename)).toBeNull();
});

test('a damaged file with a log has the number in its header, and is left unchanged', () => {
  const file = join(tempFolder(), 'a.sqlite');
  const damaged = join(tempFolder(), 'a.sqlite');
  const db = new BetterSqlite3(file);
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE note (text); PRAGMA user_version = 7');
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.exec("INSERT INTO note VALUES ('a')");
  const bytes = readFileSync(file);
  // An invalid page size.
  bytes.writeUInt16BE(3, 16);
  writeFileSync(damaged, bytes);
  copyFileSync(`${file}-wal`, `${damaged}-wal`);
  db.close();
  expect(storedSchema(damaged)).toBe(7);
});
