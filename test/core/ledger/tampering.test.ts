import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { verifyLedgerFile } from '#core/ledger/index.ts';
import { everyRow } from '#shared/app-api/index.ts';
import { has } from '#test/servers/abilities.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import * as fixture from './fixture.ts';
import { anchorIn, databaseIn, foreignKey, rechain, rewriteRows, type RawRow } from './fixture.ts';
import { runs } from '#test/setup/property-runs.ts';

/** Row 1 introduces the key; rows 2 to 9 are entries. */
const rowCount = 9;

let folder: string;
/** A copy of the ledger from when it had 6 rows. */
let older: string;

beforeEach(async () => {
  folder = tempFolder();
  const open = fixture.openLedger(folder, randomBytes(32));
  fixture.appendEntries(open, 5);
  older = fixture.copyOf(folder);
  open.store.transaction(() => {
    for (let number = 6; number < rowCount; number += 1) open.ledger.append(fixture.entry(number));
  });
  await open.close();
});

const verify = (head?: string) => verifyLedgerFile(databaseIn(folder), head === undefined ? {} : { head });

function editRow(seq: number, change: (row: RawRow) => RawRow): void {
  rewriteRows(folder, (rows) => rows.map((row) => (row.seq === seq ? change(row) : row)));
}

function editAnchor(change: (anchor: ReturnType<typeof fixture.readAnchor>) => object): void {
  writeFileSync(anchorIn(folder), JSON.stringify(change(fixture.readAnchor(folder))));
}

/** Replaces the rows from `first` on with rows that an intruder's key introduces and signs. */
function rechainWithForeignKey(
  first: number,
  length: number,
): { count: number; head: string; key: fixture.ForeignKey } {
  const key = foreignKey();
  let head = '';
  rewriteRows(folder, (rows) => {
    const kept = rows.slice(0, first - 1);
    const [like] = rows;
    if (!like) throw new Error('The fixture has rows');
    const added = [fixture.introductionOf(key, like.key_id, like), ...rows.slice(first - 1)];
    const all = rechain([...kept, ...added].slice(0, length), first, key);
    head = String(all.at(-1)?.hash);
    return all;
  });
  return { count: length, head, key };
}

test('an untouched ledger verifies, without any secret', async () => {
  const report = await verify();
  expect(report).toMatchObject({ state: 'verified', rows: rowCount, problem: null });
  expect(report.head).toBe(fixture.readAnchor(folder).head);
  expect(report.keys).toEqual([{ keyId: expect.any(String) as string, fromSeq: 1, endorsed: true }]);
});

describe('a row is detected after an edit of', () => {
  test.each<[string, (row: RawRow) => RawRow, string]>([
    ['its summary', (row) => ({ ...row, summary: 'Nothing happened' }), 'row_edited'],
    ['the spelling of its body', (row) => ({ ...row, body: row.body.replace(':', ': ') }), 'row_unreadable'],
    ['its body so that it is no longer JSON', (row) => ({ ...row, body: '{' }), 'row_unreadable'],
    [
      'its body so that a key occurs twice',
      (row) => ({ ...row, body: row.body.replace('{', '{"bid":1,') }),
      'row_unreadable',
    ],
    ['its link to the earlier row', (row) => ({ ...row, previous_hash: row.hash }), 'link_broken'],
    ['its time to an impossible date', (row) => ({ ...row, at_ms: 9_000_000_000_000_000 }), 'row_unreadable'],
    ['its time to a date before 1970', (row) => ({ ...row, at_ms: -1 }), 'row_unreadable'],
    ['its hash', (row) => ({ ...row, hash: row.previous_hash }), 'row_edited'],
    ['its key', (row) => ({ ...row, key_id: foreignKey().keyId }), 'key_unknown'],
    ['its signature', (row) => ({ ...row, signature: `A${row.signature.slice(1)}B` }), 'signature_wrong'],
    ['its signature by removing it', (row) => ({ ...row, signature: '' }), 'signature_wrong'],
    ['its kind so that it introduces a key', (row) => ({ ...row, kind: 'key.introduced' }), 'row_edited'],
  ])('%s', async (_, change, code) => {
    editRow(5, change);
    expect(await verify()).toMatchObject({ state: 'broken', problem: { seq: 5, code } });
  });

  test('its signature, before the problem of any later row', async () => {
    editRow(5, (row) => ({ ...row, signature: `A${row.signature.slice(1)}B` }));
    editRow(7, (row) => ({ ...row, summary: 'Nothing happened' }));
    expect(await verify()).toMatchObject({ problem: { seq: 5, code: 'signature_wrong' } });
  });

  test('its content with a new hash, because the signature is missing', async () => {
    editRow(9, (row) => ({ ...row, summary: 'Nothing happened' }));
    rewriteRows(folder, (rows) => rechain(rows, 9, null));
    expect(await verify()).toMatchObject({ problem: { seq: 9, code: 'signature_wrong' } });
  });
});

