import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backupNames, packBackup } from '#core/data-folder/backup-file.ts';
import { builtPages } from '#headless/browser-host/built-pages.ts';
import { startBrowserHost } from '#headless/browser-host/start-browser-host.ts';
import { everyRow, ledgerReportSchema } from '#shared/app-api/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { entry, openLedger, tamper } from '#test/core/ledger/fixture.ts';
import { has } from '#test/servers/abilities.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { makePages } from '../browser-host/pages.ts';
import { temporaryFolder } from '../folder.ts';
import { command, run } from '../process.ts';

const dataFolder = mkdtempSync(join(tmpdir(), 'countersign-ledger-'));
const database = 'countersign.sqlite';
const exported = 'export.jsonl';
/** An export whose filter contains terminal control sequences. */
const selected = 'selection.jsonl';
const foreign = 'p\u009b2J\u202e';

// A ledger with a key and a proposal that was withdrawn.
beforeAll(async () => {
  const rendererFolder = makePages();
  const host = await startBrowserHost({
    dataFolder,
    pages: builtPages(rendererFolder),
    version: '0.0.0',
    demoCampaigns: 20,
  });
  const { handlers } = host.core;
  const { rows } = await handlers['campaigns.page']({
    filter: { query: '', status: 1, types: [], sort: 'cid', order: 'asc' },
    page: 1,
    perPage: 1,
  });
  const cids = rows.map(({ cid }) => cid);
  const { id } = await handlers['campaigns.proposeStatus']({ cids, status: 3 });
  await handlers['proposals.withdraw']({ id });
  const chosen = await handlers['ledger.export']({
    afterSeq: 0,
    untilSeq: null,
    filter: { ...everyRow, profileId: foreign },
  });
  writeFileSync(join(dataFolder, selected), chosen.text);
  const whole = await handlers['ledger.export']({ afterSeq: 0, untilSeq: null, filter: everyRow });
  writeFileSync(join(dataFolder, exported), whole.text);
  await host.dispose();
  rmSync(rendererFolder, { recursive: true });
});
afterAll(() => rmSync(dataFolder, { recursive: true }));

async function reportOn(...args: string[]) {
  const { code, text } = await run(['verify-ledger', '--json', ...args]);
  return { code, report: ledgerReportSchema.parse(JSON.parse(text)) };
}

describe('an intact ledger', () => {
  test.each([
    ['by its folder', dataFolder],
    ['by its file', join(dataFolder, database)],
    ['by its export', join(dataFolder, exported)],
  ])('is verified %s, in plain words', async (_name, path) => {
    const { code, text } = await run(['verify-ledger', path]);
    expect(code).toBe(0);
    expect(text).toContain('The ledger is verified.');
    expect(text).toMatch(/head {4}[0-9a-f]{64}\n/);
  });

  test('contains a head that was saved earlier and no invented head', async () => {
    const { report } = await reportOn(dataFolder);
    expect((await reportOn(dataFolder, '--head', report.head)).code).toBe(0);
    const other = await reportOn(dataFolder, '--head', 'a'.repeat(64));
    expect(other).toMatchObject({
      code: 3,
      report: { state: 'broken', problem: { code: 'head_not_found' } },
    });
  });
});

test('a changed row ends verify-ledger with 3 and a reason', async () => {
  const folder = await ledgerWith({});
  tamper(folder, (db) => db.exec("UPDATE ledger SET summary = 'nothing' WHERE seq = 2"));
  const { code, text } = await run(['verify-ledger', folder]);
  expect(code).toBe(3);
  expect(text).toContain('The ledger is BROKEN at row 2');
});

test('an export with a cut end ends verify-ledger with 3, whatever the name of the file', async () => {
  const lines = readFileSync(join(dataFolder, exported), 'utf8').trimEnd().split('\n');
  const file = join(temporaryFolder(), 'rows.txt');
  writeFileSync(file, lines.slice(0, -1).join('\n'));
  expect(await reportOn(file)).toMatchObject({ code: 3, report: { problem: { code: 'rows_cut' } } });
});

