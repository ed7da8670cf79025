import { parse } from 'papaparse';
import { describe, expect, test } from 'vitest';
import type { PublisherReports } from '#core/backend/publisher/reports.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { openTaskWorld } from './task-world.ts';
import type { TaskWorld } from './task-world.ts';

const begin = '2026-11-20T08:00:00Z';
const daily = { type: 'daily', time: '09:00', timezone: 'Etc/UTC' };

const report = (parameters: JsonObject): JsonObject => ({
  kind: 'report_export',
  schedule: daily,
  parameters: { lastDays: 2, format: 'csv', ...parameters },
});
const tidOf = (world: TaskWorld) => world.reports.sources(world.uid('publisher')).tids[0] ?? 0;
const publisher = (world: TaskWorld) => world.principal({ part: 'publisher' });

/** Reports with one repeated row, which count how often they are read. */
function madeUpReports(rows: number): PublisherReports & { asked: number } {
  const row = {
    group: '2026-11-19',
    grossRequests: 1,
    grossClicks: 1,
    grossValid: 1,
    grossInvalid: 0,
    grossRevenueMicros: 1n,
    netRequests: 1,
    netClicks: 1,
    netRevenueMicros: 1n,
  };
  const reports = {
    asked: 0,
    xml: async () => {
      reports.asked += 1;
      return Array.from({ length: rows }, () => row);
    },
    search: async () => ({ rows: [], total: 0 }),
    searchAll: async () => ({ total: 0, batches: (async function* () {})() }),
    sources: () => ({ tids: [1], feeds: [1] }),
  };
  return reports;
}

