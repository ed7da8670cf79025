import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sortColumns, statusNames } from '#shared/contract/index.ts';
import type { CampaignRow, ExactPagination } from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { CampaignListQuery, XmlRow } from '#core/store/backend/index.ts';
import type { ToolResult } from '#core/mcp-server/index.ts';
import { dataOf, openSurface, refusalOf } from './open-surface.ts';
import type { OpenSurface } from './open-surface.ts';

let open: OpenSurface;
beforeAll(async () => {
  open = await openSurface({ campaigns: 130 });
});
afterAll(() => open.dispose());

const pageOf = ({ structuredContent }: ToolResult) =>
  structuredContent?.['sourcePagination'] as ExactPagination | undefined;
const textOf = ({ content }: ToolResult) => content.map(({ text }) => String(text)).join('|');
const stored = (query: Partial<CampaignListQuery>): CampaignRow[] =>
  open.service.store.read
    .list({
      uid: open.accounts.buyer.uid,
      match: { kind: 'all' },
      status: null,
      types: [],
      sort: 'cid',
      order: 'desc',
      offset: 0,
      limit: 20,
      ...query,
    })
    .rows.map((row) => JSON.parse(row) as CampaignRow);

describe('svc_list_campaigns', () => {
  test('returns the newest twenty campaigns of the account without arguments', async () => {
    const result = await open.call('svc_list_campaigns');
    expect(dataOf(result)).toEqual(stored({}));
    expect(pageOf(result)).toEqual({
      complete: false,
      offset: 0,
      limit: 20,
      total: 130,
      totalExact: true,
      itemsExact: true,
      nextOffset: 20,
    });
  });

  test('accepts a status as a word or as its code', async () => {
    for (const [code, name] of Object.entries(statusNames)) {
      const byWord = await open.call('svc_list_campaigns', { status: name.toLowerCase(), limit: 200 });
      const byCode = await open.call('svc_list_campaigns', { status: code, limit: 200 });
      const rows: CampaignRow[] = dataOf(byWord);
      expect(byCode).toEqual(byWord);
      expect(rows.length).toBeGreaterThan(0);
      expect(new Set(rows.map(({ status_name: word }) => word))).toEqual(new Set([name]));
    }
  });

  test.each(sortColumns)('sorts by %s in both directions', async (orderBy) => {
    for (const order of ['asc', 'desc'] as const) {
      const result = await open.call('svc_list_campaigns', { orderBy, order, limit: 200 });
      expect(dataOf(result)).toEqual(stored({ sort: orderBy, order, limit: 200 }));
    }
  });

  test('returns everything when a client continues at nextOffset', async () => {
    for (const detailLevel of ['summary', 'full']) {
      const seen: number[] = [];
      let offset: number | null = 0;
      while (offset !== null) {
        const result = await open.call('svc_list_campaigns', {
          offset,
          limit: 40,
          detailLevel,
          order: 'asc',
        });
        seen.push(...(dataOf(result) as CampaignRow[]).map(({ cid }) => cid));
        const page = pageOf(result);
        expect(page?.complete).toBe(page?.nextOffset === null);
        offset = page?.nextOffset ?? null;
      }
      expect(seen).toEqual(stored({ order: 'asc', limit: 1_000 }).map(({ cid }) => cid));
    }
  });

  test('marks the last page as complete, whether it is full or not', async () => {
    for (const { offset, limit } of [
      { offset: 120, limit: 40 },
      { offset: 120, limit: 10 },
      { offset: 0, limit: 130 },
    ]) {
      const page = pageOf(await open.call('svc_list_campaigns', { offset, limit }));
      expect(page).toMatchObject({ complete: true, nextOffset: null });
    }
  });

  test('returns nothing beyond the end, with the right total', async () => {
    const result = await open.call('svc_list_campaigns', { offset: 500 });
    expect(dataOf(result)).toEqual([]);
    expect(pageOf(result)).toMatchObject({ complete: true, total: 130, nextOffset: null });
  });

  test('returns complete campaigns with detailLevel full', async () => {
    const { service, accounts } = open;
    const result = await open.call('svc_list_campaigns', { detailLevel: 'full', limit: 3 });
    const payloads = stored({ limit: 3 }).map(({ cid }) =>
      service.store.read.payload(accounts.buyer.uid, cid),
    );
    expect(JSON.stringify(dataOf(result))).toBe(`[${payloads.join(',')}]`);
  });

  test('ends a full list before the answer becomes too large, and states where to continue', async () => {
    const large = await openSurface({ campaigns: 5 });
    const { read, write, transaction } = large.service.store;
    const uid = large.accounts.buyer.uid;
    const rows: CampaignRow[] = dataOf(await large.call('svc_list_campaigns', {}));
    transaction(() => {
      for (const row of rows) {
        const payload = JSON.parse(read.payload(uid, row.cid) ?? '') as JsonObject;
        const filter = 'x'.repeat(200_000);
        write.replaceCampaign({ row, type: Number(payload['type']), payload: { ...payload, filter } });
      }
    });
    const pages = [];
    for (const offset of [0, 2, 4]) {
      const result = await large.call('svc_list_campaigns', { detailLevel: 'full', offset });
      pages.push([
        (dataOf(result) as JsonObject[]).length,
        pageOf(result)?.nextOffset,
        pageOf(result)?.complete,
      ]);
    }
    await large.dispose();
    expect(pages).toEqual([
      [2, 2, false],
      [2, 4, false],
      [1, null, true],
    ]);
  });
});