test('the filter of an export is printed escaped, so that it cannot control a terminal', async () => {
  const file = join(dataFolder, selected);
  for (const args of [[file], ['--json', file]]) {
    const { code, text } = await run(['verify-ledger', ...args]);
    expect(code).toBe(0);
    expect(text).toContain(String.raw`p\u009b2J\u202e`);
    expect(text).not.toMatch(/[\u0080-\u009f\u202e]/u);
  }
  const { text } = await run(['verify-ledger', '--json', file]);
  expect(JSON.parse(text)).toMatchObject({ selection: { profileId: foreign } });
});

type Unreadable = [what: string, make: (folder: string) => string, reason: string];

const circle: Unreadable = [
  'whose links lead in a circle',
  (folder) => {
    symlinkSync(join(folder, 'circle'), join(folder, 'circle'));
    return join(folder, 'circle');
  },
  'Its links lead in a circle.',
];

test.each<Unreadable>([
  ...(has.links ? [circle] : []),
  ['that is not there', (folder) => join(folder, 'none.sqlite'), 'There is no such file.\nCheck the path.\n'],
  ['whose path is too long', (folder) => join(folder, 'n'.repeat(5_000)), 'The path is too long.'],
  [
    'that is no database',
    (folder) => {
      writeFileSync(join(folder, 'other.sqlite'), 'no database'.repeat(100));
      return join(folder, 'other.sqlite');
    },
    'damaged',
  ],
])('a file %s ends verify-ledger with 1, its name and the reason', async (_name, make, reason) => {
  const folder = temporaryFolder();
  const { code, text } = await run(['verify-ledger', make(folder)]);
  expect(code).toBe(1);
  expect(text).toContain(`countersign: “${folder}`);
  expect(text).toContain(reason);
  // One line for the failure and one for the remedy.
  expect(text.trim().split('\n')).toHaveLength(2);
});

