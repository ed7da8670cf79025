import { expect, test } from 'vitest';
import type { AlertRule, AppEvent } from '#shared/app-api/index.ts';
import { addDays, sumDecimals } from '#shared/reports/index.ts';
import { createWorld } from '#test/core/proposals/world.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { eventually } from '#test/setup/eventually.ts';

const dayMs = 86_400_000;
const startDate = '2026-11-22';
const startMs = Date.parse(`${startDate}T12:00:00Z`);
const source = { kind: 'xml', tid: 7_301 } as const;

/** The demo's calendar rule: every 17 days half of a day's traffic is missing. */
const isHalfDayOutage = (date: string): boolean => (Date.parse(date) / dayMs) % 17 === 0;

test('an alert in the demo fires on each half-day outage, recovers on the next day, and fires on nothing else', async () => {
  const world = await createWorld({ clock: createManualClock(startMs), days: 70 });
  const { handlers } = world.core;
  const heard: AppEvent[] = [];
  world.core.subscribe((event) => void heard.push(event));
  const rule: AlertRule = {
    source,
    only: null,
    metric: 'gross_requests',
    window: 'yesterday',
    condition: { kind: 'change', is: 'down', percent: '30', against: 'weekdays' },
    least: { metric: 'gross_requests', count: '1000' },
  };
  await handlers['reports.alerts.save']({ id: null, rule });
  const expected: [string, string][] = [];
  for (let passed = 0; passed < 36; passed += 1) {
    await handlers['reports.alerts.check']({});
    const yesterday = addDays(startDate, passed - 1);
    if (isHalfDayOutage(yesterday)) expected.push(['crossed', yesterday]);
    else if (expected.at(-1)?.[0] === 'crossed') expected.push(['recovered', yesterday]);
    world.clock.advance(dayMs);
  }
  await handlers['reports.alerts.check']({});
  const { events, items, checks } = await handlers['reports.alerts.list']({});
  expect(events.map(({ kind, range }) => [kind, range.to]).toReversed()).toEqual(expected);
  expect(expected.filter(([kind]) => kind === 'crossed').length).toBeGreaterThanOrEqual(2);
  // The history of the alert names the days on which it fired.
  const { trial } = await handlers['reports.alerts.history'](rule);
  expect(trial).toEqual({
    checkedDays: 37,
    firedOn: expected.flatMap(([kind, date]) => (kind === 'crossed' ? [date] : [])),
  });
  expect(heard.filter(({ kind }) => kind === 'alerts.crossed')).toHaveLength(
    expected.filter(([kind]) => kind === 'crossed').length,
  );
  expect(items).toMatchObject([{ on: true, state: 'clear', reading: { kind: 'clear' } }]);
  expect(checks.failure).toBeNull();
  // The alerts only read: no change was proposed.
  expect(await handlers['proposals.list']({ which: 'waiting', before: null, limit: 10 })).toMatchObject({
    total: 0,
  });
  expect(world.puts()).toBe(0);
});

