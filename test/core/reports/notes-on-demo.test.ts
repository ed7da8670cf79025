import { expect, test } from 'vitest';
import type { AppEvent } from '#shared/app-api/index.ts';
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

test('an alert on the demo fires on each half-day outage and recovers on the day after, and on nothing else', async () => {
  const world = await createWorld({ clock: createManualClock(startMs), days: 70 });
  const { handlers } = world.core;
  const heard: AppEvent[] = [];
  world.core.subscribe((event) => void heard.push(event));
  await handlers['reports.alerts.save']({
    id: null,
    rule: {
      source,
      only: null,
      metric: 'gross_requests',
      window: 'yesterday',
      condition: { kind: 'change', is: 'down', percent: '30', against: 'weekdays' },
      least: { metric: 'gross_requests', count: '1000' },
    },
  });
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

test('a mark keeps the sums of its value that the report shows, and the current day never counts as complete', async () => {
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