describe('svc_get_campaign', () => {
  test('returns the campaign as stored, with types and settings', async () => {
    const [first] = stored({ limit: 1 });
    const cid = first?.cid ?? 0;
    const { store, context } = open.service;
    const result = await open.call('svc_get_campaign', { cid });
    expect(dataOf(result)).toEqual({
      campaign: JSON.parse(store.read.payload(open.accounts.buyer.uid, cid) ?? ''),
      campaign_types: context.types,
      settings: context.settings,
    });
  });
});

test('lists show no campaign of another account', async () => {
  const { rows: neighbours } = open.service.store.read.list({
    uid: open.accounts.neighbour.uid,
    match: { kind: 'all' },
    status: null,
    types: [],
    sort: 'cid',
    order: 'desc',
    offset: 0,
    limit: 200,
  });
  const who = open.principal({ account: 'neighbour' });
  const listed: CampaignRow[] = dataOf(await open.call('svc_list_campaigns', { limit: 200 }, who));
  expect(listed).toHaveLength(neighbours.length);
  expect(new Set(listed.map(({ uid }) => uid))).toEqual(new Set([open.accounts.neighbour.uid]));
});

describe('svc_whoami', () => {
  test('returns account, modules, scopes, client, counts, campaigns by status and sources', async () => {
    const who = open.principal({ scopes: ['svc:read', 'offline_access'], clientId: 'client-7' });
    const data: JsonObject = dataOf(await open.call('svc_whoami', {}, who));
    const campaigns = stored({ limit: 1_000 });
    const counted = (name: string) => campaigns.filter(({ status_name: word }) => word === name).length;
    expect(data).toMatchObject({
      tenant: 'northwind',
      identity: { type: 'oauth', role: 'member', uid: 20_417, name: 'Marlow Media' },
      clientId: 'client-7',
      scopes: ['offline_access', 'svc:read'],
      modules: ['campaigns', 'uploads', 'xml', 'search', 'tasks'],
      campaigns: {
        total: 130,
        byStatus: {
          pending: counted('Pending'),
          active: counted('Active'),
          suspended: counted('Suspended'),
          paused: counted('Paused'),
          scheduled: counted('Scheduled'),
        },
      },
      sources: { tids: [7001], feeds: [301] },
    });
  });

  test('reveals nothing about modules that the account does not have', async () => {
    const neighbour: JsonObject = dataOf(
      await open.call('svc_whoami', {}, open.principal({ account: 'neighbour' })),
    );
    expect(neighbour).toMatchObject({ sources: { tids: [], feeds: [] }, campaigns: { total: 40 } });
    const publisher: JsonObject = dataOf(
      await open.call('svc_whoami', {}, open.principal({ account: 'publisher' })),
    );
    expect(publisher).toMatchObject({ campaigns: null, identity: { role: 'publisher' } });
  });
});

