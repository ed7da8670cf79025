import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReportWorker } from '#core/reports/index.ts';
import { createDaySumsReader } from '#core/reports/load/day-sums.ts';
import type { AppOutput } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { addDays, datesIn } from '#shared/reports/index.ts';
import { failureOf } from '#test/core/service-client/failure-of.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import {
  countries,
  createReportWorld,
  query,
  refuse,
  rowOf,
  startWorker,
  sumOf,
  today,
  type AskedOfService,
} from './publisher-service.ts';

let worker: ReportWorker;
beforeAll(() => {
  worker = startWorker();
});
afterAll(() => worker.dispose());

type Page = AppOutput<'reports.page'>;

const spans = (asked: readonly AskedOfService[]): string[] =>
  asked.map(({ groupBy, from, to }) => `${groupBy || 'search'} ${from} ${to}`).toSorted();

function total(page: Page, column: string): number | null {
  const text = page.totals[page.columns.findIndex(({ id }) => id === column)];
  return text === undefined || text === null ? null : Number(text);
}

const last7 = datesIn({ from: addDays(today, -7), to: addDays(today, -1) });
const expected = sumOf(last7.flatMap((date) => countries.map((geo) => rowOf(date, geo))));

describe('reading a report', () => {
  test('a page is answered immediately without data, and is complete when its requests were answered', async () => {
    const { page, readPage, service, changes } = await createReportWorld({ worker });
    const first = await page({}, { read: 'missing' });
    expect(first).toMatchObject({ rowCount: 0, state: { state: 'reading', allRequests: 1, partial: true } });
    const read = await readPage();
    expect(read.rowCount).toBe(7);
    expect([total(read, 'gross_requests'), total(read, 'gross_revenue')]).toEqual([
      expected.gross_requests,
      expected.gross_revenue,
    ]);
    expect(read.state).toMatchObject({ state: 'idle', partial: false, failure: null, doneRequests: 1 });
    expect(read.state.receivedBytes).toBeGreaterThan(500);
    expect(spans(service.asked)).toEqual([`day ${last7[0]} ${last7[6]}`]);
    expect(changes()).toBeGreaterThan(0);
  });

  test('by country, rows and totals cover the range and the lines show its days', async () => {
    const { readPage, service } = await createReportWorld({ worker });
    const read = await readPage({ levels: ['geo'], sort: { column: 'gross_requests', descending: true } });
    expect(read.rows.map(({ path }) => path)).toEqual([['DE'], ['BR']]);
    expect(total(read, 'net_revenue')).toBe(expected.net_revenue);
    expect(read.days).toHaveLength(7);
    expect(spans(service.asked)).toEqual([`day ${last7[0]} ${last7[6]}`, `geo ${last7[0]} ${last7[6]}`]);
  });

  test.each([
    ['a country', 'geo', { only: [{ dimension: 'geo', value: 'BR' }] }],
    ['a sub-id', 'subid', { only: [{ dimension: 'subid', value: 'DE' }] }],
    ['all but one that is not reported', 'geo', { excluded: [[{ dimension: 'geo', value: null }]] }],
  ])('filtered to %s, the lines still show the days of the whole source', async (_name, level, narrowed) => {
    const { readPage } = await createReportWorld({ worker });
    const read = await readPage({ levels: [level], comparison: 'previous', ...narrowed });
    const at = read.columns.findIndex(({ id }) => id === 'gross_requests');
    const ofDay = (date: string): [string, string] => [
      date,
      `${sumOf(countries.map((geo) => rowOf(date, geo))).gross_requests}`,
    ];
    expect(read.days.map(({ date, values }) => [date, values[at]])).toEqual(last7.map(ofDay));
    expect(read.comparedDays.map(({ values }) => values[at])).toEqual(
      last7.map((date) => ofDay(addDays(date, -7))[1]),
    );
  });

  test('only missing days are read, in requests of at most 31 days, three at once', async () => {
    const { readPage, service } = await createReportWorld({ worker });
    const search = { source: { kind: 'search', sid: null } } as const;
    await readPage({ ...search, range: { from: '2026-10-01', to: '2026-10-05' } });
    const held: (() => void)[] = [];
    service.script = async () => {
      await new Promise<void>((resolve) => void held.push(resolve));
      return false;
    };
    service.asked = [];
    const reading = readPage({ ...search, range: { from: '2026-07-01', to: '2026-11-21' } });
    for (const [answered, asked] of [3, 4, 5].entries()) {
      await expect.poll(() => held.length).toBe(asked);
      held[answered]?.();
    }
    held.slice(3).forEach((answer) => answer());
    await reading;
    expect(spans(service.asked)).toEqual([
      'search 2026-07-01 2026-07-30',
      'search 2026-07-31 2026-08-30',
      'search 2026-08-31 2026-09-30',
      'search 2026-10-06 2026-10-21',
      'search 2026-10-22 2026-11-21',
    ]);
    expect(service.asked.every(({ key }) => key === 'pk_of-profile-one')).toBe(true);
  });

  test('the version of a page changes only when a reading or the end of a day changes its figures', async () => {
    const { page, readPage, clock } = await createReportWorld({ worker });
    const range = { from: addDays(today, -9), to: today };
    const first = await readPage({ range });
    await readPage({ range: { preset: 'last-month' } });
    expect((await page({ range }, { offset: 3 })).version).toBe(first.version);

    clock.advance(16 * 60_000);
    const refreshed = await readPage({ range });
    expect(refreshed.state.readAtMs).toBe(first.state.readAtMs);
    expect(refreshed.rowCount).toBe(first.rowCount);
    expect(refreshed.version).not.toBe(first.version);

    clock.advance(12 * 60 * 60_000);
    expect((await page({ range })).version).not.toBe(refreshed.version);
  });

  test('compared days are read as well, and rows contain both values', async () => {
    const { readPage } = await createReportWorld({ worker });
    const read = await readPage({ comparison: 'previous', range: { from: '2026-11-20', to: '2026-11-21' } });
    const at = read.columns.findIndex(({ id }) => id === 'gross_requests');
    expect(read.compared).toEqual({ from: '2026-11-18', to: '2026-11-19' });
    expect(read.rows.map(({ values, compared }) => [values[at], compared?.[at]])).toEqual([
      ['20000', '18000'],
      ['21000', '19000'],
    ]);
    expect(read.comparedTotals?.[at]).toBe('37000');
  });

  test('the last three days are read again after 15 minutes, other days after a day, and all days on request', async () => {
    const { page, readPage, service, clock } = await createReportWorld({ worker });
    await readPage();
    service.asked = [];
    clock.advance(14 * 60_000);
    await readPage();
    expect(service.asked).toEqual([]);
    clock.advance(2 * 60_000);
    const stale = await page({}, { read: 'missing' });
    expect(stale).toMatchObject({ rowCount: 7, state: { state: 'reading', partial: false } });
    await readPage();
    expect(spans(service.asked)).toEqual(['day 2026-11-20 2026-11-21']);
    service.asked = [];
    await page({}, { read: 'all' });
    await readPage();
    expect(spans(service.asked)).toEqual([`day ${last7[0]} ${last7[6]}`]);
  });

  test('a second request for the same days joins the reading, and another source ends it', async () => {
    const { page, readPage, service, reports } = await createReportWorld({ worker });
    const held = Promise.withResolvers<boolean>();
    service.script = () => held.promise;
    await page({}, { read: 'missing' });
    await page({ sort: { column: 'net_revenue', descending: true } }, { read: 'missing', offset: 3 });
    await expect.poll(() => service.asked.length).toBe(1);
    const other = { source: { kind: 'xml', tid: 7302 } } as const;
    const shown = await page(other, { read: 'missing' });
    expect(shown.state).toMatchObject({ state: 'reading', allRequests: 1 });
    await expect.poll(() => service.asked.map(({ source }) => source)).toEqual(['7301', '7302']);
    held.resolve(false);
    expect((await readPage(other)).rowCount).toBe(7);
    expect(await reports.sources()).toEqual({ tids: [7302], sids: [], publisherKey: true });
  });

  test('a 404 means that there are no rows, and is not repeated', async () => {
    const { readPage, service } = await createReportWorld({ worker });
    service.script = (_asked, response) => refuse(response, 404);
    const empty = await readPage();
    expect(empty).toMatchObject({ rowCount: 0, state: { state: 'idle', partial: false, failure: null } });
    await readPage();
    expect(service.asked).toHaveLength(1);
  });
});

