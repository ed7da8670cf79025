import { expect, test } from 'vitest';
import type { AppInput, AppOutput } from '#shared/app-api/index.ts';
import type { World } from '#test/core/proposals/world.ts';
import { bulkWorld } from './bulk-world.ts';

const fields = ['name', 'status', 'payout', 'd_revenue', 'expire', 'geo', 'shedule', 'clickurl'];

/** The file that the page saves, put together from its parts. */
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

/** Hands a file over in parts and waits until its campaigns were read. */
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
  await handlers['bulk.fileRead']({ id, encoding: null, separator: null, decimals: null, ...as });
  await expect.poll(async () => (await handlers['bulk.state']({})).isReading).toBe(false);
  const read = await handlers['bulk.file']({});
  if (read === null) throw new Error('The file was not read');
  return read.file;
}

const preview = (world: World): Promise<AppOutput<'bulk.preview'>> =>
  world.core.handlers['bulk.preview']({ edit: { kind: 'file' }, show: 'all', offset: 0, limit: 200 });

/** The file with the cell of a column of one line replaced. */
function edited(text: string, line: number, change: (cells: string[]) => string[]): string {
  const lines = text.split('\r\n');
  // The columns that tests edit hold no quotation marks.
  lines[line - 1] = change((lines[line - 1] ?? '').split(',')).join(',');
  return lines.join('\r\n');
}

const simple = ['payout', 'd_revenue', 'expire'];

test('an unchanged file yields no draft', async () => {
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
  expect((await preview(world)).counts).toEqual({ change: 0, same: 40, problem: 0 });
});

test('a text that a spreadsheet would take for a formula goes out with an apostrophe and comes back without', async () => {
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

test('edited cells become drafts in one step; unknown campaigns, columns and conflicts are named by their lines', async () => {
  const world = await bulkWorld({ campaigns: 12 });
  const text = await exported(world, simple);
  const [, second = '', third = ''] = text.split('\r\n').slice(0, 3);
  const [cid, otherCid] = [second, third].map((line) => Number(line.split(',')[0]));
  const { edit } = await world.other.get(otherCid!);
  await world.other.update(otherCid!, JSON.stringify({ ...edit.campaign, name: 'Changed meanwhile' }));
  await world.core.handlers['campaigns.loadFull']({ cids: [otherCid!], again: true });
  await expect.poll(async () => (await world.core.handlers['campaigns.fullState']({})).isRunning).toBe(false);

  let file = edited(text, 2, ([id = '', , ...rest]) => [id, '0.0777', ...rest]);
  file = edited(file, 3, ([id = '', , ...rest]) => [id, '0.0888', ...rest]);
  file = edited(file, 4, ([, ...rest]) => ['99999999', ...rest]);
  file = edited(file, 5, ([id = '', , ...rest]) => [id, 'cheap', ...rest]);
  file = edited(file, 1, (cells) => [...cells, 'Remarks']);
  const view = await imported(world, file);
  expect(view.unknownColumns).toEqual(['Remarks']);
  expect(view.faults).toMatchObject([{ line: 4 }]);
  const { rows, counts, title } = await preview(world);
  expect(title).toBe('Import 1 campaign from a file');
  expect(counts).toMatchObject({ change: 1, problem: 2 });
  expect(rows.flatMap(({ problems }) => problems)).toEqual([
    expect.stringMatching(/^Line 3: Conflict/u),
    expect.stringMatching(/^Line 5: Bid is no number: cheap/u),
  ]);
  await world.core.handlers['bulk.addToDrafts']({ edit: { kind: 'file' } });
  const { campaigns, history } = await world.core.handlers['drafts.get']({ cids: null });
  expect(campaigns).toMatchObject([
    { cid, fields: { payout: { operations: [{ kind: 'set', value: 0.0777 }] } } },
  ]);
  expect(history.undo).toBe(title);
  expect(world.puts()).toBe(1);
});

test('encodings, separators and the mark of decimals are detected, and can be chosen', async () => {
  const world = await bulkWorld({ campaigns: 12 });
  const text = (await exported(world, simple)).replace('\uFEFF', '');
  const german = text.replaceAll(',', ';').replaceAll('.', ',');
  const utf16 = new Uint8Array([0xff, 0xfe, ...Buffer.from(german, 'utf16le')]);
  const file = await imported(world, utf16);
  expect(file).toMatchObject({ encoding: 'utf-16le', separator: ';', decimals: 'comma', rows: 12 });
  expect((await preview(world)).counts).toEqual({ change: 0, same: 12, problem: 0 });
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
    'bytes that are not the chosen encoding',
    new Uint8Array([0x63, 0xff, 0xfe]),
    { encoding: 'utf-8' },
    'csv_unreadable',
  ],
  ['an open quotation mark', 'cid,name\r\n1,"open\r\n', {}, 'csv_unreadable'],
  [
    'too many rows',
    `cid\r\n${Array.from({ length: 10_001 }, (_, row) => row + 1).join('\r\n')}`,
    {},
    'csv_too_large',
  ],
  ['too many columns', `cid${',x'.repeat(300)}\r\n1\r\n`, {}, 'csv_too_large'],
  ['a giant cell', `cid,name\r\n1,${'x'.repeat(100_001)}\r\n`, {}, 'csv_too_large'],
])('a file with %s is refused', async (_case, content, as, code) => {
  const world = await bulkWorld({ campaigns: 12 });
  await expect(imported(world, content, as)).rejects.toMatchObject({ code });
});
