import { randomBytes } from 'node:crypto';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifyLedgerExport } from '#core/ledger/index.ts';
import { everyRow, type LedgerFilter } from '#shared/app-api/index.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import * as fixture from './fixture.ts';
import { foreignKey, openLedger, rechain, rewriteRows, type OpenLedger, type RawRow } from './fixture.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

/** Row 1 introduces the key; rows 2 to 9 are entries of the proposals p0, p1 and p2. */
const rowCount = 9;

interface Line {
  seq: number;
  atMs: number;
  kind: string;
  proposalId: string | null;
  actor: string;
  via: string | null;
  summary: string;
  body: unknown;
  previousHash: string;
  hash: string;
  keyId: string;
  signature: string;
}

interface Header {
  rows: number;
  selection: LedgerFilter | null;
  anchor: { count: number; head: string; keyId: string; signature: string } | null;
  keys: { keyId: string; publicKey: string; fromSeq: number; endorsed: boolean }[];
}

interface Parsed {
  header: Header;
  lines: Line[];
}

let folder: string;

function filledLedger(): OpenLedger {
  folder = tempFolder();
  const open = openLedger(folder, randomBytes(32));
  fixture.appendEntries(open, rowCount - 1);
  return open;
}

let texts: { whole: string; selection: string } | null = null;

function madeOnce(): { whole: string; selection: string } {
  if (texts !== null) return texts;
  const open = filledLedger();
  return (texts = { whole: exported(open).text, selection: exported(open, { proposalId: 'p1' }).text });
}

function exported(
  { ledger }: OpenLedger,
  filter: Partial<LedgerFilter> = {},
): { text: string; parts: number } {
  let text = '';
  let part = ledger.exportPart({ afterSeq: 0, untilSeq: null, filter: { ...everyRow, ...filter } });
  for (let parts = 1; ; parts += 1) {
    text += part.text;
    if (part.next === null) return { text, parts };
    part = ledger.exportPart({
      afterSeq: part.next,
      untilSeq: part.untilSeq,
      filter: { ...everyRow, ...filter },
    });
  }
}

async function verdictOn(text: string, head?: string) {
  const file = join(tempFolder(), 'ledger.jsonl');
  writeFileSync(file, text);
  return verifyLedgerExport(file, head === undefined ? {} : { head });
}

function parse(text: string): Parsed {
  const [header = {}, ...lines] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  return { header: header as Header, lines: lines as Line[] };
}

