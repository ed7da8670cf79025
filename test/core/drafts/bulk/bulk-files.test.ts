import { expect, test } from 'vitest';
import { createBulkFiles } from '#core/drafts/bulk/bulk-files.ts';
import type { BulkSession } from '#core/drafts/bulk/bulk-session.ts';
import type { WorkLimits } from '#core/drafts/bulk/worker/run-in-worker.ts';
import type { AppInput, AppOutput } from '#shared/app-api/index.ts';
import type { World } from '#test/core/proposals/world.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { proposeUpdate } from '#test/fixtures/propose-update.ts';
import { bulkWorld } from './bulk-world.ts';

const fields = ['name', 'status', 'payout', 'd_revenue', 'expire', 'geo', 'shedule', 'clickurl'];

/** Exports a file and joins its parts, as the page does when it saves the file. */
async function exported(world: World, of: string[] = fields): Promise<string> {
  let text = '';
  for (let offset: number | null = 0; offset !== null;) {
    const part: AppOutput<'bulk.exportPart'> = await world.core.handlers['bulk.exportPart']({
      fields: of,
      offset,
    });
    text += part.text;
    offset = part.next;
  }
  return text;
}

async function imported(
  world: World,
  content: string | Uint8Array,
  as: Partial<AppInput<'bulk.fileRead'>> = {},
): Promise<NonNullable<AppOutput<'bulk.file'>>['file']> {
  const { handlers } = world.core;
  const { id } = await handlers['bulk.fileStart']({ name: 'campaigns.csv' });
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length; at += 10_000) {
    await handlers['bulk.filePart']({ id, bytes: bytes.subarray(at, at + 10_000).toString('base64') });
  }
  await handlers['bulk.fileRead']({
    id,
    encoding: null,
    separator: null,
    decimals: null,
    dates: null,
    rounded: null,
    lost: null,
    ...as,
  });
  await expect.poll(async () => (await handlers['bulk.state']({})).isReading).toBe(false);
  const read = await handlers['bulk.file']({});
  if (read === null) throw new Error('The file was not read');
  return read.file;
}

const preview = (world: World): Promise<AppOutput<'bulk.preview'>> =>
  world.core.handlers['bulk.preview']({ edit: { kind: 'file' }, show: 'all', offset: 0, limit: 200 });

function edited(text: string, line: number, change: (cells: string[]) => string[]): string {
  const lines = text.split('\r\n');
  // The columns that the tests edit contain no quotes or commas.
  lines[line - 1] = change((lines[line - 1] ?? '').split(',')).join(',');
  return lines.join('\r\n');
}

const simple = ['payout', 'd_revenue', 'expire'];

test('importing an unchanged file makes no drafts', async () => {
  const world = await bulkWorld({ campaigns: 40 });
  const file = await imported(world, await exported(world));
  expect(file).toMatchObject({
    encoding: 'utf-8',
    separator: ',',
    rows: 40,
    unknownColumns: [],
    hasVersions: true,
    faults: [],
  });
  expect((await preview(world)).counts).toEqual({ change: 0, conflict: 0, same: 40, problem: 0 });
});

test('a text that looks like a formula is exported with an apostrophe and imported without it', async () => {
  const world = await bulkWorld({ campaigns: 12 });
  const { cid } = (await world.other.list({ page: 1, perPage: 1, sort: 'cid', order: 'asc' })).data[0]!;
  const { edit } = await world.other.get(cid);
  await world.other.update(cid, JSON.stringify({ ...edit.campaign, name: '=1+1' }));
  await world.core.handlers['bulk.start']({ cids: [cid] });
  await world.core.handlers['campaigns.loadFull']({ cids: [cid], again: true });
  await expect.poll(async () => await exported(world, ['name'])).toContain("'=1+1");
  const text = await exported(world, ['name']);
  await imported(world, text);
  expect((await preview(world)).counts.same).toBe(1);
  await imported(world, text.replace("'=1+1", "'=2+2"));
  const { rows } = await preview(world);
  expect(rows[0]?.fields).toMatchObject([{ field: 'name', after: '=2+2' }]);
});

/** Changes a campaign as another user, and waits until the core has read it. */
async function changedMeanwhile(world: World, cid: number, change: JsonObject): Promise<void> {
  const { edit } = await world.other.get(cid);
  await world.other.update(cid, JSON.stringify({ ...edit.campaign, ...change }));
  await world.core.handlers['campaigns.loadFull']({ cids: [cid], again: true });
  await expect.poll(async () => (await world.core.handlers['campaigns.fullState']({})).isRunning).toBe(false);
}