describe('a reading that ends early', () => {
  test.each([
    [401, {}, 'publisher_key_invalid', []],
    [403, { code: 'source_forbidden' }, 'source_forbidden', []],
    [403, { code: 'publisher_scope_missing' }, 'publisher_scope_missing', []],
    [
      422,
      { errors: [{ field: 'date_from', code: 'x', message: 'Too early' }] },
      'validation_failed',
      ['date_from'],
    ],
    [500, {}, 'service_failed', []],
  ] as const)('with the refusal %i has a code, a remedy and fields', async (status, body, code, fields) => {
    const { readPage, service } = await createReportWorld({ worker });
    service.script = (_asked, response) => refuse(response, status, body);
    const { state } = await readPage();
    expect(state).toMatchObject({ state: 'failed', partial: true, failure: { code } });
    expect(state.failure?.fields.map(({ field }) => field)).toEqual(fields);
    expect(state.failure?.next).not.toBe('');
    expect(JSON.stringify(state)).not.toContain('pk_of');
  });

  test.each([
    ['demo', true, 'disk_full'],
    ['demo', false, 'service_unavailable'],
    ['live', true, 'service_unavailable'],
  ] as const)(
    'because a %s service is not ready, with a full local disk (%s), is reported as %s',
    async (kind, isFull, code) => {
      const whyNoRoom = (): AppError | null => (isFull ? new AppError('disk_full') : null);
      const { readPage, service } = await createReportWorld({ worker, kind, whyNoRoom });
      service.script = (_asked, response) => refuse(response, 503);
      const { state } = await readPage();
      expect(state).toMatchObject({ state: 'failed', failure: { code } });
    },
  );

  test('keeps what it read, and the next request reads the rest', async () => {
    const { readPage, service } = await createReportWorld({ worker });
    const range = { from: '2026-09-01', to: '2026-11-21' };
    service.script = ({ from }, response) => {
      if (from !== '2026-09-21') return false;
      response.writeHead(200, { 'content-length': '5000' });
      response.write('{"status":"success","message":"x","data":[{"date":"2026-09-21"', () =>
        response.destroy(),
      );
      return true;
    };
    const cut = await readPage({ range });
    expect(cut.state).toMatchObject({
      state: 'failed',
      partial: true,
      failure: { code: 'service_unreachable' },
    });
    expect(cut.rowCount).toBe(82 - 31);
    service.script = null;
    service.asked = [];
    const whole = await readPage({ range });
    expect(whole).toMatchObject({ rowCount: 82, state: { state: 'idle', partial: false, failure: null } });
    expect(spans(service.asked)).toEqual(['day 2026-09-21 2026-10-21']);
  });

  test('because it was cancelled ends its requests and keeps earlier days', async () => {
    const { page, readPage, service, reports } = await createReportWorld({ worker });
    await readPage({ range: { from: '2026-11-20', to: '2026-11-21' } });
    let closed = 0;
    service.script = (_asked, response) => {
      response.on('close', () => (closed += 1));
      response.write('{"status":"success",');
      return true;
    };
    await page({}, { read: 'missing' });
    await expect.poll(async () => (await page()).state.receivedBytes).toBeGreaterThan(0);
    reports.cancel({ reading: 'page' });
    await expect.poll(async () => (await page()).state.state).toBe('cancelled');
    await expect.poll(() => closed).toBe(1);
    const shown = await page();
    expect(shown).toMatchObject({ rowCount: 2, state: { partial: true, failure: null } });
  });

  test('with an unreadable answer stores nothing of that answer', async () => {
    const { readPage, service } = await createReportWorld({ worker });
    service.script = (_asked, response) => {
      response.end(
        '{"status":"success","message":"","data":[{"date":"2026-11-20","gross_requests":"many"}]}',
      );
      return true;
    };
    expect(await readPage()).toMatchObject({
      rowCount: 0,
      state: { state: 'failed', failure: { code: 'service_answer_unreadable' } },
    });
  });
});