const print = ({ header, lines }: Parsed): string =>
  [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');

/** Recomputes places, links and hashes of the lines from `first` on, and the signatures if a key is given. */
function chainedAnew(lines: Line[], first: number, key: fixture.ForeignKey | null): Line[] {
  const raw = lines.map(({ atMs, proposalId, previousHash, keyId, body, ...rest }): RawRow => ({
    ...rest,
    at_ms: atMs,
    proposal_id: proposalId,
    previous_hash: previousHash,
    key_id: keyId,
    body: JSON.stringify(body),
  }));
  return rechain(raw, first, key).map(
    ({
      at_ms: atMs,
      proposal_id: proposalId,
      previous_hash: previousHash,
      key_id: keyId,
      body,
      ...rest
    }) => ({
      ...rest,
      atMs,
      proposalId,
      previousHash,
      keyId,
      body: JSON.parse(body) as unknown,
    }),
  );
}

describe('an export of the complete ledger', () => {
  test('verifies without any secret, and states the head of the ledger', async () => {
    const open = filledLedger();
    const { text } = exported(open);
    expect(parse(text).header).toMatchObject({ selection: null, rows: rowCount });
    const report = await verdictOn(text);
    const { head } = open.ledger.report();
    expect(report).toMatchObject({ state: 'verified', rows: rowCount, head, problem: null, selection: null });
    expect(await verdictOn(text, head)).toMatchObject({ state: 'verified' });
    expect(await verdictOn(text, 'a'.repeat(64))).toMatchObject({ problem: { code: 'head_not_found' } });
  });

  test('verifies with several keys and with a line separator inside a text', async () => {
    const open = filledLedger();
    await open.close();
    const second = openLedger(folder, randomBytes(32));
    second.store.transaction(() =>
      second.ledger.append({ ...fixture.entry(1), summary: sentence`${ownWords('a\u2028b\r"')}` }),
    );
    const report = await verdictOn(exported(second).text);
    expect(report).toMatchObject({ state: 'verified', rows: rowCount + 2 });
    expect(report.keys.map(({ endorsed }) => endorsed)).toEqual([true, false]);
  });

  test('is written in parts, without rows that are added meanwhile', async () => {
    const open = filledLedger();
    const long = { ...fixture.entry(1), body: { words: 'x'.repeat(9_000) } };
    open.store.transaction(() => {
      for (let count = 0; count < 250; count += 1) open.ledger.append(long);
    });
    const first = open.ledger.exportPart({ afterSeq: 0, untilSeq: null, filter: everyRow });
    expect(first.text.length).toBeLessThan(2_100_000);
    expect(first).toMatchObject({ total: rowCount + 250, untilSeq: rowCount + 250 });
    fixture.appendEntries(open, 1);
    let { text, rows, next } = first;
    while (next !== null) {
      const part = open.ledger.exportPart({ afterSeq: next, untilSeq: first.untilSeq, filter: everyRow });
      text += part.text;
      rows += part.rows;
      next = part.next;
    }
    expect(rows).toBe(first.total);
    expect(await verdictOn(text)).toMatchObject({ state: 'verified', rows: first.total });
  });

  test('contains no secret: neither the data key nor the signing key', () => {
    const { whole: text } = madeOnce();
    expect(text).not.toMatch(/private|pkcs8/i);
    expect(Object.keys(parse(text).header.keys[0] ?? {})).toEqual([
      'keyId',
      'publicKey',
      'fromSeq',
      'endorsed',
    ]);
  });

  const key = foreignKey();
  test.each<[string, (parsed: Parsed) => Parsed, string, number | null]>([
    ['an edited summary', edit(5, { summary: 'Nothing happened' }), 'row_edited', 5],
    ['an impossible time', edit(5, { atMs: 9_000_000_000_000_000 }), 'row_unreadable', 5],
    ['a member of another type', edit(5, { actor: 7 as unknown as string }), 'row_unreadable', 5],
    [
      'a signature of another row',
      (p) => edit(5, { signature: p.lines[5]?.signature ?? '' })(p),
      'signature_wrong',
      5,
    ],
    ['a deleted row', rows((all) => all.toSpliced(4, 1)), 'row_missing', 6],
    ['a duplicated row', rows((all) => all.toSpliced(4, 0, ...all.slice(3, 4))), 'link_broken', 4],
    [
      'rows rechained with a foreign key',
      rows((all) => chainedAnew(all.toSpliced(4, 1), 5, key)),
      'key_unknown',
      5,
    ],
    ['a cut end', rows((all) => all.slice(0, -1)), 'rows_cut', rowCount],
    ['no rows', rows(() => []), 'rows_cut', rowCount],
    [
      'a cut end with an adjusted count',
      (p) => head({ rows: 8 })(rows((all) => all.slice(0, -1))(p)),
      'rows_cut',
      9,
    ],
    [
      'a cut end with an adjusted anchor',
      (p) => anchor({ count: 8, head: p.lines[7]?.hash ?? '' })(rows((all) => all.slice(0, -1))(p)),
      'anchor_signature_wrong',
      8,
    ],
    ['another head', anchor({ head: 'a'.repeat(64) }), 'rows_rewritten', rowCount],
    ['another key for the anchor', anchor({ keyId: key.keyId }), 'anchor_key_wrong', rowCount],
    ['no anchor', head({ anchor: null }), 'anchor_missing', null],
    ['another number of rows', head({ rows: 10 }), 'rows_uncounted', null],
    ['a header that calls it a selection', head({ selection: everyRow, keys: [] }), 'key_unknown', 1],
  ])('is found broken: %s', async (_, change, code, seq) => {
    const text = print(change(parse(madeOnce().whole)));
    expect(await verdictOn(text)).toMatchObject({ state: 'broken', problem: { code, seq } });
  });

  test.each([
    ['alone', (file: string) => writeFileSync(file, ''), 'header_wrong'],
    [
      'after a header',
      (file: string) => writeFileSync(file, madeOnce().whole.slice(0, madeOnce().whole.indexOf('\n') + 1)),
      'row_unreadable',
    ],
  ])(
    'with an endless line, %s, is found broken before the line is read completely',
    async (_, begin, code) => {
      const file = join(tempFolder(), 'ledger.jsonl');
      begin(file);
      truncateSync(file, 400 * 2 ** 20);
      expect(await verifyLedgerExport(file)).toMatchObject({ state: 'broken', problem: { code } });
    },
  );

  test('verifies with a row that is longer than the read buffer', async () => {
    const open = filledLedger();
    const long = { ...fixture.entry(1), body: { words: 'ä\u{1F4B6}'.repeat(300_000) } };
    open.store.transaction(() => open.ledger.append(long));
    open.store.transaction(() => open.ledger.append(fixture.entry(2)));
    const { text } = exported(open);
    expect(await verdictOn(text)).toMatchObject({ state: 'verified', rows: rowCount + 2 });
    expect(await verdictOn(text.trimEnd())).toMatchObject({ state: 'verified', rows: rowCount + 2 });
  });

  test('of a broken ledger says so, and gets no new anchor', async () => {
    const open = filledLedger();
    await open.close();
    rewriteRows(folder, (all) =>
      all.map((row) => (row.seq === 5 ? { ...row, body: '{ "edited": 1 }' } : row)),
    );
    const { text } = exported(openLedger(folder, randomBytes(32)));
    expect(await verdictOn(text)).toMatchObject({
      state: 'broken',
      problem: { code: 'row_unreadable', seq: 5 },
    });
  });
});

describe('a selection', () => {
  const filter = { proposalId: 'p1' };

  test('states that it is a selection, and each of its rows verifies', async () => {
    const open = filledLedger();
    const { text } = exported(open, filter);
    const report = await verdictOn(text);
    expect(report).toMatchObject({ state: 'verified', rows: 3, selection: { ...everyRow, ...filter } });
    expect(report.keys).toEqual(open.ledger.report().keys);
  });

  test('cannot be compared with a head that was saved elsewhere', async () => {
    const open = filledLedger();
    const asked = verdictOn(exported(open, filter).text, open.ledger.report().head);
    await expect(asked).rejects.toMatchObject({ code: 'bad_input' });
  });

  test.each<[string, (parsed: Parsed) => Parsed, string]>([
    ['an edited fact', edit(2, { body: { number: 4 } }), 'row_edited'],
    ['a row with a foreign key', rows((all) => chainedAnew(all, 1, foreignKey())), 'key_unknown'],
    ['two swapped rows', rows((all) => all.toReversed()), 'link_broken'],
    ['a cut row', rows((all) => all.slice(1)), 'rows_uncounted'],
    ['a key under a wrong id', keyText(foreignKey().text), 'key_unknown'],
    ['a header that calls it the complete ledger', head({ selection: null }), 'row_missing'],
  ])('is found broken: %s', async (_, change, code) => {
    const text = print(change(parse(madeOnce().selection)));
    expect(await verdictOn(text)).toMatchObject({ state: 'broken', problem: { code } });
  });

  test('is found broken if adjacent rows are from two ledgers with the same key', async () => {
    const { header, lines } = parse(madeOnce().whole);
    const key = foreignKey();
    const keys = [{ keyId: key.keyId, publicKey: key.text, fromSeq: 1, endorsed: true }];
    const ledger = chainedAnew(lines, 1, key);
    const other = chainedAnew(
      lines.map((line) => ({ ...line, summary: 'Something else' })),
      1,
      key,
    );
    const selectionOf = (selected: Line[]) =>
      print({ header: { ...header, selection: everyRow, rows: selected.length, keys }, lines: selected });
    expect(await verdictOn(selectionOf(ledger.slice(3, 5)))).toMatchObject({ state: 'verified' });
    expect(await verdictOn(selectionOf([...ledger.slice(3, 4), ...other.slice(4, 5)]))).toMatchObject({
      state: 'broken',
      problem: { code: 'link_broken', seq: 5 },
    });
  });
});

function edit(place: number, change: Partial<Line>): (parsed: Parsed) => Parsed {
  return rows((all) => all.map((line, index) => (index + 1 === place ? { ...line, ...change } : line)));
}

function rows(change: (lines: Line[]) => Line[]): (parsed: Parsed) => Parsed {
  return ({ header, lines }) => ({ header, lines: change(lines) });
}

function head(change: Partial<Header>): (parsed: Parsed) => Parsed {
  return ({ header, lines }) => ({ header: { ...header, ...change }, lines });
}

function anchor(change: Partial<NonNullable<Header['anchor']>>): (parsed: Parsed) => Parsed {
  return ({ header, lines }) => ({
    header: { ...header, anchor: header.anchor && { ...header.anchor, ...change } },
    lines,
  });
}

function keyText(publicKey: string): (parsed: Parsed) => Parsed {
  return ({ header, lines }) => ({
    header: { ...header, keys: header.keys.map((one) => ({ ...one, publicKey })) },
    lines,
  });
}