const cidIn = (text: string, line: number): number => Number(text.split('\r\n')[line - 1]?.split(',')[0]);

/** Sets the bid, which is in the first column after the ids. */
const withBid =
  (bid: string) =>
  ([id = '', , ...rest]: string[]): string[] => [id, bid, ...rest];

test('edited cells become drafts in one step, and new, unknown and unreadable rows, columns and problems are named', async () => {
  const world = await bulkWorld({ campaigns: 12 });
  const text = await exported(world, simple);
  let file = edited(text, 2, withBid('0.0777'));
  file = edited(file, 3, ([, ...rest]) => ['', ...rest]);
  file = edited(file, 4, ([, ...rest]) => ['99999999', ...rest]);
  file = edited(file, 5, withBid('cheap'));
  file = edited(file, 6, ([, ...rest]) => ['none', ...rest]);
  file = edited(file, 1, (cells) => [...cells, 'Remarks']);
  const view = await imported(world, file);
  expect(view.unknownColumns).toEqual(['Remarks']);
  expect(view.skipped).toEqual({ new: 1, unknown: 1, unreadable: 1 });
  expect(view.faults).toMatchObject([
    { line: 3, kind: 'new' },
    { line: 4, kind: 'unknown' },
    { line: 6, kind: 'unreadable' },
  ]);
  const { rows, counts, drafts, title } = await preview(world);
  expect(title).toBe('Import 1 campaign from a file');
  expect({ counts, drafts }).toEqual({
    counts: { change: 1, conflict: 0, same: 7, problem: 1 },
    drafts: 1,
  });
  expect(rows.filter(({ state }) => state !== 'same')).toMatchObject([
    { line: 2, state: 'change' },
    { line: 5, state: 'problem', problems: [expect.stringMatching(/^Bid isn’t a number: “cheap”/u)] },
  ]);
  await world.core.handlers['bulk.addToDrafts']({ edit: { kind: 'file' } });
  const { campaigns, history } = await world.core.handlers['drafts.get']({ cids: null });
  expect(campaigns).toMatchObject([
    { cid: cidIn(text, 2), fields: { payout: { operations: [{ kind: 'set', value: 0.0777 }] } } },
  ]);
  expect(history.undo).toBe(title);
  expect(world.puts()).toBe(0);
});

test('a field that someone else changed since the export is a conflict, and other cells of its row are not', async () => {
  const world = await bulkWorld({ campaigns: 12 });
  const text = await exported(world, simple);
  const [theirs, beside, untouched] = [cidIn(text, 2), cidIn(text, 3), cidIn(text, 4)];
  const { payout } = (await world.other.get(theirs)).edit.campaign;
  await changedMeanwhile(world, theirs, { payout: Number(payout) + 0.001 });
  await changedMeanwhile(world, beside, { name: 'Changed meanwhile' });
  await changedMeanwhile(world, untouched, { name: 'Changed as well' });
  const bid = (Number(payout) + 0.00211).toFixed(5);
  const file = edited(edited(text, 2, withBid(bid)), 3, withBid(bid));
  await imported(world, file);
  const { rows, counts, drafts } = await preview(world);
  expect({ counts, drafts }).toEqual({
    counts: { change: 1, conflict: 1, same: 10, problem: 0 },
    drafts: 2,
  });
  expect(rows.slice(0, 3)).toMatchObject([
    { line: 2, state: 'conflict', fields: [{ field: 'payout', exported: expect.any(String) }] },
    { line: 3, state: 'change', fields: [{ field: 'payout', exported: null }] },
    { line: 4, state: 'same' },
  ]);
  await world.core.handlers['bulk.addToDrafts']({ edit: { kind: 'file' } });
  const { campaigns } = await world.core.handlers['drafts.get']({ cids: [theirs] });
  expect(campaigns[0]?.fields['payout']).toEqual({
    from: payout,
    operations: [{ kind: 'set', value: Number(bid) }],
  });
});

test('an exported value is shown next to the current value, even if both look alike', async () => {
  const world = await bulkWorld({ campaigns: 12 });
  const cid = cidIn(await exported(world, ['payout']), 2);
  const hours = (from: number): JsonObject => ({
    enable_shedule: 1,
    shedule_timezone: 'UTC',
    shedule: Array.from({ length: 168 }, (_, hour) => (hour >= from && hour < from + 60 ? 1 : 0)),
  });
  await changedMeanwhile(world, cid, hours(0));
  const text = await exported(world, ['shedule']);
  await changedMeanwhile(world, cid, hours(7));
  await imported(
    world,
    edited(text, 2, ([id = '', ...rest]) => [id, 'Mon 8-20', rest.at(-1) ?? '']),
  );
  expect((await preview(world)).rows[0]).toMatchObject({
    state: 'conflict',
    fields: [
      {
        field: 'shedule',
        before: '60 of 168 hours',
        after: '12 of 168 hours',
        exported: '60 of 168 hours, other hours',
      },
    ],
  });
});

