import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { verifyLedgerExport, verifyLedgerFile } from '#core/ledger/index.ts';
import { everyRow } from '#shared/app-api/index.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import * as fixture from './fixture.ts';
import {
  anchorIn,
  appendEntries,
  databaseIn,
  foreignKey,
  openLedger,
  rechain,
  rewriteRows,
  tamper,
} from './fixture.ts';
import type { RawRow } from './fixture.ts';

const project = fileURLToPath(new URL('../../../', import.meta.url));

/** Runs the program printed in docs/ledger-format.md on each folder or export, as a reader would. */
function runDocumentedProgram(sources: readonly string[]): string[] {
  const page = readFileSync(join(project, 'docs/ledger-format.md'), 'utf8');
  const [, program = ''] = /```js\n(.*?)```/s.exec(page) ?? [];
  const place = tempFolder();
  // Every user of Windows may make a junction, unlike a symbolic link. Other systems ignore the type.
  symlinkSync(join(project, 'node_modules'), join(place, 'node_modules'), 'junction');
  writeFileSync(join(place, 'program.mjs'), program);
  writeFileSync(
    join(place, 'run.mjs'),
    `for (const [index, source] of ${JSON.stringify(sources)}.entries()) {
      process.argv.push(source);
      try { await import('./program.mjs?' + index); } catch (failure) { console.log(String(failure.message).split('\\n')[0]); }
    }`,
  );
  const { stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', join(place, 'run.mjs')], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.trimEnd().split('\n');
}

/** A ledger of two sessions: rows 1 and 7 introduce a key, the others are entries. */
async function twoSessions(): Promise<{ folder: string; older: string; head: string }> {
  const folder = tempFolder();
  const first = openLedger(folder, randomBytes(32));
  appendEntries(first, 5);
  const older = fixture.copyOf(folder);
  await first.close();
  const second = openLedger(folder, randomBytes(32));
  appendEntries(second, 5);
  const { head } = second.ledger.report();
  await second.close();
  return { folder, older, head };
}

test('the document prints the table definition that Countersign makes, apart from spaces', async () => {
  const { folder } = await twoSessions();
  let defined = '';
  tamper(folder, (db) => {
    defined = db
      .prepare<[], string>(`SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = 'ledger'`)
      .pluck()
      .all()
      .join();
  });
  const page = readFileSync(join(project, 'docs/ledger-format.md'), 'utf8');
  const [, printed = ''] = /```sql\n(.*?)```/s.exec(page) ?? [];
  const plain = (text: string): string =>
    text
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/ ?([(),]) ?/g, '$1')
      .trim();
  expect(plain(printed)).toBe(plain(defined));
});

test('the program in the document verifies a ledger without Countersign’s code', async () => {
  const { folder, head } = await twoSessions();
  expect(runDocumentedProgram([folder])).toEqual([`12 rows verified, head ${head}`]);
  rewriteRows(folder, (rows) => rows.map((row) => (row.seq === 9 ? { ...row, actor: 'Nobody' } : row)));
  expect(runDocumentedProgram([folder])).toEqual(['Broken: row 9']);
});

type Attack = (folder: string, older: string) => void;

const onRow =
  (seq: number, change: (row: RawRow) => RawRow): Attack =>
  (folder) =>
    rewriteRows(folder, (rows) => rows.map((row) => (row.seq === seq ? change(row) : row)));

const onRows =
  (change: (rows: RawRow[]) => RawRow[]): Attack =>
  (folder) =>
    rewriteRows(folder, change);

const onPacked =
  (seq: number, change: (packed: Buffer) => Buffer | null): Attack =>
  (folder) =>
    tamper(folder, (db) => {
      const packed = db.prepare<[number], Buffer>('SELECT packed FROM ledger WHERE seq = ?').pluck().get(seq);
      if (packed === undefined) throw new Error('The row is not packed');
      db.prepare('UPDATE ledger SET packed = ? WHERE seq = ?').run(change(packed), seq);
    });

