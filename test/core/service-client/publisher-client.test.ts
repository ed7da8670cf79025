import { parse } from 'papaparse';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLogger as logger } from '#core/platform/logger.ts';
import {
  createPublisherClient,
  readText,
  type CallOutcome,
  type PublisherClient,
} from '#core/service-client/index.ts';
import type { ErrorCode } from '#shared/errors/index.ts';
import { startPublisher, type RunningPublisher } from '#test/core/backend/publisher/open-publisher.ts';
import { startFakeService, type FakeAnswer, type FakeService } from '#test/servers/fake-service.ts';
import { failureOf } from './failure-of.ts';
import { wrongBodies } from './wrong-bodies.ts';
import { createHurriedClock } from './hurried-clock.ts';

const range = { from: '2026-03-01', to: '2026-03-07' };
const later = { from: '2027-01-01', to: '2027-01-02' };

async function fileOf(
  client: PublisherClient,
  ...asked: Parameters<PublisherClient['open']>
): Promise<string> {
  const { chunks } = await client.open(...asked);
  return readText({ body: chunks });
}

describe('against the service', () => {
  let publisher: RunningPublisher;
  beforeAll(async () => {
    publisher = await startPublisher();
  });
  afterAll(() => publisher.dispose());

  const clientWith = (key: string): PublisherClient =>
    createPublisherClient({
      apiUrl: `http://127.0.0.1:${publisher.service.port}`,
      token: async () => key,
      timeoutMs: 10_000,
      logger,
    });
  const client = (): PublisherClient => clientWith(publisher.keys.whole);
  const tid = (): number => publisher.tids[0] ?? 0;

  test('the XML statistics can be read by day, country and subid', async () => {
    const days = await client().xmlStats({ ...range, tid: tid() });
    const expected = await publisher.report('xml');
    expect(days).toEqual({ message: expected.body.message, rows: expected.body.data });
    expect(days.rows).toHaveLength(7);
    const countries = await client().xmlStats({ ...range, tid: tid(), groupBy: 'geo' });
    const subids = await client().xmlStats({ ...range, tid: tid(), groupBy: 'subid' });
    expect(countries.rows[0]).toHaveProperty('geo');
    expect(subids.rows[0]).toHaveProperty('subid');
  });

  test('the Search report keeps its decimals as texts, for all feeds or for one feed', async () => {
    const all = await client().searchReport(range);
    const expected = await publisher.report('search');
    expect(all.rows).toEqual(expected.body.data);
    expect(all.rows[0]).toMatchObject({
      total: expect.stringMatching(/^\d+$/) as string,
      revenue: expect.stringMatching(/^\d+\.\d+$/) as string,
    });
    const [feed = 0] = publisher.feeds;
    const one = await client().searchReport({ ...range, sid: feed });
    expect(new Set(one.rows.map((row) => row.feed))).toEqual(new Set([feed]));
    expect(one.rows.length).toBeLessThan(all.rows.length);
  });

  test('an export is the service’s file, byte for byte', async () => {
    const { keys, report } = publisher;
    expect(keys.whole).toMatch(/^pk_/);
    expect(await fileOf(client(), { kind: 'xml', ...range, tid: tid() }, { format: 'csv' })).toBe(
      (await report('xml', { export: 'csv' })).text,
    );
    expect(await fileOf(client(), { kind: 'search', ...range }, { format: 'json' })).toBe(
      (await report('search', { export: 'json' })).text,
    );
    const csv = await fileOf(client(), { kind: 'search', ...range }, { format: 'csv' });
    const { data } = parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true });
    expect(data).toHaveLength((await client().searchReport(range)).rows.length);
  });

  test('without rows the report is empty, and an export fails because there is no data', async () => {
    expect((await client().xmlStats({ ...later, tid: tid() })).rows).toEqual([]);
    expect((await client().searchReport(later)).rows).toEqual([]);
    expect(
      (await failureOf(fileOf(client(), { kind: 'xml', ...later, tid: tid() }, { format: 'csv' }))).code,
    ).toBe('no_data');
    expect((await failureOf(fileOf(client(), { kind: 'search', ...later }, { format: 'json' }))).code).toBe(
      'no_data',
    );
  });

  test.each<[string, ErrorCode, () => Promise<unknown>]>([
    ['an unknown key', 'publisher_key_invalid', () => clientWith('pk_unknown-key').searchReport(range)],
    [
      'a key without the scope',
      'publisher_scope_missing',
      () => clientWith(publisher.keys.xmlOnly).searchReport(range),
    ],
    [
      'a member token in its place',
      'publisher_key_invalid',
      () => clientWith(publisher.service.credentials.memberToken).searchReport(range),
    ],
    [
      'another publisher’s TID',
      'source_forbidden',
      () => client().xmlStats({ ...range, tid: publisher.buyerTid }),
    ],
    [
      'another publisher’s feed',
      'source_forbidden',
      () => client().searchReport({ ...range, sid: publisher.buyerFeed }),
    ],
  ])('a request with %s is refused as %s', async (_what, code, ask) => {
    expect((await failureOf(ask())).code).toBe(code);
  });

  test('every wrong parameter is named', async () => {
    const wrong = { from: '2026-02-30', to: '2026-3-1', tid: -1 };
    const failure = await failureOf(client().xmlStats(wrong));
    expect(failure.code).toBe('validation_failed');
    expect(failure.fields.map(({ field }) => field).toSorted()).toEqual(['date_from', 'date_to', 'tid']);
  });
});