test('after a restart the exported values are read from a daily copy, and otherwise the row is a conflict without drafts', async () => {
  const world = await bulkWorld({ campaigns: 12 });
  const text = await exported(world, simple);
  const [kept, lost] = [cidIn(text, 2), cidIn(text, 3)];
  const { payout } = (await world.other.get(kept)).edit.campaign;
  const { name } = (await world.other.get(kept)).edit.campaign;
  const changes = [{ field: 'name', from: name, to: 'Changed by this app' }];
  const { id } = await proposeUpdate(world.core.handlers, { cid: kept, changes });
  await world.approve(await world.look(id));
  await changedMeanwhile(world, kept, { payout: Number(payout) + 0.001 });
  await changedMeanwhile(world, lost, { name: 'Changed by others' });
  const restarted = await world.restart();
  const bid = (Number(payout) + 0.00211).toFixed(5);
  await imported(restarted, edited(edited(text, 2, withBid(bid)), 3, withBid(bid)));
  const { rows, drafts } = await preview(restarted);
  expect(drafts).toBe(1);
  expect(rows.slice(0, 2)).toMatchObject([
    { line: 2, state: 'conflict', fields: [{ field: 'payout' }], problems: [] },
    { line: 3, state: 'conflict', fields: [], problems: [expect.stringMatching(/^Conflict/u)] },
  ]);
});

test('a file that a spreadsheet program only saved again makes no drafts, whatever its date format and line ends', async () => {
  const world = await bulkWorld({ campaigns: 30 });
  const { cid } = (await world.other.list({ page: 1, perPage: 1, sort: 'cid', order: 'asc' })).data[0]!;
  await changedMeanwhile(world, cid, { keywords_blocklist: 'one\r\ntwo' });
  const text = await exported(world, [
    'expire',
    'expire_time',
    'create',
    'create_time',
    'keywords_blocklist',
  ]);
  const iso = /(\d{4})-(\d{2})-(\d{2})/gu;
  for (const [form, dates] of [
    ['$2/$3/$1', 'month-first'],
    ['$3/$2/$1', 'day-first'],
    ['$3.$2.$1', 'year-first'],
  ] as const) {
    const saved = text
      .replaceAll(iso, form)
      .replaceAll(/,0(\d:\d\d),/gu, ',$1,')
      .replaceAll('one\r\ntwo', 'one\ntwo');
    expect(saved).not.toBe(text);
    expect(await imported(world, saved), form).toMatchObject({ dates });
    expect((await preview(world)).counts, form).toEqual({ change: 0, conflict: 0, same: 30, problem: 0 });
  }
});

test('the user is asked about dates that can be read in two ways, and the choice is applied', async () => {
  const world = await bulkWorld({ campaigns: 12 });
  const cid = cidIn(await exported(world, ['expire']), 2);
  await changedMeanwhile(world, cid, { enable_time: 1, expire: '2031-01-01', expire_time: '23:59' });
  const file = `cid,expire\r\n${cid},3/4/2031\r\n`;
  expect(await imported(world, file)).toMatchObject({ dates: 'unknown' });
  expect((await preview(world)).rows[0]?.problems[0]).toMatch(/two ways/u);
  for (const [dates, after] of [
    ['day-first', '3 Apr 2031'],
    ['month-first', '4 Mar 2031'],
  ] as const) {
    expect(await imported(world, file, { dates })).toMatchObject({ dates });
    expect((await preview(world)).rows[0]?.fields[0]?.after).toBe(after);
  }
});

test('an empty list accepts the kind of numbers that other campaigns have in that list, and no text', async () => {
  const world = await bulkWorld({ campaigns: 30 });
  const list = 'publisher_blocklist';
  const text = await exported(world, [list]);
  const line = text.split('\r\n').findIndex((row) => /^\d+,,/u.test(row)) + 1;
  await imported(
    world,
    edited(text, line, ([id = '', , ...rest]) => [id, '70001|70002', ...rest]),
  );
  await world.core.handlers['bulk.addToDrafts']({ edit: { kind: 'file' } });
  const { campaigns } = await world.core.handlers['drafts.get']({ cids: null });
  expect(campaigns.map(({ fields: drafted }) => drafted[list]?.operations)).toEqual([
    [{ kind: 'set', value: [70_001, 70_002] }],
  ]);
  await imported(
    world,
    edited(text, line, ([id = '', , ...rest]) => [id, 'bad', ...rest]),
  );
  expect((await preview(world)).rows.flatMap(({ problems }) => problems)).toEqual([
    expect.stringMatching(/isn’t a number: “bad”/u),
  ]);
});

