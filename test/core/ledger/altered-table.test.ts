import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedgerFile } from '#core/ledger/index.ts';
import type { StoredFile } from '#test/servers/stored-rows.ts';
import * as fixture from './fixture.ts';
import { databaseIn, tamper } from './fixture.ts';

/** More rows than the verifier reads in one batch. */
const rowCount = 260;
const dataKey = randomBytes(32);

const untouched = mkdtempSync(join(tmpdir(), 'countersign-test-'));
afterAll(() => rmSync(untouched, { recursive: true }));

async function copyOfUntouched(): Promise<string> {
  if (!existsSync(databaseIn(untouched))) {
    const open = fixture.openLedger(untouched, dataKey);
    open.store.transaction(() => {
      for (let number = 1; number < rowCount; number += 1) open.ledger.append(fixture.entry(number));
    });
    await open.close();
  }
  return fixture.copyOf(untouched);
}

const names = `seq, at_ms, kind, proposal_id, actor, via, summary, body, previous_hash, hash, key_id, signature, packed`;

/** Recreates the table with another definition of its columns and with its old indexes and triggers. */
function rebuild(db: StoredFile, { seq = 'INTEGER', more = '', strict = '' }): void {
  const own = db
    .prepare<[], string>(
      `SELECT sql FROM sqlite_schema WHERE tbl_name = 'ledger' AND type <> 'table' AND sql IS NOT NULL`,
    )
    .pluck()
    .all();
  db.exec(`ALTER TABLE ledger RENAME TO honest`);
  for (const name of db
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema WHERE tbl_name = 'honest' AND type = 'index' AND sql IS NOT NULL`,
    )
    .pluck()
    .all())
    db.exec(`DROP INDEX ${name}`);
  db.exec(`
    CREATE TABLE ledger (seq ${seq}, at_ms INTEGER, kind TEXT, proposal_id TEXT, actor TEXT, via TEXT, summary TEXT,
      body TEXT, previous_hash TEXT, hash TEXT, key_id TEXT, signature TEXT, packed BLOB ${more}) ${strict};
    INSERT INTO ledger (${names}) SELECT ${names} FROM honest;
    DROP TABLE honest;`);
  for (const sql of own) db.exec(sql);
}

/** Adds a row with this number and other content. */
const forge = (db: StoredFile, seq: string): unknown =>
  db.exec(`INSERT INTO ledger (${names})
    SELECT ${seq}, at_ms, kind, proposal_id, actor, via, 'Approve a raise to $9,000', body, previous_hash, hash, key_id,
      signature, packed FROM ledger WHERE seq = 200`);

const rewriteSchema = (db: StoredFile, work: () => void): void => {
  db.unsafeMode(true);
  db.pragma('writable_schema = ON');
  work();
  db.pragma('writable_schema = RESET');
};

describe('a ledger table that Countersign did not make is detected:', () => {
  const alterations: [string, (db: StoredFile) => void][] = [
    [
      'a second row 200 at the border of two batches, in a table without its key',
      (db) => {
        rebuild(db, {});
        forge(db, '200');
      },
    ],
    [
      'a row numbered 200.5',
      (db) => {
        rebuild(db, { seq: 'REAL' });
        forge(db, '200.5');
      },
    ],
    [
      'a second row whose number is text',
      (db) => {
        rebuild(db, { seq: '' });
        forge(db, "'200'");
      },
    ],
    [
      'a row without a number',
      (db) => {
        rebuild(db, {});
        forge(db, 'NULL');
      },
    ],
    ['unchanged rows in a table without its key', (db) => rebuild(db, {})],
    ['a table with loose types', (db) => rebuild(db, { seq: 'INTEGER NOT NULL PRIMARY KEY' })],
    ['an additional column', (db) => db.exec('ALTER TABLE ledger ADD COLUMN note TEXT')],
    [
      'a generated column',
      (db) => db.exec("ALTER TABLE ledger ADD COLUMN said TEXT AS (replace(summary, '45', '450'))"),
    ],
    [
      'a generated column in place of the summary',
      (db) => {
        db.exec('ALTER TABLE ledger RENAME COLUMN summary TO honest_summary');
        db.exec("ALTER TABLE ledger ADD COLUMN summary TEXT AS (replace(honest_summary, '45', '450'))");
      },
    ],
    [
      'a view in place of the table',
      (db) => {
        db.exec('ALTER TABLE ledger RENAME TO honest');
        db.exec('CREATE VIEW ledger AS SELECT * FROM honest');
      },
    ],
    [
      'an endless view in place of the table',
      (db) => {
        db.exec('ALTER TABLE ledger RENAME TO honest');
        db.exec(`CREATE VIEW ledger AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
          SELECT honest.* FROM n JOIN honest ON honest.seq = 1`);
      },
    ],
    [
      'a trigger that changes new rows',
      (db) =>
        db.exec(
          'CREATE TRIGGER helpful AFTER INSERT ON ledger BEGIN DELETE FROM setting WHERE key = new.kind; END',
        ),
    ],
    [
      'a trigger on another table that adds rows',
      (db) =>
        db.exec(`CREATE TRIGGER elsewhere AFTER INSERT ON setting BEGIN
          INSERT INTO ledger (${names}) SELECT 9999, at_ms, kind, proposal_id, actor, via, summary, body, previous_hash, hash,
          key_id, signature, packed FROM ledger WHERE seq = 200; END`),
    ],
    [
      'an additional rule that deletes rows',
      (db) => db.exec('CREATE TRIGGER ledger_rows_stay BEFORE DELETE ON ledger BEGIN SELECT 1; END'),
    ],
    ['a missing index', (db) => db.exec('DROP INDEX ledger_by_time')],
    ['an additional index', (db) => db.exec('CREATE INDEX mine ON ledger (summary)')],
    [
      'an index with another order under a known name',
      (db) => db.exec('DROP INDEX ledger_by_time; CREATE INDEX ledger_by_time ON ledger (seq)'),
    ],
    [
      'an index that hides a row from every filtered page',
      (db) => {
        const sql = db
          .prepare<[], string>(`SELECT sql FROM sqlite_schema WHERE name = 'ledger_by_subject'`)
          .pluck()
          .get();
        db.exec(`DROP INDEX ledger_by_subject;
          CREATE INDEX ledger_by_subject ON ledger
            (CASE seq WHEN 200 THEN 'nothing' ELSE substr(kind, 1, instr(kind, '.') - 1) END, seq)`);
        rewriteSchema(db, () =>
          db.prepare(`UPDATE sqlite_schema SET sql = ? WHERE name = 'ledger_by_subject'`).run(sql),
        );
      },
    ],
    [
      'a definition that only resembles the right one',
      (db) =>
        rewriteSchema(db, () =>
          db.exec(
            `UPDATE sqlite_schema SET sql = replace(sql, 'seq INTEGER NOT NULL PRIMARY KEY', 'seq INTEGER  NOT NULL PRIMARY KEY')
             WHERE name = 'ledger'`,
          ),
        ),
    ],
  ];

  test.each(alterations)('verify-ledger finds %s', async (_, alter) => {
    const folder = await copyOfUntouched();
    tamper(folder, alter);
    expect(await verifyLedgerFile(databaseIn(folder))).toMatchObject({ state: 'broken' });
  });

  // The verifier itself walks the rows and inspects the table, so a sample is enough here.
  const sampled = alterations.filter((_, index) => index % 6 === 0);

  test.each(sampled)('the next start finds %s and adds nothing', async (_, alter) => {
    const folder = await copyOfUntouched();
    tamper(folder, alter);
    const { store, ledger } = fixture.openLedger(folder, dataKey);
    expect(await ledger.verify()).toMatchObject({ state: 'broken' });
    expect(() => store.transaction(() => ledger.append(fixture.entry(1)))).toThrow(
      expect.objectContaining({ code: 'ledger_broken' }),
    );
  });

  test.each(sampled)('the Ledger page finds %s while the program runs', async (_, alter) => {
    const folder = await copyOfUntouched();
    const { ledger } = fixture.openLedger(folder, dataKey);
    expect(await ledger.verify()).toMatchObject({ state: 'verified', rows: rowCount });
    tamper(folder, alter);
    expect(await ledger.verify()).toMatchObject({ state: 'broken' });
    expect(ledger.report()).toMatchObject({ state: 'broken' });
  });
});