test('a broken ledger reports no impossible time or head of its last row', async () => {
  editRow(rowCount, (row) => ({ ...row, at_ms: 9_000_000_000_000_000, hash: '\u001b[2J' }));
  const { head } = await verify();
  expect(await verify()).toMatchObject({ state: 'broken', sealedAtMs: null });
  expect(head).toMatch(/^[0-9a-f]{64}$/);
});

test.each([9e15, -9e15])(
  'a row with the impossible time %d is listed with a time that a page can show',
  (atMs) => {
    editRow(2, (row) => ({ ...row, at_ms: atMs }));
    const { ledger } = fixture.openLedger(folder, randomBytes(32));
    const { items } = ledger.list({ beforeSeq: null, limit: 20, filter: everyRow });
    expect(items).toHaveLength(rowCount);
    for (const item of items) expect(() => new Date(item.atMs).toISOString()).not.toThrow();
  },
);

test.each([2 ** 53 + 2, -(2 ** 60)])(
  'a row with the number %d, too large for a page, is listed and detected',
  async (seq) => {
    editRow(rowCount, (row) => ({ ...row, seq }));
    const { ledger } = fixture.openLedger(folder, randomBytes(32));
    const { items, total } = ledger.list({ beforeSeq: null, limit: 20, filter: everyRow });
    const { rows, problem } = await ledger.verify();
    expect(problem).not.toBeNull();
    for (const number of [...items.map((item) => item.seq), total, rows, problem?.seq ?? 0])
      expect(number).toSatisfy(Number.isSafeInteger);
  },
);

describe('a change of the order or number of rows is detected:', () => {
  const renumbered = (rows: RawRow[]) => rows.map((row, index) => ({ ...row, seq: index + 1 }));

  test.each<[string, (rows: RawRow[]) => RawRow[], number, string]>([
    ['a deleted row', (rows) => rows.filter(({ seq }) => seq !== 5), 6, 'row_missing'],
    ['a deleted first row', (rows) => rows.slice(1), 2, 'row_missing'],
    ['a duplicated row', (rows) => renumbered(rows.toSpliced(4, 0, ...rows.slice(3, 4))), 5, 'link_broken'],
    [
      'a row inserted far before the first',
      (rows) => [...rows, ...rows.slice(3, 4).map((row) => ({ ...row, seq: -7 }))],
      -7,
      'link_broken',
    ],
    ['a row added at the end', (rows) => renumbered([...rows, ...rows.slice(-1)]), 10, 'link_broken'],
    [
      'rows rechained without the key',
      (rows) => rechain(rows.toSpliced(4, 1), 5, null),
      5,
      'signature_wrong',
    ],
    [
      'rows rechained with a key that was not introduced',
      (rows) => rechain(rows.toSpliced(4, 1), 5, foreignKey()),
      5,
      'key_unknown',
    ],
    [
      'rows rechained from the first row with another key',
      (rows) => rechain(rows, 1, foreignKey()),
      1,
      'key_introduction_wrong',
    ],
  ])('%s', async (_, change, seq, code) => {
    rewriteRows(folder, change);
    expect(await verify()).toMatchObject({ state: 'broken', problem: { seq, code } });
  });
});

