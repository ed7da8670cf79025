import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  searchReportRowSchema,
  xmlDayRowSchema,
  xmlGeoRowSchema,
  xmlSubidRowSchema,
} from '#shared/contract/index.ts';
import { createReports } from '#core/backend/publisher/reports.ts';
import { hashOfKey } from '#core/backend/authentication.ts';
import { systemClock } from '#core/platform/clock.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { openBackendStore, type SearchRow } from '#core/store/backend/index.ts';
import { besideIt, startPublisher, type RunningPublisher } from './open-publisher.ts';

let publisher: RunningPublisher;
beforeAll(async () => {
  publisher = await startPublisher();
});
afterAll(() => publisher.dispose());

const sums = [
  'gross_requests',
  'gross_clicks',
  'gross_valid',
  'gross_invalid',
  'gross_revenue',
  'net_requests',
  'net_clicks',
  'net_revenue',
] as const;

describe('the XML statistics', () => {
  const rowsBy = async (groupBy: string | null): Promise<Record<string, string | number>[]> => {
    const { status, body } = await publisher.report('xml', { groupBy });
    expect(status).toBe(200);
    return body.data ?? [];
  };

  test('have one row for each day of the range, including both ends, in order, with the label of the report', async () => {
    const { body, headers, text } = await publisher.report('xml');
    expect(body).toMatchObject({ status: 'success', message: 'XML statistics by day' });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    const rows = z.array(xmlDayRowSchema).parse(body.data);
    expect(rows.map(({ date }) => date)).toEqual([1, 2, 3, 4, 5, 6, 7].map((day) => `2026-03-0${day}`));
    expect(text).toBe((await publisher.report('xml', { groupBy: 'day' })).text);
  });

  test.each([
    ['day', 'date', xmlDayRowSchema],
    ['geo', 'geo', xmlGeoRowSchema],
    ['subid', 'subid', xmlSubidRowSchema],
  ] as const)(
    'by %s have exactly the fields of the contract, in the order of their group',
    async (groupBy, name, schema) => {
      const rows = await rowsBy(groupBy);
      expect(z.array(schema).parse(rows)).toEqual(rows);
      for (const row of rows) expect(Object.keys(row)).toEqual([name, ...sums]);
      const groups = rows.map((row) => String(row[name]));
      expect(groups).toEqual(groups.toSorted());
      expect(new Set(groups).size).toBe(groups.length);
    },
  );

  test('have the same sums in every grouping, and count every click once', async () => {
    const totals = (rows: Record<string, string | number>[]) =>
      sums.map((name) => rows.reduce((sum, row) => sum + Math.round(Number(row[name]) * 1e6), 0));
    const byDay = await rowsBy('day');
    expect(totals(await rowsBy('geo'))).toEqual(totals(byDay));
    expect(totals(await rowsBy('subid'))).toEqual(totals(byDay));
    for (const row of byDay) {
      expect(Number(row['gross_valid']) + Number(row['gross_invalid'])).toBe(row['gross_clicks']);
      expect(Number(row['net_clicks'])).toBeLessThanOrEqual(Number(row['gross_valid']));
      expect(Number(row['net_requests'])).toBeLessThanOrEqual(Number(row['gross_requests']));
      expect(Number(row['net_revenue'])).toBeLessThanOrEqual(Number(row['gross_revenue']));
    }
  });

  test('of a range without traffic are an empty array', async () => {
    for (const groupBy of ['day', 'geo', 'subid']) {
      const range = { date_from: '2019-01-01', date_to: '2019-12-31', groupBy };
      const { status, text } = await publisher.report('xml', range);
      expect([status, JSON.parse(text)]).toEqual([
        200,
        { status: 'success', message: `XML statistics by ${groupBy}`, data: [] },
      ]);
    }
  });
});

