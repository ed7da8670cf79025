import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBackend } from '#core/backend/index.ts';
import type { BackendOptions } from '#core/backend/index.ts';
import { createIds } from '#core/platform/ids.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { openService } from '../operations/open-service.ts';
import { clockOn, startPublisher, today } from './open-publisher.ts';
import type { RunningPublisher } from './open-publisher.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-statistics-'));
});
afterAll(() => rm(folder, { recursive: true }));

const wide = { date_from: '2020-01-01', date_to: '2030-12-31' };

/** Reads everything that the publisher may read: each TID by day, and all searches. */
async function everything(publisher: RunningPublisher, range = wide): Promise<string[]> {
  const xml = publisher.tids.map((tid) => publisher.report('xml', { ...range, tid, groupBy: 'subid' }));
  const days = publisher.tids.map((tid) => publisher.report('xml', { ...range, tid }));
  const search = publisher.report('search', range);
  return (await Promise.all([...xml, ...days, search])).map(({ text }) => text);
}

async function daysOf(publisher: RunningPublisher): Promise<string[]> {
  const { body } = await publisher.report('xml', wide);
  return ((body.data ?? []) as { date: string }[]).map(({ date }) => date);
}

describe('the demo statistics', () => {
  test('are available immediately, for as many days as requested, including today', async () => {
    const publisher = await startPublisher({ days: 120 });
    const days = await daysOf(publisher);
    expect([days.length, days[0], days.at(-1)]).toEqual([120, '2025-11-11', today]);
    await publisher.dispose();
  });

  test('have the same past on every installation, whenever it was made and however long it is', async () => {
    const [one, two] = [
      await startPublisher(),
      await startPublisher({ days: 30, clock: clockOn('2026-03-12') }),
    ];
    const both = { date_from: '2026-02-15', date_to: today };
    expect(await everything(two, both)).toEqual(await everything(one, both));
    expect((await everything(one, both)).join('').length).toBeGreaterThan(100_000);
    await one.dispose();
    await two.dispose();
  });

  test('only gain days, at the next start and while the service runs', async () => {
    const file = join(folder, 'later.sqlite');
    const clock = clockOn('2026-03-05');
    const first = await startPublisher({ file, clock, days: 10 });
    const before = await everything(first);
    expect(await daysOf(first)).toHaveLength(10);
    clock.moveTo('2026-03-06');
    expect((await daysOf(first)).at(-1)).toBe('2026-03-06');
    await first.dispose();
    const second = await startPublisher({ file, clock: clockOn('2026-03-08'), days: 10 });
    const days = await daysOf(second);
    expect([days.length, days[0], days.at(-1)]).toEqual([13, '2026-02-24', '2026-03-08']);
    expect(await everything(second, { date_from: '2026-02-24', date_to: '2026-03-05' })).toEqual(before);
    // A clock that was set back must not remove statistics.
    await second.dispose();
    const third = await startPublisher({ file, clock: clockOn('2026-03-01'), days: 10 });
    expect(await daysOf(third)).toHaveLength(13);
    await third.dispose();
  });

  test('continue after the service was ended while they were made', async () => {
    const file = join(folder, 'ended.sqlite');
    const clock = clockOn(today);
    const options: BackendOptions = {
      tenant: 'northwind',
      file,
      consent: { kind: 'page' },
      clock,
      ids: createIds(() => clock.nowMs()),
      logger: silentLogger,
      campaigns: 1,
      days: 60,
    };
    const ended = createBackend(options);
    const { apiUrl } = await ended.listen();
    const [key] = ended.issueDemoCredentials().accounts.publisher.publisherKeys;
    // The client aborts this request while the days are being made.
    const query = `token=${key?.key}&tid=${key?.tids[0]}&date_from=${today}&date_to=${today}`;
    const asked = fetch(`${apiUrl}/xml/stats?${query}`);
    await fetch(`${apiUrl}/health`);
    await Promise.all([ended.dispose(), asked.catch(() => null)]);
    const again = await startPublisher({ file, days: 60 });
    const whole = await startPublisher({ days: 60 });
    expect(await everything(again)).toEqual(await everything(whole));
    await again.dispose();
    await whole.dispose();
  });

  test('are added if the first start was interrupted before them, and the accounts stay unchanged', async () => {
    const file = join(folder, 'cut-off.sqlite');
    const clock = clockOn(today);
    await openService(file, { clock, campaigns: 1 }).store.dispose();
    const publisher = await startPublisher({ file, days: 3 });
    expect(await daysOf(publisher)).toHaveLength(3);
    await publisher.dispose();
  });

  test('block no other request while they are made', async () => {
    const publisher = await startPublisher({ days: 150 });
    const seen = { report: false };
    const report = publisher.report('xml').then(() => (seen.report = true));
    let answered = 0;
    while (!seen.report) {
      expect((await publisher.service.list('?perPage=1')).total).toBe(3);
      answered += 1;
    }
    await report;
    // One slice at most is made per turn of the event loop.
    expect(answered).toBeGreaterThan(5);
    await publisher.dispose();
  });

  test('resemble real traffic with quiet weekends, an outage and a wave of worthless clicks', async () => {
    const publisher = await startPublisher({ days: 400 });
    const { body } = await publisher.report('xml', wide);
    const rows = (body.data ?? []) as {
      date: string;
      gross_requests: number;
      gross_clicks: number;
      gross_invalid: number;
    }[];
    expect(rows).toHaveLength(400);
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
    const isWeekend = ({ date }: { date: string }) => [0, 6].includes(new Date(date).getUTCDay());
    const requests = (wanted: boolean) =>
      median(rows.filter((row) => isWeekend(row) === wanted).map((row) => row.gross_requests));
    expect(requests(true)).toBeLessThan(requests(false) * 0.85);
    expect(Math.min(...rows.map((row) => row.gross_requests))).toBeLessThan(requests(false) * 0.1);
    const invalid = rows.map((row) => row.gross_invalid / row.gross_clicks);
    expect(Math.max(...invalid)).toBeGreaterThan(3 * median(invalid));
    await publisher.dispose();
  });

  test.each(['northwind', 'meridian'] as const)(
    'of %s give publisher and buyer their own sources',
    async (tenant) => {
      const publisher = await startPublisher({ tenant, days: 2 });
      const { buyer, publisher: seller, neighbour } = publisher.service.credentials.accounts;
      const sourcesOf = ({ publisherKeys }: typeof buyer) =>
        publisherKeys.map(({ tids, feeds }) => [tids.length, feeds.length]);
      expect(sourcesOf(seller)).toEqual([
        [4, 4],
        [2, 0],
        [0, 4],
      ]);
      expect(sourcesOf(buyer)).toEqual([[1, 1]]);
      expect(sourcesOf(neighbour)).toEqual([]);
      for (const tid of publisher.tids) expect((await publisher.report('xml', { tid })).status).toBe(200);
      await publisher.dispose();
    },
  );
});
