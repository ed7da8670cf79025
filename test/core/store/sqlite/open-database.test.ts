import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { claimFolder } from '#system/claim-folder.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { openDatabase } from '#core/store/sqlite/open-database.ts';
import { withStorageErrors } from '#core/store/sqlite/database.ts';
import { type Migration } from '#core/store/sqlite/stored-schema.ts';
import { authors, notes } from './synthetic-schema.ts';
import { has } from '#test/servers/abilities.ts';
import { expectMode } from '#test/servers/file-mode.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

const atMs = Date.UTC(2026, 10, 20, 13, 55, 0);
const clock = { nowMs: () => atMs, monotonicMs: () => atMs, after: () => () => {} };

function open(file: string, migrations: readonly Migration[] = [notes]) {
  return openDatabase({ file, migrations, clock, logger: silentLogger });
}

async function fileWithNotes(count = 1): Promise<string> {
  const file = join(tempFolder(), 'notes.sqlite');
  const opened = open(file);
  const insert = opened.db.prepare('INSERT INTO note VALUES (?)');
  for (let index = 0; index < count; index += 1) insert.run(`note ${index} ${'.'.repeat(200)}`);
  await opened.dispose();
  return file;
}

describe('opening a database file', () => {
  test('makes the folder and every file private to their owner', async () => {
    const folder = join(tempFolder(), 'made', 'for us');
    const { db, dispose } = open(join(folder, 'notes.sqlite'));
    db.exec("INSERT INTO note VALUES ('one')");
    expectMode(folder, 0o700);
    for (const name of ['', '-wal', '-shm']) {
      expectMode(join(folder, `notes.sqlite${name}`), 0o600);
    }
    await dispose();
  });

  test('leaves nothing of deleted data in the file', async () => {
    const file = await fileWithNotes(200);
    const { db, dispose } = open(file);
    db.exec('DELETE FROM note');
    await dispose();
    expect(readFileSync(file).includes('note 1')).toBe(false);
    expect(existsSync(`${file}-wal`)).toBe(false);
  });

  test.runIf(has.modes)('makes a folder and file private that were readable by others', async () => {
    const file = await fileWithNotes();
    chmodSync(file, 0o644);
    chmodSync(join(file, '..'), 0o755);
    const { dispose } = open(file);
    expectMode(file, 0o600);
    expectMode(join(file, '..'), 0o700);
    await dispose();
  });

  test.runIf(has.modes && process.getuid?.() === 0)(
    'refuses as root a folder of another user, and leaves it unchanged',
    () => {
      const folder = tempFolder();
      chmodSync(folder, 0o750);
      chownSync(folder, 65_534, 65_534);
      const refusal: unknown = expect.objectContaining({
        code: 'data_folder_unusable',
        message: expect.stringContaining('belongs to another user (number 65534)') as unknown,
      });
      expect(() => claimFolder(folder)).toThrow(refusal);
      expect(readdirSync(folder)).toEqual([]);
      expect(statSync(folder)).toMatchObject({ uid: 65_534, mode: 0o40750 });
    },
  );

  test.runIf(has.modes)('refuses a folder that is shared by design, and leaves it unchanged', () => {
    const shared = join(tempFolder(), 'shared');
    mkdirSync(shared);
    chmodSync(shared, 0o1777);
    expect(() => open(join(shared, 'notes.sqlite'))).toThrow(
      expect.objectContaining({ code: 'data_folder_unusable' }),
    );
    expect(readdirSync(shared)).toEqual([]);
  });

  test('refuses a folder that is a file', () => {
    const file = join(tempFolder(), 'file');
    writeFileSync(file, '');
    expect(() => open(join(file, 'notes.sqlite'))).toThrow(
      expect.objectContaining({ code: 'data_folder_unusable' }),
    );
  });

  test('accepts an empty file from an interrupted start as new', async () => {
    const file = join(tempFolder(), 'notes.sqlite');
    writeFileSync(file, '');
    const { db, setAside, dispose } = open(file);
    expect(setAside).toBeNull();
    expect(db.pragma('user_version', { simple: true })).toBe(1);
    await dispose();
  });
});

test('names a native binding that is missing or built for another system', () => {
  const binding = join(tempFolder(), 'binding.node');
  const load = (): unknown =>
    withStorageErrors(() => new BetterSqlite3(':memory:', { nativeBinding: binding }));
  expect(load).toThrow(expect.objectContaining({ code: 'database_engine_unusable' }));
  writeFileSync(binding, 'no program');
  expect(load).toThrow(expect.objectContaining({ code: 'database_engine_unusable' }));
});