describe('the Search report', () => {
  const rowsOf = async (parameters: Record<string, string | number> = {}) => {
    const { status, body } = await publisher.report('search', parameters);
    expect([status, body.message]).toEqual([200, 'Search report']);
    return z.array(searchReportRowSchema).parse(body.data);
  };

  test('has the rows of every feed in the order date, feed, country, subid, with numbers as decimal texts', async () => {
    const rows = await rowsOf();
    const keys = rows.map(({ date, feed, geo, subid }) => JSON.stringify([date, feed, geo, subid]));
    expect(new Set(keys).size).toBe(keys.length);
    const inOrder = rows.toSorted((a, b) =>
      compare([a.date, a.feed, a.geo, a.subid], [b.date, b.feed, b.geo, b.subid]),
    );
    expect(rows).toEqual(inOrder);
    expect(new Set(rows.map(({ feed }) => feed))).toEqual(new Set(publisher.feeds));
    expect(new Set(rows.map(({ date }) => date)).size).toBe(7);
    expect(Object.keys(rows[0] ?? {})).toEqual(Object.keys(searchReportRowSchema.shape));
    for (const { monetized, clicks, total, revenue, epc, rpm } of rows) {
      expect(Number(monetized)).toBeLessThanOrEqual(Number(total));
      expect(Number(clicks)).toBeLessThanOrEqual(Number(monetized));
      for (const decimal of [revenue, epc, rpm]) expect(decimal).toMatch(/^\d+\.\d{6}$/);
    }
  });

  test('of one feed has the same rows as the report of all feeds', async () => {
    const all = await rowsOf();
    const sid = publisher.feeds[2] ?? 0;
    expect(await rowsOf({ sid })).toEqual(all.filter(({ feed }) => feed === sid));
  });

  test('has the same rows page by page, wherever the pages end', async () => {
    const { file, credentials } = publisher.service;
    const store = openBackendStore({ file, clock: systemClock, logger: silentLogger });
    const reports = createReports({ store }, { ready: async () => {} });
    const query = {
      uid: credentials.accounts.publisher.uid,
      sid: null,
      from: '2026-03-01',
      to: '2026-03-07',
    };
    const { total, batches } = await reports.searchAll(query);
    const all: SearchRow[] = [];
    for await (const batch of batches) all.push(...batch);
    expect(all).toHaveLength(total);
    for (const limit of [1, 7, 40, 200, total, total + 1]) {
      for (const offset of [0, 1, 38, 39, 40, 777, total - 1, total, total + 9]) {
        const page = await reports.search({ ...query, offset, limit });
        expect(page).toEqual({ rows: all.slice(offset, offset + limit), total });
      }
    }
    await store.dispose();
  });

  test('of a range without searches is an empty array', async () => {
    expect(await rowsOf({ date_from: '2019-01-01', date_to: '2019-12-31' })).toEqual([]);
  });

  test('divides exactly: earnings per click, per thousand searches, and zero by zero', async () => {
    const feed = 990_001;
    const { uid } = publisher.service.credentials.accounts.publisher;
    const traffic = { monetized: 3, total: 3, clicks: 3, revenueMicros: 0n };
    const cases = [
      { geo: 'A0', ...traffic, clicks: 0, total: 0, monetized: 0 },
      { geo: 'A1', ...traffic, clicks: 3, total: 7, revenueMicros: 2_000_000n },
      { geo: 'A2', ...traffic, clicks: 2, total: 2_000, revenueMicros: 1n },
      { geo: 'A3', ...traffic, clicks: 0, total: 5, revenueMicros: 10n },
      { geo: 'A4', ...traffic, clicks: 7, total: 9, revenueMicros: 9_007_199_254_740_993n },
    ];
    const key = `pk_${'d'.repeat(43)}`;
    await besideIt(publisher.service, (store) => {
      store.statistics.write.addSources(uid, { tids: [], feeds: [feed] });
      store.statistics.write.addSearchDay(
        feed,
        '2020-02-29',
        cases.map((row) => ({ subid: '', ...row })),
      );
      store.publisherKeys.add(hashOfKey(key), {
        uid,
        scopes: ['publisher:search:read'],
        tids: null,
        feeds: null,
        isDemo: false,
      });
    });
    const range = { date_from: '2020-02-29', date_to: '2020-02-29', token: key };
    const rows = await rowsOf({ ...range, sid: feed });
    expect(rows.map(({ revenue, epc, rpm }) => [revenue, epc, rpm])).toEqual([
      ['0.000000', '0.000000', '0.000000'],
      ['2.000000', '0.666667', '285.714286'],
      // Half a micro is rounded away from zero.
      ['0.000001', '0.000001', '0.000001'],
      ['0.000010', '0.000000', '0.002000'],
      ['9007199254.740993', '1286742750.677285', '1000799917193.443667'],
    ]);
  });
});

function compare(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  for (const [at, left] of a.entries()) {
    const right = b[at] ?? '';
    if (typeof left === 'number') {
      if (left !== right) return left - Number(right);
    } else if (left !== right) return Buffer.compare(Buffer.from(left), Buffer.from(String(right)));
  }
  return 0;
}