test('encoding, separator and decimal mark are detected and can be chosen', async () => {
  const world = await bulkWorld({ campaigns: 12 });
  const text = (await exported(world, simple)).replace('\uFEFF', '');
  const german = text.replaceAll(',', ';').replaceAll('.', ',');
  const utf16 = new Uint8Array([0xff, 0xfe, ...Buffer.from(german, 'utf16le')]);
  const file = await imported(world, utf16);
  expect(file).toMatchObject({ encoding: 'utf-16le', separator: ';', decimals: 'comma', rows: 12 });
  expect((await preview(world)).counts).toEqual({ change: 0, conflict: 0, same: 12, problem: 0 });
  const bigEndian = Buffer.from(german, 'utf16le').swap16();
  expect(await imported(world, bigEndian)).toMatchObject({ encoding: 'utf-16be', separator: ';' });
  const tabs = Buffer.from(text.replaceAll(',', '\t').replace('Bid', 'Bid é'), 'latin1');
  expect(await imported(world, tabs)).toMatchObject({
    encoding: 'windows-1252',
    separator: '\t',
    decimals: 'point',
  });

  const unclear = edited('cid;payout\r\n0;1,234\r\n', 2, (cells) => cells).replace(
    '\r\n0;',
    `\r\n${text.split('\r\n')[1]?.split(',')[0]};`,
  );
  expect(await imported(world, unclear)).toMatchObject({ decimals: 'unknown', hasVersions: false });
  expect((await preview(world)).rows[0]?.problems[0]).toMatch(/two ways/u);
  await imported(world, unclear, { decimals: 'comma' });
  expect((await preview(world)).rows[0]?.fields[0]?.after).toBe('$1.234');
});

test.each<[string, string | Uint8Array, Partial<AppInput<'bulk.fileRead'>>, string]>([
  ['no column of ids', 'name,payout\r\na,1\r\n', {}, 'csv_unreadable'],
  ['no row', 'cid,payout\r\n', {}, 'csv_unreadable'],
  [
    'bytes that are invalid in the chosen encoding',
    new Uint8Array([0x63, 0xff, 0xfe]),
    { encoding: 'utf-8' },
    'csv_unreadable',
  ],
  ['an unclosed quotation mark', 'cid,name\r\n1,"open\r\n', {}, 'csv_unreadable'],
  [
    'too many rows',
    `cid\r\n${Array.from({ length: 10_001 }, (_, row) => row + 1).join('\r\n')}`,
    {},
    'csv_too_large',
  ],
  ['too many columns', `cid${',x'.repeat(300)}\r\n1\r\n`, {}, 'csv_too_large'],
  ['a giant cell', `cid,name\r\n1,${'x'.repeat(100_001)}\r\n`, {}, 'csv_too_large'],
])('a file with %s is refused, and the earlier file stays open', async (_case, content, as, code) => {
  const world = await bulkWorld({ campaigns: 12 });
  await expect(imported(world, content, as)).rejects.toMatchObject({ code });
  const before = await imported(world, await exported(world));
  const shown = await preview(world);
  await expect(imported(world, content, as)).rejects.toMatchObject({ code });
  expect(await world.core.handlers['bulk.file']({})).toMatchObject({ file: before });
  expect(await preview(world)).toEqual(shown);
});

test.each<[head: string, column: string]>([
  ['cid,Bid (payout),name,payout', 'Bid (payout)'],
  ['cid,payout,name,cid', 'Campaign id (cid)'],
  ['cid,countersign_version,name,countersign_version', 'Version (countersign_version)'],
  ['cid,ip_blocklist,name,ip_blocklist', 'Blocked IP addresses (ip_blocklist)'],
])('a file with the columns %s is refused because a column occurs twice', async (head, column) => {
  const world = await bulkWorld({ campaigns: 12 });
  await expect(imported(world, `${head}\r\n1,0.1,a,0.2\r\n`)).rejects.toMatchObject({
    code: 'csv_unreadable',
    message: `The column “${column}” is in the file more than once. No draft was changed.`,
  });
  expect(await imported(world, 'cid,Remarks,name,Remarks\r\n1,x,a,y\r\n')).toMatchObject({ rows: 1 });
});