const flipped =
  (at: number) =>
  (packed: Buffer): Buffer => {
    const changed = Buffer.from(packed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    return changed;
  };

const byStatement =
  (sql: string): Attack =>
  (folder) =>
    tamper(folder, (db) => db.exec(sql));

/** The content of row 5: the list that is compressed. */
const content =
  '["You","browser","Approve change 4 of “DE push – summer”",{"bid":0.045,"note":"ä\u{1F4B6}","number":4}]';

/**
 * Replaces the content of a packed row and keeps its hash and signature. Compresses without the dictionary, which the format
 * allows.
 */
const packing =
  (text: string) =>
  (packed: Buffer): Buffer =>
    Buffer.concat([packed.subarray(0, 96), deflateRawSync(text)]);

const packedAttacks: [string, Attack][] = [
  ['a packed row compressed in another way', onPacked(5, packing(content))],
  ['a packed row with another hash', onPacked(5, flipped(0))],
  ['a packed row with another signature', onPacked(5, flipped(40))],
  ['a packed row with another content', onPacked(5, flipped(100))],
  ['a packed row with another bid', onPacked(5, packing(content.replace('0.045', '0.45')))],
  ['a packed row with a bid spelled 4.5e-2', onPacked(5, packing(content.replace('0.045', '4.5e-2')))],
  ['a packed row with a space', onPacked(5, packing(content.replace(',', ', ')))],
  [
    'a packed row in another order',
    onPacked(5, packing(content.replace('"bid":0.045,', '').replace('}]', ',"bid":0.045}]'))),
  ],
  ['a packed row with a member twice', onPacked(5, packing(content.replace('{', '{"bid":0.045,')))],
  ['a packed row with one more element', onPacked(5, packing(content.replace(/\]$/u, ',1]')))],
  ['a packed row with one element less', onPacked(5, packing('["You","browser","Approve"]'))],
  ['a packed row without an actor', onPacked(5, packing(content.replace('"You"', 'null')))],
  ['a packed row whose rest is a list', onPacked(5, packing(content.replace(/\{.*\}/u, '[]')))],
  ['a packed row that is null', onPacked(5, packing('null'))],
  ['a packed row cut off', onPacked(5, (packed) => packed.subarray(0, 90))],
  ['a packed row that is empty', onPacked(5, () => Buffer.alloc(0))],
  ['a deleted packed row', onPacked(5, () => null)],
  ['a summary beside a packed row', byStatement("UPDATE ledger SET summary = 'x' WHERE seq = 5")],
  ['a hash beside a packed row', byStatement("UPDATE ledger SET hash = 'x' WHERE seq = 5")],
  ['a place beside a packed row', byStatement("UPDATE ledger SET via = 'browser' WHERE seq = 5")],
  ['a member beside a packed row', byStatement('UPDATE ledger SET body = \'{"a":1}\' WHERE seq = 5')],
  ['a member of a packed row twice', byStatement('UPDATE ledger SET body = \'{"bid":0.045}\' WHERE seq = 5')],
  ['a space beside a packed row', byStatement("UPDATE ledger SET body = '{ }' WHERE seq = 5")],
  ['a list beside a packed row', byStatement("UPDATE ledger SET body = '[]' WHERE seq = 5")],
  ['a packed row of another kind', byStatement("UPDATE ledger SET kind = 'key.introduced' WHERE seq = 5")],
  ['a packed row of another time', byStatement('UPDATE ledger SET at_ms = at_ms + 1 WHERE seq = 5')],
  [
    'a packed row deleted, the rest counted again',
    byStatement(
      'DELETE FROM ledger WHERE seq = 5; UPDATE ledger SET seq = -seq WHERE seq > 5; UPDATE ledger SET seq = -seq - 1 WHERE seq < 0',
    ),
  ],
  [
    'two packed rows swapped',
    byStatement(
      'UPDATE ledger SET seq = -5 WHERE seq = 5; UPDATE ledger SET seq = 5 WHERE seq = 4; UPDATE ledger SET seq = 4 WHERE seq = -5',
    ),
  ],
];