describe('the anchor outside the table shows', () => {
  test.each<[string, (rows: RawRow[]) => RawRow[]]>([
    ['that the last row was cut off', (rows) => rows.slice(0, -1)],
    ['that half of the rows were cut off', (rows) => rows.slice(0, 4)],
    ['that all rows were deleted', () => []],
  ])('%s', async (_, change) => {
    rewriteRows(folder, change);
    expect(await verify()).toMatchObject({ state: 'broken', problem: { seq: rowCount, code: 'rows_cut' } });
  });

  test('that the table was rolled back to an older copy', async () => {
    copyFileSync(databaseIn(older), databaseIn(folder));
    copyFileSync(`${databaseIn(older)}-wal`, `${databaseIn(folder)}-wal`);
    expect(await verify()).toMatchObject({ rows: 6, problem: { seq: rowCount, code: 'rows_cut' } });
  });

  test.each([
    ['longer', rowCount + 1, 'rows_rewritten'],
    ['as long', rowCount, 'rows_rewritten'],
    ['shorter', rowCount - 1, 'rows_cut'],
  ])(
    'that rows were rechained with a foreign key introduced in the middle, %s than before',
    async (_, length, code) => {
      rechainWithForeignKey(4, length);
      expect(await verify()).toMatchObject({ state: 'broken', problem: { seq: rowCount, code } });
    },
  );

  test('no problem if it is behind by rows that verify, as after a crash', async () => {
    copyFileSync(anchorIn(older), anchorIn(folder));
    expect(await verify()).toMatchObject({ state: 'verified', rows: rowCount });
  });

  test('an unsigned row after an older anchor', async () => {
    copyFileSync(anchorIn(older), anchorIn(folder));
    rewriteRows(folder, (rows) => rechain(rows, 8, null));
    editRow(8, (row) => ({ ...row, summary: 'Another story' }));
    expect(await verify()).toMatchObject({ problem: { seq: 8, code: 'row_edited' } });
  });
});

describe('an anchor that Countersign did not write is detected if it was', () => {
  test('deleted', async () => {
    rmSync(anchorIn(folder));
    expect(await verify()).toMatchObject({ state: 'broken', problem: { seq: null, code: 'anchor_missing' } });
  });

  test.each(['', '{', 'null', '[]', '{"count":9}', '{"count":"9","head":"","keyId":"","signature":""}'])(
    'replaced by %j',
    async (text) => {
      writeFileSync(anchorIn(folder), text);
      expect(await verify()).toMatchObject({ problem: { code: 'anchor_unreadable' } });
    },
  );

  test.runIf(has.linux).each([
    ['a pipe', (file: string) => execFileSync('mkfifo', [file])],
    ['an endless device', (file: string) => symlinkSync('/dev/zero', file)],
  ])('replaced by %s', async (_name, put) => {
    rmSync(anchorIn(folder));
    put(anchorIn(folder));
    expect((await verify()).problem?.code).toBe('anchor_unreadable');
  });

  test('given a lower count to match a cut table', async () => {
    rewriteRows(folder, (rows) => rows.slice(0, 6));
    editAnchor((anchor) => ({ ...anchor, count: 6 }));
    expect(await verify()).toMatchObject({ problem: { code: 'rows_rewritten' } });
  });

  test('given a count and head that match a cut table', async () => {
    let head = '';
    rewriteRows(folder, (rows) => {
      head = String(rows[5]?.hash);
      return rows.slice(0, 6);
    });
    editAnchor((anchor) => ({ ...anchor, count: 6, head }));
    expect(await verify()).toMatchObject({ problem: { code: 'anchor_signature_wrong' } });
  });

  test('changed to name no rows', async () => {
    rewriteRows(folder, (rows) => rows.slice(0, 2));
    editAnchor((anchor) => ({ ...anchor, count: 0, head: '0'.repeat(64) }));
    expect(await verify()).toMatchObject({ problem: { code: 'anchor_signature_wrong' } });
  });

  test('signed with another key', async () => {
    fixture.anchorTo(folder, fixture.readAnchor(folder), foreignKey());
    expect(await verify()).toMatchObject({ problem: { code: 'anchor_key_wrong' } });
  });

  test('signed with the signature of its row', async () => {
    rewriteRows(folder, (rows) => {
      editAnchor((anchor) => ({ ...anchor, signature: rows.at(-1)?.signature }));
      return rows;
    });
    expect(await verify()).toMatchObject({ problem: { code: 'anchor_signature_wrong' } });
  });
});