test.runIf(has.linux)('a pipe, which can be read only once, is refused and not reported as broken', () => {
  const line = `cat '${join(dataFolder, exported)}' | '${process.execPath}' ${command} verify-ledger /dev/stdin`;
  const { status, stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8', timeout: 60_000 });
  expect(status).toBe(1);
  expect(stderr).toContain('“/dev/stdin”: It is no file.');
});

test('a backup is not reported as a broken ledger', async () => {
  const folder = tempFolder();
  for (const name of backupNames) copyFileSync(join(dataFolder, name), join(folder, name));
  const backup = join(folder, 'a.countersign');
  const facts = { madeAtMs: 1, appVersion: '0.0.0', ledger: { rows: 1, head: 'a'.repeat(64) } };
  await packBackup(folder, backup, facts);
  const { code, text } = await run(['verify-ledger', backup]);
  expect(code).toBe(1);
  expect(text).toContain(`“${backup}”: It is a backup`);
});

test.each<[title: string, change: (text: string) => Uint8Array, name: string]>([
  ['a byte order mark', (text) => Buffer.from(`\uFEFF${text}`), 'notepad.txt'],
  [
    'a byte order mark, Windows line ends and a blank line',
    (text) => Buffer.from(`\uFEFF${text.replaceAll('\n', '\r\n')}\r\n`),
    'powershell.jsonl',
  ],
])('an export that was saved again with %s still verifies', async (_title, change, name) => {
  const file = join(tempFolder(), name);
  writeFileSync(file, change(readFileSync(join(dataFolder, exported), 'utf8')));
  expect(await reportOn(file)).toMatchObject({ code: 0, report: { state: 'verified' } });
});

const utf16 = ['It is saved as UTF-16.', 'Save it as UTF-8, or export it again.'];
const compressed = (how: string): string[] => [`It is compressed (${how}).`, 'Unpack it first.'];
const startingWith =
  (...bytes: number[]) =>
  (text: string) =>
    Buffer.from([...bytes, ...Buffer.from(text)]);

test.each<[title: string, change: (text: string) => Uint8Array, lines: string[]]>([
  ['gzip', (text) => gzipSync(text), compressed('gzip')],
  ['Zstandard', (text) => zstdCompressSync(text), compressed('Zstandard')],
  ['bzip2', (text) => Buffer.from(`BZh91AY&SY${text}`), compressed('bzip2')],
  ['xz', startingWith(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00), compressed('xz')],
  [
    'a ZIP archive',
    (text) => Buffer.from(`PK\u0003\u0004${text}`),
    ['It is a ZIP archive.', 'Unpack it first.'],
  ],
  ['UTF-16', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'), utf16],
  ['UTF-16, big endian', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(), utf16],
])('an export as %s is recognised and not reported as broken', async (_title, change, lines) => {
  const file = join(tempFolder(), 'ledger.jsonl');
  writeFileSync(file, change(readFileSync(join(dataFolder, exported), 'utf8')));
  const { code, text } = await run(['verify-ledger', file]);
  expect({ code, text }).toEqual({ code: 1, text: `countersign: “${file}”: ${lines.join('\n')}\n` });
});

test.each(['a text', '7z\u00bc\u00af', '%PDF-1.7', '<!doctype html>'])(
  'a file that is no ledger, such as one that begins with %j, is not called a damaged database',
  async (start) => {
    const file = join(tempFolder(), 'other.bin');
    writeFileSync(file, start);
    const { code, text } = await run(['verify-ledger', file]);
    expect(code).toBe(1);
    expect(text).toContain(
      `“${file}”: It is neither the database of Countersign nor an export of its ledger.`,
    );
  },
);

test('a folder without a ledger is not reported as a broken ledger', async () => {
  expect((await run(['verify-ledger', temporaryFolder()])).code).toBe(1);
});

/** Moves the cursor up, clears the lines below and prints the opposite result, if a terminal executes it. */
const erasing = '\u001b[5A\u001b[0J\u001b[32mThe ledger is verified.\u001b[0m\u009b2J';

/** Makes a ledger of an intruder, whose row claims that a backup was restored. */
async function ledgerWith(body: JsonObject): Promise<string> {
  const folder = tempFolder();
  const open = openLedger(folder, randomBytes(32));
  const row = { ...entry(1), kind: 'ledger.restored', body };
  open.store.transaction(() => open.ledger.append(row));
  await open.close();
  return folder;
}

function exportWith(name: string, change: (header: string) => string): string {
  const file = join(temporaryFolder(), name);
  const [header = '', ...rows] = readFileSync(join(dataFolder, exported), 'utf8').split('\n');
  writeFileSync(file, [change(header), ...rows].join('\n'));
  return file;
}

describe('a forged file cannot control the terminal through', () => {
  test.each<[string, () => string | Promise<string>, number]>([
    [
      'the hash of the last row',
      async () => {
        const folder = await ledgerWith({});
        tamper(folder, (db) => db.prepare('UPDATE ledger SET hash = ? WHERE seq = 2').run(erasing));
        return folder;
      },
      3,
    ],
    [
      'the keys of a selection',
      () => {
        const [header = ''] = readFileSync(join(dataFolder, selected), 'utf8').split('\n');
        const keyId = JSON.stringify(erasing);
        return exportWith('selection.jsonl', () =>
          header.replaceAll(/"keyId":"\w+","publicKey"/g, `"keyId":${keyId},"publicKey"`),
        );
      },
      3,
    ],
    ['the ledger before a restore', () => ledgerWith({ previous: { count: 3, head: erasing } }), 0],
    ['the name of the file', () => exportWith(`${erasing}.jsonl`, (header) => header), 0],
    ['the name of a missing file', () => join(temporaryFolder(), erasing), 1],
  ])('%s', async (_name, make, expected) => {
    const { code, text } = await run(['verify-ledger', await make()]);
    expect(code).toBe(expected);
    expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
  });
});
