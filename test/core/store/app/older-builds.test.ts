import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { verifyLedgerFile } from '#core/ledger/index.ts';
import { systemClock as clock } from '#core/platform/clock.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { openAppStore, refuseForeignAppSchema } from '#core/store/app/index.ts';
import { appMigrations } from '#core/store/app/migrations/app-migrations.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

const [first] = appMigrations;

describe('an app database from before the first release', () => {
  test.each(Array.from({ length: (first?.number ?? 0) - 1 }, (_, index) => index + 1))(
    'with the schema number %i is named and left unchanged by a start and by the verifier',
    async (schema) => {
      const folder = tempFolder();
      const file = join(folder, 'countersign.sqlite');
      await openAppStore({ folder, clock, logger }).dispose();
      change(file, `PRAGMA user_version = ${schema}`);
      const before = hashesOf(folder);
      const refusal: unknown = expect.objectContaining({
        code: 'schema_older_build',
        message: expect.stringContaining(`“${folder}” is from an older build`) as unknown,
      });
      expect(() => refuseForeignAppSchema(folder)).toThrow(refusal);
      expect(() => openAppStore({ folder, clock, logger })).toThrow(refusal);
      await expect(verifyLedgerFile(file)).rejects.toEqual(refusal);
      expect(hashesOf(folder)).toEqual(before);
    },
  );
});

test('without returnable pages is rewritten once and returns free pages afterwards', async () => {
  const folder = tempFolder();
  const file = join(folder, 'countersign.sqlite');
  const db = new BetterSqlite3(file);
  db.pragma('journal_mode = WAL');
  for (const { number, up } of appMigrations) {
    up(db);
    db.pragma(`user_version = ${number}`);
  }
  const add = db.prepare('INSERT INTO setting VALUES (?, ?)');
  for (let count = 0; count < 400; count += 1) add.run(`key-${count}`, '.'.repeat(20_000));
  db.exec("DELETE FROM setting WHERE key <> 'key-7'");
  db.close();
  const before = pagesOf(file);
  expect(before.autoVacuum).toBe(0);

  const store = openAppStore({ folder, clock, logger });
  while (store.returnPages());
  expect(store.settings.get('key-7')).toHaveLength(20_000);
  await store.dispose();
  expect(pagesOf(file)).toMatchObject({ autoVacuum: 2, free: 0 });
  expect(pagesOf(file).count).toBeLessThan(before.count / 2);
});

function change(file: string, sql: string): void {
  const db = new BetterSqlite3(file);
  db.exec(sql);
  db.close();
}

function hashesOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  );
}

function pagesOf(file: string): { autoVacuum: unknown; count: number; free: unknown } {
  const db = new BetterSqlite3(file, { readonly: true });
  const value = (pragma: string): unknown => db.pragma(pragma, { simple: true });
  const pages = {
    autoVacuum: value('auto_vacuum'),
    count: Number(value('page_count')),
    free: value('freelist_count'),
  };
  db.close();
  return pages;
}