describe('on the wire', () => {
  const key = 'pk_on-the-wire';
  const searchRow = {
    date: '2026-03-01',
    feed: 7,
    geo: 'DE',
    subid: '',
    total: '12345678901234567890',
    monetized: '1',
    clicks: '0',
    revenue: '0.10',
    epc: '-0.010',
    rpm: '1',
    x_new: null,
  };

  async function setUp(...answers: FakeAnswer[]) {
    const service: FakeService = await startFakeService();
    service.answerWith(...answers);
    const clock = createHurriedClock();
    const outcomes: CallOutcome[] = [];
    const client = createPublisherClient({
      apiUrl: new URL(service.baseUrl).origin,
      token: async () => key,
      timeoutMs: 20_000,
      logger,
      observe: (outcome) => void outcomes.push(outcome),
      pauses: { clock, random: () => 0.5 },
    });
    return { service, client, clock, outcomes };
  }

  const json = (status: number, body: unknown, headers: Record<string, string> = {}): FakeAnswer => ({
    kind: 'answer',
    status,
    body: JSON.stringify(body),
    headers,
  });
  const report = (...rows: object[]): FakeAnswer =>
    json(200, { status: 'success', message: 'Report', data: rows });

  test('the key is sent once, in the query, and nowhere else', async () => {
    const { service, client } = await setUp(report(), report());
    await client.xmlStats({ ...range, tid: 7, groupBy: 'geo' });
    await client.searchReport({ ...range, sid: 9 });
    const dates = 'date_from=2026-03-01&date_to=2026-03-07';
    expect(service.received.map(({ url }) => url)).toEqual([
      `/xml/stats?token=${key}&tid=7&${dates}&groupBy=geo`,
      `/publisher/search-report?token=${key}&${dates}&sid=9`,
    ]);
    for (const { method, authorization, body } of service.received) {
      expect({ method, authorization, body }).toEqual({ method: 'GET', authorization: undefined, body: '' });
    }
  });

  test.each([
    ['csv', 'text/csv'],
    ['json', 'application/json'],
  ] as const)('an export as %s accepts %s', async (format, accept) => {
    const { service, client } = await setUp({ kind: 'answer', status: 200, body: 'a,b\r\n' });
    expect(await fileOf(client, { kind: 'xml', ...range, tid: 7 }, { format: format })).toBe('a,b\r\n');
    expect(service.received[0]).toMatchObject({
      accept,
      url: expect.stringContaining(`&export=${format}`) as string,
    });
  });

  test('texts of the Search report are not turned into numbers, and unknown members are kept', async () => {
    const { client } = await setUp(report(searchRow));
    expect((await client.searchReport(range)).rows).toEqual([searchRow]);
  });

  test.each([
    ['a count that is a number', { ...searchRow, total: 12 }],
    ['an amount that is no decimal', { ...searchRow, revenue: '1e3' }],
    ['a row without its feed', { ...searchRow, feed: undefined }],
  ])('a row with a wrong shape makes the answer unreadable: %s', async (_what, row) => {
    const { client } = await setUp(report(searchRow, row));
    const failure = await failureOf(client.searchReport(range));
    expect(failure.code).toBe('service_answer_unreadable');
    expect(failure.message).toContain('data[1].');
  });

  test('a grouping that was not requested makes the answer unreadable', async () => {
    const sums = { gross_requests: 1, gross_clicks: 1, gross_valid: 1, gross_invalid: 0, gross_revenue: 0.5 };
    const row = { geo: 'DE', ...sums, net_requests: 1, net_clicks: 1, net_revenue: 0.25 };
    const { client } = await setUp(report(row));
    await expect(client.xmlStats({ ...range, tid: 7, groupBy: 'geo' })).resolves.toMatchObject({
      rows: [row],
    });
    const failure = await failureOf(client.xmlStats({ ...range, tid: 7 }));
    expect(failure.code).toBe('service_answer_unreadable');
  });

  test.each<[status: number, said: string | undefined, ErrorCode]>([
    [400, undefined, 'operation_refused'],
    [401, undefined, 'publisher_key_invalid'],
    [403, undefined, 'forbidden'],
    [403, 'source_forbidden', 'source_forbidden'],
    [403, 'publisher_scope_missing', 'publisher_scope_missing'],
    [403, 'ledger_broken', 'forbidden'],
    [403, 'constructor', 'forbidden'],
    [404, 'campaign_not_found', 'no_data'],
    [421, undefined, 'wrong_host'],
    [422, undefined, 'validation_failed'],
    [429, undefined, 'rate_limited'],
    [500, undefined, 'service_failed'],
    [503, undefined, 'service_unavailable'],
  ])('a refusal with %i and the code %s fails as %s', async (status, said, code) => {
    const body = { status: 'error', message: 'No', ...(said === undefined ? {} : { code: said }) };
    const { client } = await setUp(json(status, body));
    expect(await failureOf(fileOf(client, { kind: 'search', ...range }, { format: 'csv' }))).toMatchObject({
      code,
      data: { status },
    });
  });

  test('reads and exports wait for the pause that the service requests', async () => {
    const { client, clock, outcomes } = await setUp(
      json(429, { status: 'error', message: 'Slow down' }, { 'retry-after': '3' }),
      { kind: 'answer', status: 200, body: 'a\r\n' },
    );
    expect(await fileOf(client, { kind: 'search', ...range }, { format: 'csv' })).toBe('a\r\n');
    expect(clock.waitsMs).toEqual([3_250]);
    // Whether the key is accepted must not affect the readiness of the member API.
    expect(outcomes.map(withoutLatency)).toEqual([{ ready: true, retryAfterSeconds: 3 }, { ready: true }]);
  });

  test.each(wrongBodies)(
    '%s with a status of success is described in the message, for a small report and for a streamed report',
    async (_what, body, message) => {
      const { client } = await setUp({ kind: 'answer', status: 200, body });
      for (const asked of [
        client.xmlStats({ ...range, tid: 7 }),
        client.open({ kind: 'xml', ...range, tid: 7 }),
        client.open({ kind: 'xml', ...range, tid: 7 }, { format: 'csv' }),
      ]) {
        const failure = await failureOf(asked);
        expect(failure).toMatchObject({
          code: 'service_answer_unreadable',
          message: expect.stringMatching(message),
        });
      }
    },
  );

  test('a cancelled export ends at once', async () => {
    const { client, service, outcomes } = await setUp({ kind: 'silence' });
    const abort = new AbortController();
    const reason = new Error('The page is gone');
    const reading = client.open({ kind: 'xml', ...range, tid: 7 }, { format: 'csv', signal: abort.signal });
    await expect.poll(() => service.received.length).toBe(1);
    abort.abort(reason);
    await expect(reading).rejects.toBe(reason);
    expect(outcomes).toEqual([]);
  });
});

function withoutLatency({ ready, signedIn, retryAfterSeconds }: CallOutcome): Omit<CallOutcome, 'latencyMs'> {
  return {
    ready,
    ...(signedIn === undefined ? {} : { signedIn }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}