const onAnchor =
  (change: (text: string) => string): Attack =>
  (folder) =>
    writeFileSync(anchorIn(folder), change(readFileSync(anchorIn(folder), 'utf8')));

/** Returns another base64 spelling of the same bytes: the unused bits of the last character differ. */
const otherSpelling = (text: string): string => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return text.slice(0, -1) + (letters[letters.indexOf(text.at(-1) ?? 'A') + 1] ?? 'A');
};

const renumbered = (rows: RawRow[]): RawRow[] => rows.map((row, index) => ({ ...row, seq: index + 1 }));

/** Signs all rows from `seq` on with an intruder's key, which row `seq` introduces with this body. */
function takenOver(seq: number, body: (own: string, before: string | null) => object): Attack {
  return (folder) => {
    const key = foreignKey();
    let end = { count: 0, head: '' };
    rewriteRows(folder, (rows) => {
      const [like] = rows;
      if (!like) throw new Error('The fixture has rows');
      const before = rows[seq - 2]?.key_id ?? null;
      const text = JSON.stringify(body(key.text, before));
      const all = rechain(
        [
          ...rows.slice(0, seq - 1),
          { ...like, kind: 'key.introduced', body: text },
          ...rows.slice(seq).filter(({ kind }) => kind !== 'key.introduced'),
        ],
        seq,
        key,
      );
      end = { count: all.length, head: String(all.at(-1)?.hash) };
      return all;
    });
    fixture.anchorTo(folder, end, key);
  };
}

// The keys are in the order of RFC 8785.
const introduction = (endorsed: boolean) => (publicKey: string, previousKeyId: string | null) => ({
  endorsed,
  follows: null,
  previousKeyId,
  publicKey,
});