describe('migrating a database', () => {
  test('copies an older file first and keeps its rows', async () => {
    const file = await fileWithNotes(3);
    const { db, dispose } = open(file, [notes, authors]);
    expect(db.prepare('SELECT count(*) AS notes, min(author) AS author FROM note').get()).toEqual({
      notes: 3,
      author: 'nobody',
    });
    await dispose();

    const backup = `${file}.backup-1-20261120T135500Z`;
    expectMode(backup, 0o600);
    const copy = new BetterSqlite3(backup);
    expect(copy.pragma('user_version', { simple: true })).toBe(1);
    expect(copy.prepare('SELECT count(*) FROM note').pluck().get()).toBe(3);
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    copy.close();
  });

  test('copies rows that are only in the write-ahead log as well', async () => {
    const file = await fileWithNotes(1);
    const crashed = join(tempFolder(), 'notes.sqlite');
    const owner = open(file);
    owner.db.exec("INSERT INTO note VALUES ('only in the log')");
    for (const name of ['', '-wal']) copyFileSync(file + name, crashed + name);
    await owner.dispose();

    const { dispose } = open(crashed, [notes, authors]);
    await dispose();
    const copy = new BetterSqlite3(`${crashed}.backup-1-20261120T135500Z`);
    expect(copy.prepare('SELECT count(*) FROM note').pluck().get()).toBe(2);
    copy.close();
  });

  test('does not copy a file with the newest schema', async () => {
    const file = await fileWithNotes();
    await open(file).dispose();
    expect(readdirSync(join(file, '..'))).toEqual(['notes.sqlite']);
  });

  test('returns to the previous step if a step fails', async () => {
    const file = await fileWithNotes(2);
    const failing: Migration = {
      number: 3,
      name: 'failing',
      up(db) {
        db.exec('DELETE FROM note');
        throw new Error('half way');
      },
    };
    expect(() => open(file, [notes, authors, failing])).toThrow('half way');
    const { db, dispose } = open(file, [notes, authors]);
    expect(db.prepare('SELECT count(*) FROM note').pluck().get()).toBe(2);
    await dispose();
  });

  test('refuses a file from a newer version and leaves it unchanged byte for byte', async () => {
    const file = await fileWithNotes();
    await open(file, [notes, authors]).dispose();
    const before = readFileSync(file);
    expect(() => open(file, [notes])).toThrow(
      expect.objectContaining({
        code: 'schema_newer',
        data: expect.objectContaining({ schema: 2, newest: 1 }) as unknown,
      }),
    );
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('refuses a file from before the first migration and leaves it unchanged byte for byte', async () => {
    const file = await fileWithNotes();
    const before = readFileSync(file);
    const folder = join(file, '..');
    expect(() => open(file, [{ ...notes, number: 2 }])).toThrow(
      expect.objectContaining({
        code: 'schema_older_build',
        message: expect.stringContaining(`The data folder “${folder}” is from an older build`) as unknown,
        data: expect.objectContaining({ schema: 1, newest: 2, folder }) as unknown,
      }),
    );
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(folder)).toEqual(['notes.sqlite']);
  });

  test('works with step numbers that begin above 1', async () => {
    const file = join(tempFolder(), 'notes.sqlite');
    const first = open(file, [{ ...notes, number: 8 }]);
    expect(first.db.pragma('user_version', { simple: true })).toBe(8);
    first.db.exec("INSERT INTO note VALUES ('one')");
    await first.dispose();
    const { db, dispose } = open(file, [
      { ...notes, number: 8 },
      { ...authors, number: 9 },
    ]);
    expect(db.prepare('SELECT author FROM note').pluck().all()).toEqual(['nobody']);
    expect(readdirSync(join(file, '..'))).toContain('notes.sqlite.backup-8-20261120T135500Z');
    await dispose();
  });
});

describe('a damaged database file', () => {
  const damages: [string, (file: string) => void][] = [
    ['that is not a database', (file) => writeFileSync(file, 'Dear diary, '.repeat(1000))],
    ['with a page of random bytes', (file) => overwrite(file, 8192 * 3)],
    ['with a broken schema page', (file) => overwrite(file, 100)],
    ['without its second half', (file) => truncateSync(file, Math.floor(statSync(file).size / 2))],
  ];

  test.each(damages)('%s is moved aside completely, named, and replaced by a new file', async (_, damage) => {
    const file = await fileWithNotes(200);
    damage(file);
    const damaged = readFileSync(file);

    const { db, setAside, dispose } = open(file);
    expect(setAside).toBe(`${file}.corrupt-20261120T135500Z`);
    expect(readFileSync(String(setAside)).equals(damaged)).toBe(true);
    expect(db.prepare('SELECT count(*) FROM note').pluck().get()).toBe(0);
    await dispose();
  });

  test('is moved aside with its write-ahead log', async () => {
    const file = await fileWithNotes();
    writeFileSync(file, 'noise'.repeat(2000));
    writeFileSync(`${file}-wal`, 'more noise');
    const { setAside, dispose } = open(file);
    await dispose();
    expect(readFileSync(`${setAside}-wal`, 'utf8')).toBe('more noise');
  });

  test.each<[string, (file: string) => void]>([
    ['is empty', (file) => truncateSync(file, 0)],
    ['is gone', (file) => rmSync(file)],
  ])('that %s has its write-ahead log moved aside, which SQLite would delete', async (_, lose) => {
    const file = await fileWithNotes();
    writeFileSync(`${file}-wal`, 'rows of before');
    lose(file);
    const { setAside, dispose } = open(file);
    await dispose();
    expect(readFileSync(`${setAside}-wal`, 'utf8')).toBe('rows of before');
  });

  test('never replaces a file that was moved aside in the same second', async () => {
    const file = await fileWithNotes();
    for (const words of ['first damage', 'second damage']) {
      writeFileSync(file, words.repeat(500));
      const { setAside, dispose } = open(file);
      expect(readFileSync(String(setAside), 'utf8')).toContain(words);
      await dispose();
    }
    const aside = readdirSync(join(file, '..')).filter((name) => /corrupt-\w+(-2)?$/.test(name));
    expect(aside.map((name) => basename(name))).toHaveLength(2);
    expect(existsSync(file)).toBe(true);
  });
});

function overwrite(file: string, offset: number): void {
  const content = readFileSync(file);
  content.fill(0xa5, offset, offset + 2048);
  writeFileSync(file, content);
}
