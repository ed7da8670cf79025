import { describe, expect, onTestFinished, test } from 'vitest';
import { createIds } from '#core/platform/ids.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { createAlerts } from '#core/reports/notes/alerts/alerts.ts';
import type { DaySumsRequest, DaySumsReader, CachedDaySums } from '#core/reports/notes/figures.ts';
import { openAppStore } from '#core/store/app/index.ts';
import { maxAlertEvents, type AlertRule, type AppEvent } from '#shared/app-api/index.ts';
import { AppError, type ErrorCode } from '#shared/errors/index.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const source = { kind: 'xml', tid: 101 } as const;
const tidsTo = (last: number, first = 1): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

const rule: AlertRule = {
  source,
  only: { dimension: 'subid', value: 'bot-7' },
  metric: 'click_rate',
  window: 'yesterday',
  condition: { kind: 'level', is: 'below', threshold: '0.02' },
  least: { metric: 'gross_requests', count: '1000' },
};

/** Alerts on figures that the test sets, with a record of every request. */
function openAlerts() {
  const clock = createManualClock(Date.parse('2026-11-22T12:00:00Z'));
  const store = openAppStore({ folder: tempFolder(), clock, logger });
  const events: AppEvent[] = [];
  const read: DaySumsRequest[] = [];
  const readAtMs = new Map<string, number>();
  const listeners = new Set<Parameters<DaySumsReader['onRead']>[0]>();
  const service = {
    profileId: 'demo',
    clicks: '30',
    complete: true,
    requests: 1,
    failure: null as AppError | null,
    /** Failures of single tids: of their requests, or of their sums. */
    failureOf: {} as Record<number, { read?: Error; sums?: Error }>,
  };
  const partsOf = ({ source: of }: DaySumsRequest) =>
    of.kind === 'xml' ? service.failureOf[of.tid] : undefined;
  const figures: DaySumsReader = {
    async sumsOf(ask): Promise<CachedDaySums> {
      const failure = partsOf(ask)?.sums;
      if (failure !== undefined) throw failure;
      const sums = { gross_requests: '1000', gross_clicks: service.clicks };
      const upToDate = clock.nowMs() - (readAtMs.get(JSON.stringify(ask)) ?? 0) <= 15 * minuteMs;
      return { complete: service.complete, isUpToDate: upToDate, sums };
    },
    historyOf: () => Promise.reject(new Error('No history is read here')),
    async read(ask, { max, onRequest }) {
      read.push(ask);
      for (let sent = 0; sent < Math.min(service.requests, max); sent += 1) onRequest();
      const failure = partsOf(ask)?.read ?? service.failure;
      if (failure !== null) throw failure;
      if (service.requests > max) return false;
      readAtMs.set(JSON.stringify(ask), clock.nowMs());
      return true;
    },
    onRead(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const alerts = createAlerts({
    store,
    figures,
    profileId: () => service.profileId,
    profileOf: (id) => ({ id, zone: 'UTC' }),
    clock,
    serviceClock: clock,
    ids: createIds(clock.nowMs),
    logger,
    emit: (event) => void events.push(event),
  });
  onTestFinished(async () => {
    await alerts.dispose();
    await store.dispose();
  });
  /** Waits until the service's background work has ended. The work waits for promises only. */
  const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  return {
    ...alerts.requests,
    store,
    clock,
    service,
    read,
    settled,
    list: () => alerts.requests['reports.alerts.list']({}),
    crossed: () => events.filter(({ kind }) => kind === 'alerts.crossed').length,
    /** Makes one alert for each of `count` reports, beginning with this tid. */
    async saveMany(count: number, firstTid = 1) {
      for (let tid = firstTid; tid < firstTid + count; tid += 1) {
        await alerts.requests['reports.alerts.save']({
          id: null,
          rule: { ...rule, source: { kind: 'xml', tid } },
        });
      }
      await alerts.requests['reports.alerts.check']({});
    },
    /** Counts the reads of each of these reports, without the first `skip` reads. */
    readings(tids: readonly number[], skip = 0) {
      const asked = read.slice(skip).map(({ source: of }) => (of.kind === 'xml' ? of.tid : 0));
      return tids.map((tid) => asked.filter((one) => one === tid).length);
    },
    async finishReading(clicks: string) {
      service.clicks = clicks;
      for (const listener of listeners) listener({ profileId: 'demo', source });
      await settled();
    },
    async pass(ms: number) {
      clock.advance(ms);
      await settled();
    },
  };
}

describe('a report alert', () => {
  test('notifies once, and again only after it has recovered', async () => {
    const world = openAlerts();
    await world['reports.alerts.save']({ id: null, rule });
    await world.settled();
    for (const clicks of ['30', '19', '10', '19']) await world.finishReading(clicks);
    expect(world.crossed()).toBe(1);
    await world.finishReading('20');
    expect(world.crossed()).toBe(1);
    await world.finishReading('3');
    expect(world.crossed()).toBe(2);
    const { items, events } = await world.list();
    expect(events.map(({ kind, now }) => [kind, now])).toEqual([
      ['crossed', '0.003'],
      ['recovered', '0.02'],
      ['crossed', '0.019'],
    ]);
    expect(items).toMatchObject([
      { state: 'crossed', checkedAtMs: world.clock.nowMs(), reading: { now: '0.003' } },
    ]);
    expect(events.every(({ seen }) => !seen)).toBe(true);
    await world['reports.alerts.seen']({});
    expect((await world.list()).events.every(({ seen }) => seen)).toBe(true);
  });

  test.each<[edit: string, change: Partial<AlertRule>, crossed: number]>([
    ['as it is', {}, 1],
    ['with another minimum volume', { least: { metric: 'gross_requests', count: '500' } }, 1],
    ['with another threshold', { condition: { kind: 'level', is: 'below', threshold: '0.03' } }, 2],
    ['for another value', { only: { dimension: 'subid', value: 'bot-8' } }, 2],
  ])(
    'that fired and is saved again %s notifies as often as its rule was crossed',
    async (_edit, change, crossed) => {
      const world = openAlerts();
      const { id } = await world['reports.alerts.save']({ id: null, rule });
      await world.settled();
      await world.finishReading('10');
      world.clock.advance(minuteMs);
      const [before] = (await world.list()).items;
      await world['reports.alerts.save']({ id, rule: { ...rule, ...change } });
      await world.settled();
      const { items, events } = await world.list();
      expect([world.crossed(), events.length]).toEqual([crossed, crossed]);
      expect(items[0]?.sinceMs === before?.sinceMs).toBe(crossed === 1);
      expect(items).toMatchObject([{ state: 'crossed', reading: { kind: 'crossed', now: '0.01' } }]);
    },
  );

  test.each([
    ['a sum that is too large', new AppError('number_too_large')],
    ['a crashed worker', new AppError('report_worker_failed')],
    ['a bug', new Error('bug')],
  ])('with %s is not evaluated, and delays neither other alerts nor the next check', async (_what, sums) => {
    const world = openAlerts();
    for (const tid of [1, 2, 3]) {
      await world['reports.alerts.save']({ id: null, rule: { ...rule, source: { kind: 'xml', tid } } });
    }
    await world.settled();
    Object.assign(world.service, { clicks: '1', failureOf: { 2: { sums } } });
    await world.pass(hourMs);
    expect((await world.list()).items).toMatchObject([
      { state: 'crossed' },
      { state: 'clear', reading: { kind: 'unknown', because: 'not-computed' } },
      { state: 'crossed' },
    ]);
    expect([world.crossed(), (await world.list()).events.length]).toEqual([2, 2]);
    world.service.failureOf = {};
    await world.pass(hourMs);
    expect((await world.list()).items[1]).toMatchObject({ state: 'crossed', reading: { kind: 'crossed' } });
    expect(world.crossed()).toBe(3);
  });

  test('that cannot be stored delays neither other alerts nor the next check', async () => {
    const world = openAlerts();
    for (const tid of [1, 2]) {
      await world['reports.alerts.save']({ id: null, rule: { ...rule, source: { kind: 'xml', tid } } });
    }
    await world.settled();
    const { put } = world.store.reportAlerts;
    world.store.reportAlerts.put = () => {
      world.store.reportAlerts.put = put;
      throw new AppError('disk_full');
    };
    world.service.clicks = '1';
    await world.pass(hourMs);
    expect((await world.list()).items).toMatchObject([{ state: 'clear' }, { state: 'crossed' }]);
    expect(world.crossed()).toBe(1);
    await world.pass(hourMs);
    expect((await world.list()).items).toMatchObject([{ state: 'crossed' }, { state: 'crossed' }]);
    expect(world.crossed()).toBe(2);
  });

  test('does not notify on incomplete days, with too little volume, or while it is off', async () => {
    const world = openAlerts();
    const { id } = await world['reports.alerts.save']({ id: null, rule });
    await world.settled();
    world.service.complete = false;
    await world.finishReading('1');
    expect((await world.list()).items).toMatchObject([
      { state: 'clear', reading: { kind: 'unknown', because: 'incomplete' } },
    ]);
    world.service.complete = true;
    await world['reports.alerts.switch']({ id, on: false });
    await world.finishReading('1');
    await world['reports.alerts.save']({
      id,
      rule: { ...rule, least: { metric: 'gross_requests', count: '1001' } },
    });
    await world['reports.alerts.switch']({ id, on: true });
    await world.settled();
    expect((await world.list()).items).toMatchObject([{ state: 'clear', reading: { kind: 'too-little' } }]);
    expect(world.crossed()).toBe(0);
  });

  test('is refused with every wrong field', async () => {
    const world = openAlerts();
    const wrong: AlertRule = {
      ...rule,
      metric: 'monetized_rate',
      only: { dimension: 'date', value: '2026-11-01' },
      condition: { kind: 'change', is: 'down', percent: '101', against: 'previous' },
      least: { metric: 'click_rate', count: '1' },
    };
    const failure = await world['reports.alerts.save']({ id: null, rule: wrong }).catch(
      (error: unknown) => error,
    );
    if (!(failure instanceof AppError)) throw new Error('not refused');
    expect(failure.code).toBe('validation_failed');
    expect(failure.fields.map(({ field }) => field)).toEqual(['metric', 'least', 'only', 'percent']);
    await expect(world['reports.alerts.switch']({ id: 'x', on: true })).rejects.toMatchObject({
      code: 'alert_unknown',
    });
  });

  test.each([
    [source, 'subid', null],
    [source, 'tier', 'Choose a country or sub-id.'],
    [source, 'date', 'Choose a country or sub-id.'],
    [{ kind: 'search', sid: null } as const, 'tier', null],
    [{ kind: 'search', sid: null } as const, 'date', 'Choose a country, feed or sub-id.'],
  ])('of %o for one value of %s is refused with %o', async (of, dimension, message) => {
    const world = openAlerts();
    const asked = { ...rule, source: of, only: { dimension, value: 'x' }, metric: 'click_rate', least: null };
    const saved = world['reports.alerts.save']({ id: null, rule: asked }).then(
      () => null,
      (error: AppError) => error.fields[0]?.message,
    );
    expect(await saved).toBe(message);
  });

  test('lists its latest crossings and recoveries', async () => {
    const world = openAlerts();
    const { id } = await world['reports.alerts.save']({ id: null, rule });
    world.store.transaction(() => {
      for (let at = 0; at < maxAlertEvents + 7; at += 1) {
        const range = { from: '2026-11-21', to: '2026-11-21' };
        world.store.reportAlerts.addEvent('demo', {
          alertId: id,
          kind: 'crossed',
          atMs: at,
          rule,
          range,
          now: '1',
          before: null,
        });
      }
    });
    const { events } = await world.list();
    expect([events.length, events[0]?.atMs, events.at(-1)?.atMs]).toEqual([
      maxAlertEvents,
      maxAlertEvents + 6,
      7,
    ]);
    await world['reports.alerts.remove']({ id });
    expect((await world.list()).events).toHaveLength(maxAlertEvents);
    world.store.reportAlerts.forget('demo');
    expect(await world.list()).toMatchObject({ items: [], events: [] });
  });
});

describe('hourly alert checks', () => {
  test('read the days of all alerts once an hour, without repeats, and only while an alert is on', async () => {
    const world = openAlerts();
    await world.pass(5 * hourMs);
    expect(world.read).toHaveLength(0);
    const { id } = await world['reports.alerts.save']({ id: null, rule });
    await world['reports.alerts.save']({ id: null, rule: { ...rule, metric: 'gross_clicks' } });
    await world.settled();
    const atFirst = world.read.length;
    await world.pass(hourMs);
    expect(world.read.length - atFirst).toBe(1);
    expect(world.read.at(-1)).toEqual({
      profileId: 'demo',
      source,
      only: rule.only,
      range: { from: '2026-11-21', to: '2026-11-21' },
    });
    for (const { id: one } of (await world.list()).items)
      await world['reports.alerts.switch']({ id: one, on: false });
    await world.pass(5 * hourMs);
    expect(world.read.length - atFirst).toBe(1);
    expect((await world.list()).checks.nextCheckAtMs).toBeNull();
    expect(id).not.toBe('');
  });

  test('continue when the time of day was set back', async () => {
    const world = openAlerts();
    await world['reports.alerts.save']({ id: null, rule });
    await world.settled();
    world.clock.setForward(-30 * 24 * hourMs);
    const before = world.clock.nowMs();
    await world.pass(hourMs);
    const { nextCheckAtMs } = (await world.list()).checks;
    expect((nextCheckAtMs ?? 0) - world.clock.nowMs()).toBeLessThanOrEqual(hourMs);
    await world.pass(hourMs);
    const { items } = await world.list();
    expect(items[0]?.checkedAtMs).toBe(before + 2 * hourMs);
  });

  test('use at most 24 requests an hour, whatever the alerts need', async () => {
    const world = openAlerts();
    world.service.requests = 5;
    for (let tid = 1; tid <= 12; tid += 1) {
      await world['reports.alerts.save']({ id: null, rule: { ...rule, source: { kind: 'xml', tid } } });
    }
    await world.settled();
    // Each report takes five requests. The fifth can send four; then it must wait for the next hour.
    expect(world.read).toHaveLength(5);
    expect((await world.list()).checks).toMatchObject({ usedRequests: 24, maxRequests: 24 });
    await world['reports.alerts.check']({});
    expect(world.read).toHaveLength(5);
    await world.pass(hourMs);
    await world['reports.alerts.check']({});
    expect(world.read).toHaveLength(10);
    expect(new Set(world.read.map((ask) => JSON.stringify(ask.source))).size).toBeGreaterThan(5);
  });

  test('take turns if there are more alerts than requests, and count only read alerts as checked', async () => {
    const world = openAlerts();
    const tids = tidsTo(40);
    await world.saveMany(tids.length);
    // By now every alert has had its first turn.
    await world.pass(hourMs);
    const first = world.read.length;
    for (let hour = 0; hour < 10; hour += 1) {
      const before = new Map((await world.list()).items.map(({ id, checkedAtMs }) => [id, checkedAtMs]));
      const skip = world.read.length;
      await world.pass(hourMs);
      await world['reports.alerts.check']({});
      const { items } = await world.list();
      expect(world.read.length - skip).toBe(24);
      expect(items.map(({ checkedAtMs }) => checkedAtMs)).toEqual(
        items.map(({ id, rule: { source: of } }) => {
          const [isRead] = world.readings([of.kind === 'xml' ? of.tid : 0], skip);
          return isRead === 1 ? world.clock.nowMs() : before.get(id);
        }),
      );
    }
    expect(new Set(world.readings(tids, first))).toEqual(new Set([6]));
  });

  test.each<[what: string, failure: Error, failing: number[]]>([
    ['most reports are refused', new AppError('source_forbidden'), tidsTo(30)],
    ['the service fails with the first report', new AppError('service_failed'), [1]],
    ['the service fails with the last report', new AppError('service_failed'), [40]],
    ['a report causes a bug', new Error('bug'), [1]],
  ])('reach every alert in turn even if %s', async (_what, failure, failing) => {
    const world = openAlerts();
    world.service.failureOf = Object.fromEntries(failing.map((tid) => [tid, { read: failure }]));
    await world.saveMany(40);
    const first = world.read.length;
    while (world.read.length < first + 5 * 40) {
      world.clock.advance(6 * hourMs);
      await world['reports.alerts.check']({});
    }
    const counts = world.readings(tidsTo(40), first);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    for (const { rule: of, checkedAtMs } of (await world.list()).items) {
      const fails = of.source.kind === 'xml' && failing.includes(of.source.tid);
      expect(checkedAtMs === null).toBe(fails);
    }
  });

  test('continue with the alert for which the last request did not suffice', async () => {
    const world = openAlerts();
    const change: AlertRule['condition'] = { kind: 'change', is: 'down', percent: '20', against: 'previous' };
    await world['reports.alerts.save']({ id: null, rule: { ...rule, source: { kind: 'xml', tid: 1 } } });
    for (const tid of tidsTo(13, 2)) {
      await world['reports.alerts.save']({
        id: null,
        rule: { ...rule, source: { kind: 'xml', tid }, condition: change },
      });
    }
    for (let hour = 0; hour < 4; hour += 1) {
      await world.pass(hourMs);
      await world['reports.alerts.check']({});
    }
    const ages = (await world.list()).items.map(
      ({ checkedAtMs }) => world.clock.nowMs() - (checkedAtMs ?? 0),
    );
    expect(Math.max(...ages)).toBeLessThanOrEqual(hourMs);
  });

  test('read an alert next after its rule was changed', async () => {
    const world = openAlerts();
    await world.saveMany(40);
    await world.pass(hourMs);
    await world['reports.alerts.check']({});
    const { items } = await world.list();
    const latest = items.find(({ checkedAtMs }) => checkedAtMs === world.clock.nowMs());
    if (latest === undefined) throw new Error('nothing was read');
    const skip = world.read.length;
    await world['reports.alerts.save']({ id: latest.id, rule: { ...latest.rule, least: null } });
    await world.pass(hourMs);
    expect(world.read[skip]?.source).toEqual(latest.rule.source);
  });

  test('give every profile a share of the requests', async () => {
    const world = openAlerts();
    await world.saveMany(40);
    world.service.profileId = 'other';
    await world.saveMany(40, 101);
    await world.pass(hourMs);
    const skip = world.read.length;
    for (let hour = 0; hour < 10; hour += 1) {
      await world.pass(hourMs);
      await world['reports.alerts.check']({});
      expect((await world.list()).checks).toMatchObject({ usedRequests: 12, maxRequests: 12 });
    }
    for (const tids of [tidsTo(40), tidsTo(140, 101)]) {
      expect(new Set(world.readings(tids, skip))).toEqual(new Set([3]));
    }
  });

  test('count every request of a failed reading', async () => {
    const world = openAlerts();
    Object.assign(world.service, { requests: 9, failure: new AppError('service_failed') });
    await world['reports.alerts.save']({ id: null, rule });
    await world.settled();
    const used: number[] = [];
    for (let checks = 0; checks < 3; checks += 1) {
      used.push((await world.list()).checks.usedRequests);
      await world['reports.alerts.check']({});
    }
    expect(used).toEqual([9, 18, 24]);
  });

  test.each<[code: ErrorCode, read: number]>([
    ['source_forbidden', 3],
    ['service_answer_unreadable', 3],
    ['service_unreachable', 1],
    ['rate_limited', 1],
  ])('after %s of the first report still read %i of 3', async (code, read) => {
    const world = openAlerts();
    world.service.failure = new AppError(code);
    await world.saveMany(3);
    const before = world.read.length;
    await world['reports.alerts.check']({});
    expect(world.read.length - before).toBe(read);
    expect((await world.list()).checks.failure).toMatchObject({ code });
  });

  test('wait longer after each failure in a row, report it, and return to hourly checks', async () => {
    const world = openAlerts();
    world.service.failure = new AppError('publisher_key_invalid');
    await world['reports.alerts.save']({ id: null, rule });
    await world.settled();
    const pauses: number[] = [];
    for (let failures = 1; failures <= 9; failures += 1) {
      const { checks } = await world.list();
      expect(checks.failure).toMatchObject({ code: 'publisher_key_invalid' });
      const pauseMs = (checks.nextCheckAtMs ?? 0) - world.clock.nowMs();
      pauses.push(pauseMs / minuteMs);
      const requests = world.read.length;
      await world.pass(pauseMs - 1);
      expect(world.read).toHaveLength(requests);
      await world.pass(1);
      expect(world.read).toHaveLength(requests + 1);
    }
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 320, 360, 360]);
    world.service.failure = null;
    await world['reports.alerts.check']({});
    const { checks } = await world.list();
    expect(checks).toMatchObject({ failure: null, nextCheckAtMs: world.clock.nowMs() + hourMs });
  });
});