describe('the cache of reports', () => {
  test('is shown with its age after a restart during an outage of the service', async () => {
    const file = join(tempFolder(), 'reports.sqlite');
    const first = await createReportWorld({ file });
    await first.readPage();
    const readAtMs = first.clock.nowMs();
    await first.dispose();
    await first.service.stop();
    first.clock.advance(60 * 60_000);
    const second = await createReportWorld({ file, service: first.service, clock: first.clock });
    const shown = await second.readPage();
    expect(shown).toMatchObject({
      rowCount: 7,
      state: { state: 'failed', failure: { code: 'service_unreachable' }, readAtMs, partial: false },
    });
    expect(total(shown, 'gross_requests')).toBe(expected.gross_requests);
  });

  test('shows no rows of another key or profile', async () => {
    const { page, readPage, active } = await createReportWorld({ worker });
    const { id } = active;
    await readPage();
    active.key = 'pk_of-another-publisher';
    expect((await page()).rowCount).toBe(0);
    expect(await page().then(({ state }) => state)).toMatchObject({ readAtMs: null, partial: true });
    active.key = 'pk_of-profile-one';
    active.id = 'p2';
    expect((await page()).rowCount).toBe(0);
    active.id = id;
    expect((await page()).rowCount).toBe(7);
  });

  test('gives no answer for a profile that is no longer active', async () => {
    const { page, readPage, active } = await createReportWorld({ worker });
    await readPage();
    const asked = page();
    active.id = 'p2';
    expect((await failureOf(asked)).code).toBe('profile_changed');
    const keyed = page();
    active.key = 'pk_replaced-meanwhile';
    expect((await failureOf(keyed)).code).toBe('profile_changed');
  });

  test('does not store a reading whose key was replaced meanwhile', async () => {
    const { page, readPage, service, active } = await createReportWorld({ worker });
    const held = Promise.withResolvers<boolean>();
    service.script = () => held.promise;
    await page({}, { read: 'missing' });
    await expect.poll(() => service.asked.length).toBe(1);
    worker.forget(active.id);
    held.resolve(false);
    await expect.poll(async () => (await page()).state.state).toBe('failed');
    expect(await page()).toMatchObject({ rowCount: 0, state: { failure: { code: 'profile_changed' } } });
    service.script = null;
    expect((await readPage()).rowCount).toBe(7);
  });

  test('reports a missing key', async () => {
    const { page, active, reports } = await createReportWorld({ worker });
    active.key = null;
    expect((await failureOf(page())).code).toBe('credential_missing');
    expect(await reports.sources()).toEqual({ tids: [], sids: [], publisherKey: false });
  });
});