test.each<[text: string, message: string]>([
  ['cid,payout\r\n"105,230",0.05\r\n', 'Line 2: There is no campaign id: “105,230”.'],
  ['cid,payout\r\n105230,0.05,1\r\n', 'Line 2: It has 3 cells; the first line has 2.'],
  ['sep=;\r\nCID;payout\r\n;0,05\r\n', 'Line 3: It has no campaign id. New campaigns cannot be made here.'],
])('a file without any usable row is refused with the reason of its first row: %j', async (text, message) => {
  const world = await bulkWorld({ campaigns: 12 });
  await expect(imported(world, text)).rejects.toMatchObject({
    code: 'csv_rows_unusable',
    message: `No row of the file can be used. ${message} No draft was changed.`,
  });
});

test('an export names the cells that a spreadsheet program would cut off', async () => {
  const world = await bulkWorld({ campaigns: 12 });
  const cid = cidIn(await exported(world, ['payout']), 2);
  const domains = Array.from({ length: 5_000 }, (_, index) => `site-${index}.example`);
  await changedMeanwhile(world, cid, { domain_blocklist: domains });
  const part = await world.core.handlers['bulk.exportPart']({
    fields: ['name', 'domain_blocklist'],
    offset: 0,
  });
  expect(part.tooLong).toEqual([{ cid, label: 'Blocked domains' }]);
});

test('a file above 20 MB is refused as soon as it exceeds the limit', async () => {
  const { handlers } = (await bulkWorld({ campaigns: 12 })).core;
  const { id } = await handlers['bulk.fileStart']({ name: 'large.csv' });
  const part = Buffer.alloc(512 * 1024, 'x').toString('base64');
  for (let sent = 0; sent < 40; sent += 1) await handlers['bulk.filePart']({ id, bytes: part });
  const oneMore = handlers['bulk.filePart']({ id, bytes: Buffer.from('x').toString('base64') });
  await expect(oneMore).rejects.toMatchObject({ code: 'csv_too_large' });
});

test.each(['', '\r\n', '\r\n\r\n', '\r\n,\r\n'])(
  'a file with the maximum number of rows is read if %j follows the last row',
  async (end) => {
    const chosen: number[] = [];
    const session: Pick<BulkSession, 'start'> = { start: (cids) => void chosen.push(...cids) };
    const { requests } = createBulkFiles({
      session: session as BulkSession,
      accountLists: () => ({}),
      newId: () => 'file',
      conceal: (text) => text,
      copiesOf: () => [],
    });
    await requests['bulk.fileStart']({ name: 'all.csv' });
    const lines = Array.from({ length: 10_000 }, (_, line) => `${line + 1},a`);
    const bytes = Buffer.from(`cid,name\r\n${lines.join('\r\n')}${end}`);
    await requests['bulk.filePart']({ id: 'file', bytes: bytes.toString('base64') });
    const form = { encoding: null, separator: null, decimals: null, dates: null, rounded: null, lost: null };
    await requests['bulk.fileRead']({ id: 'file', ...form });
    expect(chosen).toHaveLength(10_000);
  },
);

test.each<[string, WorkLimits]>([
  ['takes too long', { deadlineMs: 0, maxHeapMb: 512 }],
  ['exhausts the memory of its worker thread', { deadlineMs: 60_000, maxHeapMb: 8 }],
])('a file that %s is refused because it takes too long', async (_case, parseLimits) => {
  const session = { start: () => expect.unreachable() } as unknown as BulkSession;
  const { requests } = createBulkFiles({
    session,
    accountLists: () => ({}),
    newId: () => 'file',
    conceal: (text) => text,
    copiesOf: () => [],
    parseLimits,
  });
  await requests['bulk.fileStart']({ name: 'slow.csv' });
  const lines = Array.from({ length: 9_000 }, (_, line) => `${line + 1}${',"a,b"'.repeat(200)}`);
  const bytes = Buffer.from(`cid${',name'.repeat(200)}\r\n${lines.join('\r\n')}`);
  await requests['bulk.filePart']({ id: 'file', bytes: bytes.toString('base64') });
  const form = { encoding: null, separator: null, decimals: null, dates: null, rounded: null, lost: null };
  await expect(requests['bulk.fileRead']({ id: 'file', ...form })).rejects.toMatchObject({
    code: 'csv_too_slow',
  });
});