describe('a report', () => {
  test('states whether it is complete, and can be continued if it is not', async () => {
    const row: XmlRow = {
      group: '',
      grossRequests: 1,
      grossClicks: 1,
      grossValid: 1,
      grossInvalid: 0,
      grossRevenueMicros: 1n,
      netRequests: 1,
      netClicks: 1,
      netRevenueMicros: 1n,
    };
    const rows = ['a', 'b', 'c'].map((group) => ({ ...row, group }));
    const reporting = await openSurface({ campaigns: 1, reports: { xml: async () => rows } });
    const read = async (page: JsonObject) => {
      const range = { date_from: '2026-01-01', date_to: '2026-01-02' };
      const result = await reporting.call('svc_xml_stats', {
        tid: 7001,
        groupBy: 'subid',
        ...range,
        ...page,
      });
      const found: { subid: string }[] = dataOf(result);
      return [found.map(({ subid }) => subid).join(''), pageOf(result)] as const;
    };
    const whole = { offset: 0, total: 3, totalExact: true, itemsExact: true };
    expect(await read({})).toEqual(['abc', { ...whole, complete: true, limit: 1_000, nextOffset: null }]);
    expect(await read({ limit: 2 })).toEqual(['ab', { ...whole, complete: false, limit: 2, nextOffset: 2 }]);
    expect(await read({ offset: 2, limit: 2 })).toMatchObject(['c', { complete: true, nextOffset: null }]);
    await reporting.dispose();
  });

  test('without rows is complete', async () => {
    const range = { date_from: '2026-01-01', date_to: '2026-01-02' };
    expect(pageOf(await open.call('svc_xml_stats', { tid: 7001, ...range }))).toMatchObject({
      complete: true,
      total: 0,
    });
  });
});

describe('every tool answer', () => {
  const calls: [string, JsonObject][] = [
    ['svc_whoami', {}],
    ['svc_list_campaigns', {}],
    ['svc_list_campaigns', { detailLevel: 'full', limit: 3, status: 'active' }],
    ['svc_list_campaigns', { offset: 1_000 }],
    ['svc_get_campaign', { cid: 104_201 }],
    ['svc_get_campaign', { cid: 1 }],
    ['svc_get_campaign', {}],
    ['svc_xml_stats', { tid: 7001, date_from: '2026-01-01', date_to: '2026-01-02' }],
    ['svc_search_report', { date_from: '2026-01-01', date_to: '2026-01-02' }],
  ];
  test.each(calls)('has the same JSON as a structure and as text: %s %j', async (name, args) => {
    const result = await open.call(name, args);
    expect(result.content).toHaveLength(1);
    expect(textOf(result)).toBe(JSON.stringify(result.structuredContent));
  });
});

describe('an internal failure', () => {
  test('that is a bug is logged and answered without details', async () => {
    const logged: unknown[] = [];
    const logger = {
      info() {},
      warn() {},
      error: (facts: object) => void logged.push(facts),
      child: () => logger,
    };
    const broken = await openSurface({
      campaigns: 1,
      logger,
      reports: {
        xml: () => {
          throw new TypeError('a secret of the code');
        },
      },
    });
    const result = await broken.call('svc_xml_stats', {
      tid: 1,
      date_from: '2026-01-01',
      date_to: '2026-01-02',
    });
    await broken.dispose();
    expect(refusalOf(result)).toMatchObject({ code: 'internal', statusCode: 500 });
    expect(JSON.stringify(result)).not.toContain('secret');
    expect(logged).toHaveLength(1);
  });

  test('that is a missing database is answered with 503', async () => {
    const broken = await openSurface({ campaigns: 1 });
    const who = broken.principal();
    await broken.service.store.dispose();
    const result = await broken.call('svc_list_campaigns', {}, who);
    await broken.dispose();
    expect(refusalOf(result)).toMatchObject({ code: 'not_ready', statusCode: 503 });
  });
});