describe('only a head that was saved elsewhere shows', () => {
  test('that table and anchor were restored together', async () => {
    const noted = (await verify()).head;
    const restored = databaseIn(older);
    expect(await verifyLedgerFile(restored)).toMatchObject({ state: 'verified', rows: 6 });
    expect(await verifyLedgerFile(restored, { head: noted })).toMatchObject({
      state: 'broken',
      problem: { code: 'head_not_found' },
    });
  });

  test('that everything was rewritten with a foreign key, which the report names', async () => {
    const noted = (await verify()).head;
    const { count, head, key } = rechainWithForeignKey(4, rowCount);
    fixture.anchorTo(folder, { count, head }, key);
    const report = await verify();
    expect(report.state).toBe('verified');
    expect(report.keys.at(-1)).toEqual({ keyId: key.keyId, fromSeq: 4, endorsed: false });
    expect(await verify(noted)).toMatchObject({ problem: { code: 'head_not_found' } });
  });

  test('and an old saved head is still found in a ledger that continued', async () => {
    expect(await verify(fixture.readAnchor(older).head)).toMatchObject({ state: 'verified' });
  });

  test('a foreign key cannot endorse itself', async () => {
    const { key } = rechainWithForeignKey(4, rowCount);
    rewriteRows(folder, (rows) =>
      rechain(
        rows.map((row) => (row.seq === 4 ? { ...row, body: row.body.replace('false', 'true') } : row)),
        4,
        key,
      ),
    );
    expect(await verify()).toMatchObject({ problem: { seq: 4, code: 'key_introduction_wrong' } });
  });
});

describe('a database that was made to confuse the verifier', () => {
  test.each<[string, (row: RawRow) => RawRow]>([
    ['an invalid character in the body', (row) => ({ ...row, body: '{"note":"\\ud800"}' })],
    [
      'a body with endless nesting',
      (row) => ({ ...row, body: `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}` }),
    ],
    ['a forbidden key in the body', (row) => ({ ...row, body: '{"__proto__":{"number":1}}' })],
    [
      'an introduction without a key',
      (row) => ({ ...row, kind: 'key.introduced', body: '{"publicKey":"A"}' }),
    ],
  ])('is found broken: %s', async (_, change) => {
    editRow(5, change);
    expect(await verify()).toMatchObject({ state: 'broken', problem: { seq: 5 } });
  });

  test('is found broken if its columns have other types', async () => {
    fixture.tamper(folder, (db) => {
      db.exec(`CREATE TABLE loose AS SELECT * FROM ledger; DROP TABLE ledger; ALTER TABLE loose RENAME TO ledger;
               UPDATE ledger SET summary = x'00ff', signature = 7 WHERE seq = 5`);
    });
    expect(await verify()).toMatchObject({ problem: { seq: null, code: 'table_altered' } });
  });

  test('is reported as having no ledger if the table is missing', async () => {
    fixture.tamper(folder, (db) => db.exec('DROP TABLE ledger'));
    await expect(verify()).rejects.toMatchObject({ code: 'not_found' });
  });

  test('is refused if it is not a database or is missing', async () => {
    writeFileSync(databaseIn(folder), 'Dear diary, '.repeat(1000));
    await expect(verify()).rejects.toMatchObject({ code: 'database_corrupt' });
    rmSync(databaseIn(folder));
    await expect(verify()).rejects.toMatchObject({ code: 'not_found' });
  });
});

test('every change of any cell of any row is detected', async () => {
  const texts = [
    'kind',
    'proposal_id',
    'actor',
    'via',
    'summary',
    'body',
    'previous_hash',
    'hash',
    'key_id',
    'signature',
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: rowCount }),
      fc.constantFrom(...texts),
      fc.nat({ max: 400 }),
      fc.integer({ min: 1, max: 127 }),
      async (seq, column, position, flip) => {
        const before = folder;
        folder = fixture.copyOf(before);
        try {
          editRow(seq, (row) => ({
            ...row,
            [column]: flipped(String(row[column as keyof RawRow]), position, flip),
          }));
          expect((await verify()).state).toBe('broken');
        } finally {
          folder = before;
        }
      },
    ),
    runs(40),
  );
});

function flipped(text: string, position: number, flip: number): string {
  const index = text.length === 0 ? 0 : position % text.length;
  const changed = String.fromCharCode((text.charCodeAt(index) || 0) ^ flip);
  return text.slice(0, index) + changed + text.slice(index + 1);
}