describe('a due report', () => {
  test('covers the complete days before it and is stored for its account', async () => {
    const world = await openTaskWorld({ at: begin });
    const who = publisher(world);
    world.start();
    await world.addTask(who, report({ report: 'xml', tid: tidOf(world) }));
    world.goTo('2026-11-20T09:00:00Z');
    await world.reportsMade();

    const { lastRun, state, nextDueAt } = await world.only(who);
    expect([state, nextDueAt]).toEqual(['active', '2026-11-21T09:00:00.000Z']);
    expect(lastRun).toMatchObject({ outcome: 'stored', missed: 0, rows: 2 });
    const runId = String(lastRun?.uri).replace('svc://task-runs/', '');
    const { content, contentType } = world.tasks.readRun(who.member.uid, runId);
    expect(contentType).toContain('text/csv');
    expect(Buffer.byteLength(content)).toBe(lastRun?.bytes);
    const { data } = parse<{ date: string }>(content, { header: true, skipEmptyLines: true });
    expect(data.map(({ date }) => date)).toEqual(['2026-11-18', '2026-11-19']);

    const foreign = async () => world.tasks.readRun(world.uid('buyer'), runId);
    const absent = async () => world.tasks.readRun(world.uid('buyer'), 'none');
    expect(await world.refusal(foreign())).toEqual(await world.refusal(absent()));
  });

  test('of every feed is JSON if requested', async () => {
    const world = await openTaskWorld({ at: begin });
    const who = publisher(world);
    world.start();
    await world.addTask(who, report({ report: 'search', format: 'json' }));
    world.goTo('2026-11-20T09:00:00Z');
    await world.reportsMade();
    const { lastRun } = await world.only(who);
    const { content } = world.tasks.readRun(who.member.uid, String(lastRun?.uri).split('/').at(-1) ?? '');
    const { data } = JSON.parse(content) as { data: { feed: number; revenue: string }[] };
    expect(data).toHaveLength(lastRun?.rows ?? -1);
    // One of the demo's feeds has no rows on these days.
    const asked = { uid: who.member.uid, sid: null, from: '2026-11-18', to: '2026-11-19' };
    const { rows } = await world.reports.search({ ...asked, offset: 0, limit: 10_000 });
    const busy = new Set(rows.map(({ feed }) => feed));
    expect(busy.size).toBeGreaterThanOrEqual(3);
    expect(new Set(data.map(({ feed }) => feed))).toEqual(busy);
  });

  test('without any rows says so', async () => {
    const world = await openTaskWorld({ at: begin, days: 0 });
    const who = publisher(world);
    world.start();
    await world.addTask(who, report({ report: 'xml', tid: tidOf(world) }));
    world.goTo('2026-11-20T09:00:00Z');
    await world.reportsMade();
    expect((await world.only(who)).lastRun).toMatchObject({ outcome: 'no_data', rows: 0 });
  });

  test('that would be too large is not stored, and the task says so', async () => {
    const world = await openTaskWorld({ at: begin, reports: madeUpReports(70_000) });
    const who = publisher(world);
    world.start();
    await world.addTask(who, report({ report: 'xml', tid: 1 }));
    world.goTo('2026-11-20T09:00:00Z');
    await world.reportsMade();
    expect((await world.only(who)).lastRun).toMatchObject({ outcome: 'failed', reason: 'payload_too_large' });
  });

  test('is one of the few newest that are kept', async () => {
    const world = await openTaskWorld({ at: begin, reports: madeUpReports(1) });
    const who = publisher(world);
    world.start();
    const id = await world.addTask(who, report({ report: 'xml', tid: 1 }));
    const runs: string[] = [];
    for (let day = 20; day < 28; day += 1) {
      world.goTo(`2026-11-${day}T09:00:00Z`);
      await world.reportsMade();
      runs.push(world.run(id)?.id ?? '');
    }
    const isKept = runs.map((run) => world.service.store.tasks.read.file(who.member.uid, run) !== null);
    expect(isKept).toEqual([false, false, false, true, true, true, true, true]);
  });

  test('ends a one-time task only once it is stored', async () => {
    const world = await openTaskWorld({ at: begin, reports: madeUpReports(1) });
    const who = publisher(world);
    world.start();
    const once = { type: 'once', at: '2026-11-20T09:00:00Z' };
    await world.addTask(who, { ...report({ report: 'xml', tid: 1 }), schedule: once });
    world.goTo('2026-11-20T09:00:00Z');
    expect(await world.only(who)).toMatchObject({ state: 'active', lastRun: { outcome: 'running' } });
    await world.reportsMade();
    expect(await world.only(who)).toMatchObject({ state: 'ended', lastRun: { outcome: 'stored' } });
  });

  test('is made after a restart if the process ended while it was made', async () => {
    const file = `${tempFolder()}/backend.sqlite`;
    const never = { ...madeUpReports(1), xml: () => new Promise<never>(() => {}) };
    const before = await openTaskWorld({ at: begin, file, reports: never });
    before.start();
    await before.addTask(publisher(before), report({ report: 'xml', tid: 1 }));
    before.goTo('2026-11-20T09:00:00Z');
    expect((await before.only(publisher(before))).lastRun?.outcome).toBe('running');
    await before.tasks.dispose();

    const after = await openTaskWorld({ at: '2026-11-20T10:00:00Z', file, reports: madeUpReports(1) });
    after.start();
    await after.reportsMade();
    expect((await after.only(publisher(after))).lastRun).toMatchObject({
      dueAt: '2026-11-20T09:00:00.000Z',
      outcome: 'stored',
    });
  });

  test('that finishes only after the end of the service is left to the next start', async () => {
    let answer = (): void => {};
    const good = madeUpReports(1);
    const xml: PublisherReports['xml'] = async (query) => {
      await new Promise<void>((resolve) => (answer = resolve));
      return good.xml(query);
    };
    const world = await openTaskWorld({ at: begin, reports: { ...good, xml } });
    world.start();
    const id = await world.addTask(publisher(world), report({ report: 'xml', tid: 1 }));
    world.goTo('2026-11-20T09:00:00Z');
    await world.tasks.dispose();
    answer();
    await new Promise(setImmediate);
    expect(world.run(id)?.outcome).toBe('running');
  });

  test('that fails temporarily is made a minute later', async () => {
    const good = madeUpReports(1);
    let fails = 1;
    const xml: PublisherReports['xml'] = (query) =>
      (fails -= 1) >= 0 ? Promise.reject(new AppError('storage_failed')) : good.xml(query);
    const world = await openTaskWorld({ at: begin, reports: { ...good, xml } });
    const who = publisher(world);
    world.start();
    await world.addTask(who, report({ report: 'xml', tid: 1 }));
    world.goTo('2026-11-20T09:00:00Z');
    await new Promise(setImmediate);
    expect((await world.only(who)).lastRun?.outcome).toBe('running');
    world.goTo('2026-11-20T09:01:00Z');
    await world.reportsMade();
    expect((await world.only(who)).lastRun?.outcome).toBe('stored');
    expect(good.asked).toBe(1);
  });

  test('of a source that was lost meanwhile suspends the task', async () => {
    const good = madeUpReports(1);
    let tids = [1];
    const reports = { ...good, sources: () => ({ tids, feeds: [] }) };
    const world = await openTaskWorld({ at: begin, reports });
    const who = publisher(world);
    world.start();
    await world.addTask(who, report({ report: 'xml', tid: 1 }));
    tids = [];
    world.goTo('2026-11-20T09:00:00Z');
    expect(await world.only(who)).toMatchObject({ state: 'suspended', reason: 'source_forbidden' });
    expect(good.asked).toBe(0);
  });
});