test('a mark keeps the sums that the report shows for its value, and never counts the current day as complete', async () => {
  const world = await createWorld({ clock: createManualClock(startMs), days: 70 });
  const { handlers } = world.core;
  const target = { source, dimension: 'subid', value: 'top' };
  const range = { from: addDays(startDate, -7), to: addDays(startDate, -1) };
  const unread = await handlers['reports.marks.set']({ target, sign: 'watch', note: '', range });
  expect(unread.figuresThen).toBeNull();

  const read = async (to: string) => {
    const query = {
      source,
      range: { from: range.from, to },
      comparison: 'none' as const,
      includeToday: true,
      levels: ['subid'],
      only: [],
      excluded: [],
      search: '',
      sort: { column: 'gross_clicks', descending: true },
    };
    const ask = (how: 'missing' | 'none') =>
      handlers['reports.page']({ query, expanded: [], offset: 0, limit: 100, read: how });
    await ask('missing');
    return eventually(async () => {
      const page = await ask('none');
      expect([page.state.state === 'reading', page.state.partial]).toEqual([false, false]);
      return page;
    });
  };
  const { rows, columns } = await read(range.to);
  const at = columns.findIndex(({ id }) => id === 'gross_clicks');
  const shown = rows.find(({ path }) => path[0] === 'top')?.values[at] ?? null;
  const marked = await handlers['reports.marks.set']({ target, sign: 'bad', note: 'Bots', range });
  expect(marked.figuresThen).toMatchObject({ range, complete: true, sums: { gross_clicks: shown } });
  expect(Number(sumDecimals([shown ?? '0']))).toBeGreaterThan(0);
  expect(await handlers['reports.marks.now']({ ids: [marked.id] })).toEqual({
    items: [{ id: marked.id, figures: marked.figuresThen }],
  });

  await read(startDate);
  const withToday = await handlers['reports.marks.set']({
    target,
    sign: 'watch',
    note: '',
    range: { from: range.from, to: startDate },
  });
  expect(withToday.figuresThen?.complete).toBe(false);
  const gone = await handlers['reports.marks.set']({
    target: { ...target, value: 'never there' },
    sign: 'watch',
    note: '',
    range,
  });
  expect(gone.figuresThen).toMatchObject({ complete: true, sums: { gross_clicks: '0' } });
});

test('the trial of an alert covers only loaded days without a request, and for a country only the days read by country', async () => {
  const world = await createWorld({ clock: createManualClock(startMs), days: 70 });
  const { handlers } = world.core;
  const trial = {
    source,
    metric: 'gross_requests',
    window: 'yesterday' as const,
    condition: { kind: 'level' as const, is: 'below' as const, threshold: '1' },
    least: null,
  };
  const historyOf = (only: { dimension: string; value: string } | null) =>
    handlers['reports.alerts.history']({ ...trial, only });
  const unknown = {
    knownDays: 0,
    trial: { checkedDays: 0, firedOn: [] },
    proposal: { kind: 'none', because: 'too-few-days' },
  };
  expect(await historyOf(null)).toEqual(unknown);
  const query = {
    source,
    range: { from: addDays(startDate, -20), to: startDate },
    comparison: 'none' as const,
    includeToday: true,
    levels: ['geo'],
    only: [],
    excluded: [],
    search: '',
    sort: { column: 'gross_clicks', descending: true },
  };
  const ask = (read: 'missing' | 'none') =>
    handlers['reports.page']({ query, expanded: [], offset: 0, limit: 100, read });
  await ask('missing');
  await eventually(async () => {
    const { state } = await ask('none');
    expect([state.state, state.partial]).toEqual(['idle', false]);
  });
  const brazil = { dimension: 'geo', value: 'BR' };
  // Rows of XML traffic by country cover the complete range. Its days are known only of the source.
  expect(await historyOf(brazil)).toEqual(unknown);
  const { knownDays, trial: found, proposal } = await historyOf(null);
  // The current day is not over.
  expect([knownDays, found]).toEqual([20, { checkedDays: 20, firedOn: [] }]);
  expect(proposal).toMatchObject({ kind: 'threshold', is: 'below' });

  const drill = () => handlers['reports.drill']({ query, drill: { of: brazil, by: 'date' }, read: true });
  await drill();
  await eventually(async () => {
    const { state } = await drill();
    expect([state.state, state.partial]).toEqual(['idle', false]);
  });
  const ofBrazil = await historyOf(brazil);
  expect(ofBrazil).toMatchObject({ knownDays: 20, proposal: { kind: 'threshold', is: 'below' } });
  // A value without traffic has zero requests on every loaded day, which are below the threshold from the first on.
  expect(await historyOf({ dimension: 'geo', value: 'XX' })).toMatchObject({
    trial: { checkedDays: 20, firedOn: [addDays(startDate, -20)] },
  });
  await expect(historyOf({ dimension: 'date', value: startDate })).rejects.toMatchObject({
    code: 'validation_failed',
  });
});