describe('a drill-down of a report', () => {
  const drill = { of: { dimension: 'geo', value: 'BR' }, by: 'date' };

  test('of a country reads each of its days and shows its progress', async () => {
    const { reports, service } = await createReportWorld({ worker });
    const ask = (read: boolean) => reports.drill({ query: query({ levels: ['geo'] }), drill, read });
    expect((await ask(true)).state).toMatchObject({ state: 'reading', allRequests: 7, partial: true });
    await expect.poll(async () => (await ask(false)).state.state).toBe('idle');
    const { rows, columns, state } = await ask(false);
    const at = columns.findIndex(({ id }) => id === 'gross_clicks');
    expect(rows.map(({ value, values }) => [value, Number(values[at])])).toEqual(
      last7.map((date) => [date, rowOf(date, 'BR').gross_clicks]),
    );
    expect(state).toMatchObject({ partial: false, doneRequests: 7 });
    expect(service.asked).toHaveLength(7);
    await ask(true);
    expect(service.asked).toHaveLength(7);
  });

  test('of more than 92 days covers the newest 92 and says so', async () => {
    const { reports } = await createReportWorld({ worker });
    const long = query({ levels: ['geo'], range: { from: '2026-08-01', to: '2026-11-21' } });
    const ask = (read: boolean) => reports.drill({ query: long, drill, read });
    await ask(true);
    await expect.poll(async () => (await ask(false)).state.state).toBe('idle');
    const { rows, newestDays, state } = await ask(false);
    expect([rows.length, rows[0]?.value, newestDays, state.partial]).toEqual([92, '2026-08-22', 92, false]);
  });

  test('and its report can be cancelled separately', async () => {
    const { reports, service, page } = await createReportWorld({ worker });
    const held: (() => void)[] = [];
    service.script = () => new Promise((resolve) => held.push(() => resolve(false)));
    const ask = () => reports.drill({ query: query({ levels: ['geo'] }), drill, read: false });
    await page({}, { read: 'missing' });
    await reports.drill({ query: query({ levels: ['geo'] }), drill, read: true });
    reports.cancel({ reading: 'drill' });
    await expect.poll(async () => (await ask()).state.state).toBe('cancelled');
    expect((await page()).state.state).toBe('reading');
    await reports.drill({ query: query({ levels: ['geo'] }), drill, read: true });
    reports.cancel({ reading: 'page' });
    await expect.poll(async () => (await page()).state.state).toBe('cancelled');
    expect((await ask()).state.state).toBe('reading');
    service.script = null;
    held.forEach((answer) => answer());
    await expect.poll(async () => (await ask()).state.state).toBe('idle');
  });

  test('that fails half way shows its loaded days and that others are missing', async () => {
    const { reports, service } = await createReportWorld({ worker });
    service.script = ({ from }, response) => from > '2026-11-18' && refuse(response, 500);
    const ask = (read: boolean) => reports.drill({ query: query({ levels: ['geo'] }), drill, read });
    await ask(true);
    await expect.poll(async () => (await ask(false)).state.state).toBe('failed');
    const { rows, state } = await ask(false);
    expect(rows.length).toBeGreaterThanOrEqual(4);
    expect(rows.length).toBeLessThan(7);
    expect(state).toMatchObject({ partial: true, failure: { code: 'service_failed' } });
  });

  test('of a day lists its sub-ids', async () => {
    const { reports } = await createReportWorld({ worker });
    const ask = (read: boolean) =>
      reports.drill({
        query: query(),
        drill: { of: { dimension: 'date', value: '2026-11-20' }, by: 'subid' },
        read,
      });
    await ask(true);
    await expect.poll(async () => (await ask(false)).state.state).toBe('idle');
    expect((await ask(false)).rows.map(({ value }) => value).toSorted()).toEqual(['BR', 'DE']);
  });
});