const columns = [
  'at_ms',
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

const attacks: [string, Attack][] = [
  ['nothing', () => {}],
  ...columns.flatMap((column): [string, Attack][] =>
    [1, 5, 7, 12].map((seq) => [
      `${column} of row ${seq}`,
      onRow(seq, (row) => ({
        ...row,
        [column]: column === 'at_ms' ? row.at_ms + 1 : `${String(row[column as keyof RawRow])}x`,
      })),
    ]),
  ),
  ...[1, 2, 6, 7, 11, 12].map((seq): [string, Attack] => [
    `row ${seq} deleted`,
    onRows((rows) => rows.filter((row) => row.seq !== seq)),
  ]),
  ...[1, 2, 6, 7, 11].map((seq): [string, Attack] => [
    `row ${seq} deleted, the rest counted again`,
    onRows((rows) => renumbered(rows.filter((row) => row.seq !== seq))),
  ]),
  ...[1, 4, 6, 7].map((seq): [string, Attack] => [
    `rows ${seq} and ${seq + 1} swapped`,
    onRows((rows) => renumbered(rows.toSpliced(seq - 1, 2, ...rows.slice(seq - 1, seq + 1).toReversed()))),
  ]),
  ['every row deleted', onRows(() => [])],
  [
    'a row before the first',
    onRows((rows) => [...rows, ...rows.slice(0, 1).map((row) => ({ ...row, seq: 0 }))]),
  ],
  ['a row twice', onRows((rows) => renumbered(rows.toSpliced(4, 0, ...rows.slice(4, 5))))],
  ['the end cut off', onRows((rows) => rows.slice(0, 9))],
  ['a body with a space', onRow(5, (row) => ({ ...row, body: row.body.replace(':', ': ') }))],
  [
    'a body in another order',
    onRow(5, (row) => ({
      ...row,
      body: JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(row.body) as object).toReversed())),
    })),
  ],
  ['a body with 4.5e-2', onRow(5, (row) => ({ ...row, body: row.body.replace('0.045', '4.5e-2') }))],
  ['a body with 0.0450', onRow(5, (row) => ({ ...row, body: row.body.replace('0.045', '0.0450') }))],
  ['a body with an escape', onRow(5, (row) => ({ ...row, body: row.body.replace('bid', '\\u0062id') }))],
  [
    'a body with a member twice',
    onRow(5, (row) => ({ ...row, body: row.body.replace('{', '{"bid":0.045,') })),
  ],
  ['a body with one more member', onRow(5, (row) => ({ ...row, body: row.body.replace('{', '{"a":1,') }))],
  ['a body that is a list', onRow(5, (row) => ({ ...row, body: '[]' }))],
  ['a body that is null', onRow(5, (row) => ({ ...row, body: 'null' }))],
  ['a body that is nothing', onRow(5, (row) => ({ ...row, body: '' }))],
  ['a padded signature', onRow(5, (row) => ({ ...row, signature: `${row.signature}==` }))],
  [
    'a signature in another spelling',
    onRow(5, (row) => ({ ...row, signature: otherSpelling(row.signature) })),
  ],
  [
    'a signature in base64',
    onRows((rows) =>
      rows.map((row) => ({ ...row, signature: row.signature.replaceAll('-', '+').replaceAll('_', '/') })),
    ),
  ],
  ['a hash in capitals', onRow(5, (row) => ({ ...row, hash: row.hash.toUpperCase() }))],
  ['rechained without a key', onRows((rows) => rechain(rows.toSpliced(4, 1), 5, null))],
  ['rechained under an unknown key', onRows((rows) => rechain(rows, 5, foreignKey()))],
  ['rebuilt from row 1 with one new key', takenOver(1, introduction(true))],
  ['rebuilt from row 1, not endorsed', takenOver(1, introduction(false))],
  [
    'rebuilt from row 1, with a key before it',
    takenOver(1, (publicKey) => ({
      endorsed: true,
      follows: null,
      previousKeyId: 'a'.repeat(16),
      publicKey,
    })),
  ],
  ['taken over at row 4', takenOver(4, introduction(false))],
  ['taken over at row 4, endorsed by itself', takenOver(4, introduction(true))],
  [
    'taken over at row 4, naming no key before',
    takenOver(4, (publicKey) => ({ endorsed: false, follows: null, previousKeyId: null, publicKey })),
  ],
  [
    'taken over at row 4 with a key in another spelling',
    takenOver(4, (publicKey, previousKeyId) => ({
      endorsed: false,
      follows: null,
      previousKeyId,
      publicKey: otherSpelling(publicKey),
    })),
  ],
  [
    'taken over at row 4 with another body',
    takenOver(4, (publicKey, previousKeyId) => ({
      publicKey,
      previousKeyId,
      endorsed: false,
      follows: null,
    })),
  ],
  ['an anchor with spaces', onAnchor((text) => text.replaceAll(',', ' , '))],
  ['an anchor with one more member', onAnchor((text) => text.replace('{', '{"more":1,'))],
  ['an anchor that counts 12.0', onAnchor((text) => text.replace('"count":12', '"count":12.0'))],
  ['an anchor that counts 1.2e1', onAnchor((text) => text.replace('"count":12', '"count":1.2e1'))],
  ['an anchor that counts 11.5', onAnchor((text) => text.replace('"count":12', '"count":11.5'))],
  ['an anchor that counts -1', onAnchor((text) => text.replace('"count":12', '"count":-1'))],
  ['an anchor that counts 11', onAnchor((text) => text.replace('"count":12', '"count":11'))],
  ['an anchor that counts 13', onAnchor((text) => text.replace('"count":12', '"count":13'))],
  ['an anchor that counts in text', onAnchor((text) => text.replace('"count":12', '"count":"12"'))],
  ['an anchor with a byte order mark', onAnchor((text) => `\uFEFF${text}`)],
  ['an anchor with a count twice', onAnchor((text) => text.replace('"count":12', '"count":11,"count":12'))],
  [
    'an anchor with another count twice',
    onAnchor((text) => text.replace('"count":12', '"count":12,"count":11')),
  ],
  ['an anchor with a carriage return', onAnchor((text) => `${text.trimEnd()}\r\n`)],
  ['an anchor without its last line feed', onAnchor((text) => text.trimEnd())],
  ['an anchor with a padded signature', onAnchor((text) => text.replace('"}', '=="}'))],
  ['an anchor of nothing', onAnchor(() => '')],
  ['an anchor that is null', onAnchor(() => 'null')],
  ['an anchor with another head', onAnchor((text) => text.replace(/"head":"./, '"head":"x'))],
  [
    'an anchor of an intruder',
    (folder) => fixture.anchorTo(folder, fixture.readAnchor(folder), foreignKey()),
  ],
  [
    'an anchor of an earlier session, put back',
    (folder, older) => writeFileSync(anchorIn(folder), readFileSync(anchorIn(older))),
  ],
  [
    'rows cut off behind an anchor that was put back',
    (folder, older) => {
      writeFileSync(anchorIn(folder), readFileSync(anchorIn(older)));
      rewriteRows(folder, (rows) => rows.slice(0, 10));
    },
  ],
  [
    'one transaction behind an anchor that was put back',
    (folder, older) => {
      writeFileSync(anchorIn(folder), readFileSync(anchorIn(older)));
      rewriteRows(folder, (rows) => rows.slice(0, 8));
    },
  ],
];

const allAttacks = [...attacks, ...packedAttacks];

test(`the program and verify-ledger agree on ${allAttacks.length} ledgers`, async () => {
  const { folder, older } = await twoSessions();
  const folders = allAttacks.map(([, attack]) => {
    const copy = fixture.copyOf(folder);
    attack(copy, older);
    return copy;
  });
  const ours: boolean[] = [];
  for (const one of folders) ours.push((await verifyLedgerFile(databaseIn(one))).state === 'verified');
  const theirs = runDocumentedProgram(folders).map((line) => line.includes(' rows verified'));
  const table = allAttacks.map(([name], index) => [name, ours[index], theirs[index]]);
  expect(table.filter(([, our, their]) => our !== their)).toEqual([]);
  expect(allAttacks.length).toBeGreaterThanOrEqual(128);
  expect(table.filter(([, our]) => our).map(([name]) => name)).toEqual([
    'nothing',
    'rebuilt from row 1 with one new key',
    'taken over at row 4',
    'an anchor with spaces',
    'an anchor with one more member',
    'an anchor that counts 12.0',
    'an anchor that counts 1.2e1',
    'an anchor with a byte order mark',
    'an anchor with a count twice',
    'an anchor with a carriage return',
    'an anchor without its last line feed',
    'one transaction behind an anchor that was put back',
    'a packed row compressed in another way',
  ]);
});

type Rewrite = (text: string) => string;

/** Changes one line of an export; line 0 is the header. */
const onLine =
  (place: number, change: Rewrite): Rewrite =>
  (text) =>
    text
      .split('\n')
      .map((line, index) => (index === place ? change(line) : line))
      .join('\n');

const onMembers = (place: number, change: (line: Record<string, unknown>) => object): Rewrite =>
  onLine(place, (line) => JSON.stringify(change(JSON.parse(line) as Record<string, unknown>)));

const onLines =
  (change: (lines: string[]) => string[]): Rewrite =>
  (text) =>
    `${change(text.trimEnd().split('\n')).join('\n')}\n`;

const onAnchorOf = (change: (anchor: Record<string, unknown>) => unknown): Rewrite =>
  onMembers(0, (header) => ({ ...header, anchor: change(header['anchor'] as Record<string, unknown>) }));

const onKeys = (change: (keys: Record<string, unknown>[]) => unknown): Rewrite =>
  onMembers(0, (header) => ({ ...header, keys: change(header['keys'] as Record<string, unknown>[]) }));

const turned = (line: object): object => Object.fromEntries(Object.entries(line).toReversed());

const exports: [string, Rewrite, 'verified' | 'broken'][] = [
  ['nothing', (text) => text, 'verified'],
  ['carriage returns', (text) => text.replaceAll('\n', '\r\n'), 'verified'],
  ['carriage returns alone', (text) => text.replaceAll('\n', '\r'), 'broken'],
  ['a byte order mark', (text) => `\uFEFF${text}`, 'verified'],
  ['two byte order marks', (text) => `\uFEFF\uFEFF${text}`, 'broken'],
  ['a byte order mark and carriage returns', (text) => `\uFEFF${text.replaceAll('\n', '\r\n')}`, 'verified'],
  ['a byte order mark before a row', onLine(5, (line) => `\uFEFF${line}`), 'broken'],
  ['no last line feed', (text) => text.trimEnd(), 'verified'],
  ['no last line feed after a carriage return', (text) => `${text.trimEnd()}\r`, 'verified'],
  ['two line feeds at the end', (text) => `${text}\n`, 'verified'],
  ['blank lines of Windows at the end', (text) => `${text.replaceAll('\n', '\r\n')}\r\n\r\n`, 'verified'],
  ['a last line of white space', (text) => `${text} `, 'verified'],
  ['a row behind a blank line', (text) => text.replace(/\n(?=[^\n]+\n$)/u, '\n\n'), 'broken'],
  ['an empty line', (text) => text.replace('\n', '\n\n'), 'broken'],
  ['an empty line before the header', (text) => `\n${text}`, 'broken'],
  ['white space around a row', onLine(5, (line) => `\t ${line} `), 'verified'],
  ['a separator that is no JSON white space', onLine(5, (line) => `${line}\u2028`), 'broken'],
  ['half of the last line', (text) => text.slice(0, -40), 'broken'],
  ['nothing at all', () => '', 'broken'],
  ['no header', (text) => text.slice(text.indexOf('\n') + 1), 'broken'],
  ['a header that is a list', onLine(0, () => '[]'), 'broken'],
  ['a header of another version', onMembers(0, (header) => ({ ...header, version: 2 })), 'broken'],
  ['a header of version 1.0', onLine(0, (line) => line.replace('"version":1', '"version":1.0')), 'verified'],
  ['a header with one more member', onMembers(0, (header) => ({ ...header, note: 1 })), 'broken'],
  ['a header with a member twice', onLine(0, (line) => line.replace('{', '{"rows":12,')), 'broken'],
  ['a header without keys', onMembers(0, ({ keys: _keys, ...header }) => header), 'broken'],
  ['a header in another order', onMembers(0, turned), 'verified'],
  ['another number of rows', onMembers(0, (header) => ({ ...header, rows: 11 })), 'broken'],
  [
    'a number of rows in text',
    onMembers(0, (header) => ({ ...header, rows: String(header['rows']) })),
    'broken',
  ],
  ['no anchor', onAnchorOf(() => null), 'broken'],
  ['an anchor with one more member', onAnchorOf((anchor) => ({ ...anchor, more: 1 })), 'verified'],
  ['an anchor that counts one row less', onAnchorOf((anchor) => ({ ...anchor, count: 11 })), 'broken'],
  ['no keys in the header', onKeys(() => []), 'verified'],
  ['other keys in the header than in the rows', onKeys((keys) => keys.toReversed()), 'verified'],
  [
    'a key in the header that no row introduces',
    onKeys((keys) => keys.map((key) => ({ ...key, publicKey: 'x', endorsed: true }))),
    'verified',
  ],
  [
    'a key in the header with one more member',
    onKeys((keys) => keys.map((key) => ({ ...key, note: 1 }))),
    'broken',
  ],
  [
    'a key in the header without a member',
    onKeys((keys) => keys.map(({ fromSeq: _from, ...key }) => key)),
    'broken',
  ],
  [
    'a key in the header of another type',
    onKeys((keys) => keys.map((key) => ({ ...key, fromSeq: '1' }))),
    'broken',
  ],
  ['keys that are an object', onKeys(() => ({})), 'broken'],
  ['a row with one more member', onMembers(5, (row) => ({ ...row, note: 1 })), 'broken'],
  ['a row without a member', onMembers(5, ({ via: _via, ...row }) => row), 'broken'],
  ['a row with a member twice', onLine(5, (line) => line.replace('{', '{"seq":5,')), 'broken'],
  [
    'a row with a member twice, spelled with an escape',
    onLine(5, (line) => line.replace('{', '{"s\\u0065q":5,')),
    'broken',
  ],
  ['a row in another order', onMembers(5, turned), 'verified'],
  ['a row with 5.0 as its number', onLine(5, (line) => line.replace('"seq":5', '"seq":5.0')), 'verified'],
  ['a row with its number in text', onMembers(5, (row) => ({ ...row, seq: '5' })), 'broken'],
  ['a row that is null', onLine(5, () => 'null'), 'broken'],
  [
    'a body in another order',
    onMembers(5, (row) => ({ ...row, body: turned(row['body'] as object) })),
    'verified',
  ],
  ['a body with 4.5e-2', onLine(5, (line) => line.replace('0.045', '4.5e-2')), 'verified'],
  [
    'a body with a member twice',
    onLine(5, (line) => line.replace('"body":{', '"body":{"bid":0.045,')),
    'broken',
  ],
  ['a body with one more member', onLine(5, (line) => line.replace('"body":{', '"body":{"a":1,')), 'broken'],
  ['a body that is a list', onMembers(5, (row) => ({ ...row, body: [] })), 'broken'],
  ['a body that is null', onMembers(5, (row) => ({ ...row, body: null })), 'broken'],
  [
    'a body as a text with a space',
    onMembers(5, (row) => ({ ...row, body: JSON.stringify(row['body'], null, 1) })),
    'broken',
  ],
  ['a fact edited', onLine(5, (line) => line.replace('0.045', '0.45')), 'broken'],
  [
    'a signature in another spelling',
    onMembers(5, (row) => ({ ...row, signature: otherSpelling(String(row['signature'])) })),
    'broken',
  ],
  ['a row deleted', onLines((lines) => lines.toSpliced(5, 1)), 'broken'],
  ['a row twice', onLines((lines) => lines.toSpliced(5, 0, ...lines.slice(5, 6))), 'broken'],
  [
    'two rows swapped',
    onLines((lines) => lines.toSpliced(5, 2, ...lines.slice(5, 7).toReversed())),
    'broken',
  ],
  ['the end cut off', onLines((lines) => lines.slice(0, -1)), 'broken'],
];

test(`the program and verify-ledger agree on ${exports.length} exports`, async () => {
  const { folder } = await twoSessions();
  const open = openLedger(folder, randomBytes(32));
  const { text } = open.ledger.exportPart({ afterSeq: 0, untilSeq: null, filter: everyRow });
  const files = exports.map(([, rewrite], index) => {
    const file = join(tempFolder(), `${index}.jsonl`);
    writeFileSync(file, rewrite(text));
    return file;
  });
  const ours: string[] = [];
  for (const file of files) ours.push((await verifyLedgerExport(file)).state);
  const theirs = runDocumentedProgram(files).map((line) =>
    line.includes(' rows verified') ? 'verified' : 'broken',
  );
  const table = exports.map(([name, , expected], index) => [name, expected, ours[index], theirs[index]]);
  expect(table.filter(([, expected, our, their]) => our !== expected || their !== expected)).toEqual([]);
});
