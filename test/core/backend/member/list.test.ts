import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sortColumns, campaignListSchema } from '#shared/contract/index.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import { startBackend } from '../open-backend.ts';
import type { RunningBackend } from '../open-backend.ts';

let service: RunningBackend;
let rows: CampaignRow[];

beforeAll(async () => {
  service = await startBackend();
  rows = [];
  for (let page = 1; page <= 2; page += 1) {
    rows.push(...(await service.list(`?page=${page}&perPage=200&order=asc`)).data);
  }
});
afterAll(() => service.dispose());

const fold = (text: string) => text.normalize('NFC').toLowerCase();

describe('the campaign list', () => {
  test('contains every campaign of the member once, in the shape of the contract', async () => {
    expect(rows).toHaveLength(400);
    expect(new Set(rows.map(({ cid }) => cid)).size).toBe(400);
    expect(new Set(rows.map(({ uid }) => uid))).toEqual(new Set([service.credentials.uid]));
    expect(() =>
      campaignListSchema.parse({ data: rows, total: 400, currentPage: 1, totalPages: 1 }),
    ).not.toThrow();
  });

  test('starts at page 1 with 20 rows and the newest campaign first', async () => {
    const page = await service.list();
    expect(page).toMatchObject({ total: 400, currentPage: 1, totalPages: 20 });
    expect(page.data.map(({ cid }) => cid)).toEqual(
      rows
        .map(({ cid }) => cid)
        .reverse()
        .slice(0, 20),
    );
  });

  test.each([
    ['?page=20', 20, 20],
    ['?page=21', 0, 20],
    ['?page=9007199254740991&perPage=200', 0, 2],
    ['?page=3&perPage=150', 100, 3],
    ['?perPage=1', 1, 400],
  ])('%s returns %i rows of %i pages', async (query, count, totalPages) => {
    const page = await service.list(query);
    expect(page.data).toHaveLength(count);
    expect(page).toMatchObject({ total: 400, totalPages });
  });

  test.each(sortColumns)('is sorted by %s in both directions, ties by cid, page after page', async (sort) => {
    const keyOf = (row: CampaignRow) => {
      const value = sort === 'name' ? fold(row.name) : sort === 'geo' ? row.geo.join(',') : row[sort];
      return typeof value === 'string' ? Buffer.from(value) : value;
    };
    const compare = (a: CampaignRow, b: CampaignRow): number => {
      const [x, y] = [keyOf(a), keyOf(b)];
      const order = Buffer.isBuffer(x) && Buffer.isBuffer(y) ? Buffer.compare(x, y) : Number(x) - Number(y);
      return order === 0 ? a.cid - b.cid : order;
    };
    const expected = [...rows].sort(compare).map(({ cid }) => cid);
    for (const order of ['asc', 'desc']) {
      const found: number[] = [];
      for (let page = 1; page <= 3; page += 1) {
        const { data } = await service.list(`?sort=${sort}&order=${order}&perPage=150&page=${page}`);
        found.push(...data.map(({ cid }) => cid));
      }
      expect(found).toEqual(order === 'asc' ? expected : [...expected].reverse());
    }
  });

  const filters: [string, (row: CampaignRow) => boolean][] = [
    ['status=1', ({ status }) => status === 1],
    ['types=3', ({ type_name }) => type_name === 'Push'],
    ['types=3&types=7&types=3', ({ type_name }) => ['Push', 'Contextual'].includes(type_name)],
    ['types=999', () => false],
    ['query=kestrel', ({ name }) => fold(name).includes('kestrel')],
    ['query=KESTREL%20vpn', ({ name }) => fold(name).includes('kestrel vpn')],
    ['query=%22', ({ name }) => name.includes('"')],
    ['query=rook%20%26%20raven', ({ name }) => fold(name).includes('rook & raven')],
    [
      'query=kestrel&status=3&types=3&types=5',
      (row) =>
        fold(row.name).includes('kestrel') &&
        row.status === 3 &&
        ['Push', 'In-Page Push'].includes(row.type_name),
    ],
    ['query=', () => true],
    ['nonsense=1&page=1', () => true],
  ];
  test.each(filters)('contains the campaigns that match %s, with the right total', async (query, matches) => {
    const expected = rows.filter(matches).map(({ cid }) => cid);
    const page = await service.list(`?${query}&perPage=200&order=asc`);
    expect(page.total).toBe(expected.length);
    expect(page.data.map(({ cid }) => cid)).toEqual(expected.slice(0, 200));
  });

  test('forgets a cached search after a write', async () => {
    const before = await service.list('?query=kestrel&status=3');
    const [first] = before.data;
    await service.setStatus({ ids: [first?.cid], status: 2 });
    expect((await service.list('?query=kestrel&status=3')).total).toBe(before.total - 1);
    await service.setStatus({ ids: [first?.cid], status: 3 });
    expect(await service.list('?query=kestrel&status=3')).toEqual(before);
  });

  test('treats a numeric query as an exact campaign id', async () => {
    const wanted = rows[7]?.cid ?? 0;
    expect((await service.list(`?query=${wanted}`)).data).toEqual([rows[7]]);
    expect((await service.list(`?query=${wanted}&status=${((rows[7]?.status ?? 0) + 1) % 5}`)).total).toBe(0);
    expect((await service.list(`?query=${String(wanted).slice(0, 3)}`)).total).toBe(0);
    expect((await service.list('?query=99999999999999999999')).total).toBe(0);
  });

  test('does not find a foreign campaign by its id or its name', async () => {
    const token = service.credentials.accounts.neighbour.memberToken;
    const [foreign] = (await service.list('', token)).data;
    expect((await service.list(`?query=${foreign?.cid}`)).total).toBe(0);
    const mine = await service.list('?query=push&perPage=200');
    expect(mine.data.every(({ uid }) => uid === service.credentials.uid)).toBe(true);
  });

  const wrong: [string, string[]][] = [
    ['page=0', ['page']],
    ['page=-1', ['page']],
    ['page=1.0', ['page']],
    ['page=01', ['page']],
    ['page=%2B1', ['page']],
    ['page=1e2', ['page']],
    ['page=', ['page']],
    ['page=9007199254740993', ['page']],
    ['page=1&page=1', ['page']],
    ['perPage=0', ['perPage']],
    ['perPage=201', ['perPage']],
    ['perPage=twenty', ['perPage']],
    ['sort=payload', ['sort']],
    ['sort=cid%20desc;--', ['sort']],
    ['sort=__proto__', ['sort']],
    ['order=ASC', ['order']],
    ['order=asc&order=desc', ['order']],
    ['status=5', ['status']],
    ['status=-0', ['status']],
    ['status=1&status=2', ['status']],
    ['types=3,5', ['types']],
    ['types=3&types=x', ['types']],
    ['query=a&query=b', ['query']],
    [
      'page=x&perPage=500&sort=y&order=z&status=9&types=-',
      ['page', 'perPage', 'sort', 'order', 'status', 'types'],
    ],
  ];
  test.each(wrong)('refuses %s and names the wrong parameters', async (query, fields) => {
    const answer = await service.send('GET', `/login/campaigns/campaigns?${query}`);
    expect(answer.status).toBe(422);
    expect(answer.body.errors?.map(({ field }) => field)).toEqual(fields);
  });
});