test('unknown numbers become columns, unknown texts dimensions, and a missing value a dash', async () => {
  const { readPage, service } = await createReportWorld({ worker });
  service.script = ({ groupBy }, response) => {
    if (groupBy !== 'geo') return false;
    const data = [
      { geo: 'BR', gross_requests: 10, bids_won: 4, region: 'LATAM' },
      { geo: 'DE', gross_requests: 20, gross_revenue: 1.5, region: 'EMEA' },
    ];
    response.end(JSON.stringify({ status: 'success', message: '', data }));
    return true;
  };
  const read = await readPage({ levels: ['geo'], sort: { column: 'geo', descending: false } });
  expect(read.dimensions).toContain('region');
  const valuesOf = (id: string) =>
    read.rows.map(({ values }) => values[read.columns.findIndex((c) => c.id === id)]);
  expect(valuesOf('bids_won')).toEqual(['4', null]);
  expect(valuesOf('gross_requests')).toEqual(['10', '20']);
  expect(total(read, 'bids_won')).toBe(4);
  expect(read.state.failure).toBeNull();
});

test('a dimension that exists only in rows by sub-id is grouped, filtered and marked by those rows', async () => {
  const { readPage, service, reader, active, worker: own } = await createReportWorld({ worker });
  service.script = ({ groupBy }, response) => {
    if (groupBy !== 'subid') return false;
    const data = ['a', 'b', 'c'].map((subid, at) => ({
      subid,
      tier: at === 0 ? 'gold' : 'basic',
      gross_requests: 10 + at,
    }));
    response.end(JSON.stringify({ status: 'success', message: '', data }));
    return true;
  };
  expect((await readPage({ levels: ['geo'] })).dimensions).toEqual(['date', 'geo', 'subid']);
  expect((await readPage({ levels: ['subid'] })).dimensions).toEqual(['date', 'geo', 'subid', 'tier']);
  const asked = service.asked.length;
  const byTier = await readPage({
    levels: ['tier'],
    grouping: 'subid',
    sort: { column: 'tier', descending: false },
  });
  const at = byTier.columns.findIndex(({ id }) => id === 'gross_requests');
  expect(byTier.rows.map(({ path, values }) => [path[0], values[at]])).toEqual([
    ['basic', '23'],
    ['gold', '10'],
  ]);
  expect(byTier.days).toHaveLength(7);
  expect(service.asked).toHaveLength(asked);
  const only = [{ dimension: 'tier', value: 'gold' }];
  expect(total(await readPage({ levels: ['tier'], grouping: 'subid', only }), 'gross_requests')).toBe(10);

  const figures = createDaySumsReader({ reader, worker: own });
  const range = { from: last7[0] ?? '', to: last7[6] ?? '' };
  const sumsOf = (dimension: string) =>
    figures.sumsOf({
      profileId: active.id,
      source: { kind: 'xml', tid: 7301 },
      only: { dimension, value: 'gold' },
      range,
    });
  expect((await sumsOf('tier')).sums).toMatchObject({ gross_requests: '10' });
  // A dimension that no row has is unknown, which differs from a dimension without traffic.
  expect((await sumsOf('region')).sums).toEqual({});
  expect((await sumsOf('subid')).sums).toMatchObject({ gross_requests: '0' });
});
