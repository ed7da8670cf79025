import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { daySlices, isStale, planDrill, planReport, requestsFor } from '#core/reports/load/plan.ts';
import type { SliceAddress } from '#core/store/report-cache.ts';
import type { ReportQuery } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { addDays, datesIn, daysIn } from '#shared/reports/index.ts';

const today = '2026-11-22';
const owner = { profile: 'p', keyHash: 'k', today };

function query(change: Partial<ReportQuery> = {}): ReportQuery {
  return {
    source: { kind: 'xml', tid: 7301 },
    range: { preset: 'last7' },
    comparison: 'none',
    includeToday: false,
    levels: ['date'],
    only: [],
    excluded: [],
    search: '',
    sort: { column: 'date', descending: false },
    ...change,
  };
}

const texts = (slices: readonly SliceAddress[]): string[] =>
  slices.map(({ grouping, from, to }) => `${grouping} ${from}${from === to ? '' : ` to ${to}`}`);

describe('the slices of a report', () => {
  test('XML traffic by day and its compared days are read day by day', () => {
    const plan = planReport(
      query({ comparison: 'previous', range: { from: '2026-11-10', to: '2026-11-11' } }),
      owner,
    );
    expect(texts(plan.rows.current)).toEqual(['day 2026-11-10', 'day 2026-11-11']);
    expect(texts(plan.rows.compared ?? [])).toEqual(['day 2026-11-08', 'day 2026-11-09']);
    expect(plan.rows.shiftDays).toBe(2);
    expect(plan.series).toBeNull();
  });

  test('XML traffic by country is one slice of the counted days, with slices by day for the lines', () => {
    const plan = planReport(
      query({ levels: ['geo'], comparison: 'weekdays', range: { from: '2026-11-20', to: today } }),
      owner,
    );
    expect(texts(plan.rows.current)).toEqual(['geo 2026-11-20 to 2026-11-21']);
    expect(texts(plan.rows.compared ?? [])).toEqual(['geo 2026-11-13 to 2026-11-14']);
    expect(texts(plan.series?.current ?? [])).toEqual(['day 2026-11-20', 'day 2026-11-21', 'day 2026-11-22']);
    expect(plan.days).toEqual({
      range: { from: '2026-11-20', to: today },
      compared: { from: '2026-11-13', to: '2026-11-14' },
      incompleteDay: today,
    });
    expect(plan.countedRange).toEqual({ from: '2026-11-20', to: '2026-11-21' });
    expect(plan.rows.shiftDays).toBe(7);
  });

  test.each([
    [['geo'], 'subid', 'geo'],
    [['tier'], 'subid', 'subid'],
    [['tier'], 'day', 'day'],
    [['tier'], undefined, 'geo'],
    [['tier', 'subid'], 'day', 'subid'],
  ] as const)('XML traffic by %o with rows by %s is read by %s', (levels, grouping, read) => {
    const plan = planReport(query({ levels: [...levels], ...(grouping && { grouping }) }), owner);
    expect(plan.rows.current[0]?.grouping).toBe(read);
  });

  test('Search is read by day, for one feed or for all feeds', () => {
    const one = planReport(
      query({ source: { kind: 'search', sid: 411 }, range: { preset: 'yesterday' } }),
      owner,
    );
    expect([one.scope.source, texts(one.slices)]).toEqual([411, ['feed 2026-11-21']]);
    expect(planReport(query({ source: { kind: 'search', sid: null } }), owner).scope.source).toBe(0);
  });

  test('the current day is counted if only that day was requested, and compared only on request', () => {
    const asked = { range: { preset: 'today' as const }, comparison: 'weekdays' as const };
    const plan = planReport(query(asked), owner);
    expect(plan).toMatchObject({ countedRange: { from: today, to: today }, query: { includeToday: true } });
    expect(plan.days.compared).toBeNull();
    const included = planReport(query({ ...asked, includeToday: true }), owner);
    expect(included.days.compared).toEqual({ from: '2026-11-15', to: '2026-11-15' });
  });

  test.each([
    ['geo', { from: today, to: '2026-11-23' }, ['geo 2026-11-22']],
    ['subid', { from: today, to: '2026-12-05' }, ['subid 2026-11-22']],
    ['date', { from: today, to: '2026-11-23' }, ['day 2026-11-22']],
    ['date', { from: '2026-11-21', to: '2026-12-05' }, ['day 2026-11-21', 'day 2026-11-22']],
    ['geo', { from: '2026-11-20', to: '2026-12-05' }, ['geo 2026-11-20 to 2026-11-21']],
  ])('by %s of %o, days that have not begun are neither read nor compared', (level, range, slices) => {
    const asked = { levels: [level], comparison: 'previous' as const };
    const plan = planReport(query({ ...asked, range }), owner);
    expect(texts(plan.rows.current)).toEqual(slices);
    const untilToday = planReport(query({ ...asked, range: { ...range, to: today } }), owner);
    expect(plan).toEqual({ ...untilToday, query: { ...untilToday.query, range } });
  });

  test.each([
    ['begins after its end', { from: '2026-11-02', to: '2026-11-01' }, 'date_to'],
    ['is longer than two years', { from: '2024-11-19', to: today }, 'date_to'],
    ['has not begun', { from: '2026-11-23', to: '2026-11-30' }, 'date_from'],
  ])('a range that %s is refused with its field', (_name, range, field) => {
    const plan = () => planReport(query({ range }), owner);
    expect(plan).toThrow(AppError);
    expect(plan).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        fields: [expect.objectContaining({ field })],
      }),
    );
  });
});

describe('a drill-down', () => {
  const plan = planReport(query({ levels: ['geo'], range: { preset: 'last90' } }), owner);

  test('of a country reads every counted day by country, at most the newest 92', () => {
    const { slices, newestDays } = planDrill(plan, {
      of: { dimension: 'geo', value: 'BR' },
      by: 'date',
    });
    expect([slices.length, newestDays]).toEqual([90, null]);
    expect(texts(slices.slice(-1))).toEqual(['geo 2026-11-21']);
    const long = planReport(
      query({ levels: ['geo'], range: { from: '2026-01-01', to: '2026-11-21' } }),
      owner,
    );
    const cutShort = planDrill(long, { of: { dimension: 'geo', value: 'BR' }, by: 'date' });
    expect([cutShort.slices.length, cutShort.newestDays]).toEqual([92, 92]);
    expect(texts(cutShort.slices.slice(-1))).toEqual(['geo 2026-11-21']);
  });

  test('of a day reads that day by country or sub-id', () => {
    const of = { dimension: 'date', value: '2026-11-03' };
    expect(texts(planDrill(plan, { of, by: 'subid' }).slices)).toEqual(['subid 2026-11-03']);
  });

  test.each([
    [{ dimension: 'geo', value: 'BR' }, 'subid'],
    [{ dimension: 'date', value: '2026-11-03' }, 'date'],
    [{ dimension: 'date', value: 'yesterday' }, 'geo'],
    [{ dimension: 'site', value: 'x' }, 'date'],
  ])('of %o by %s is not possible', (of, by) => {
    expect(() => planDrill(plan, { of, by })).toThrow(AppError);
  });
});

test('slices are valid for 15 minutes while their days may change, and for a day afterwards', () => {
  const nowMs = Date.parse('2026-11-22T12:00:00Z');
  const minutes = (count: number): number => nowMs - count * 60_000;
  const slice = (to: string): SliceAddress => ({ grouping: 'geo', from: '2026-11-01', to });
  const stale = (to: string, readAtMs: number): boolean => isStale(slice(to), readAtMs, { today, nowMs });
  expect([stale(today, minutes(14)), stale('2026-11-20', minutes(16)), stale(today, minutes(16))]).toEqual([
    false,
    true,
    true,
  ]);
  expect([stale('2026-11-19', minutes(16)), stale('2026-11-19', minutes(24 * 60 + 1))]).toEqual([
    false,
    true,
  ]);
  // The clock was set back.
  expect(stale('2026-11-19', nowMs + 30 * 60 * 60_000)).toBe(true);
});

describe('the requests of a report', () => {
  test('combine adjacent days, at most 31 each', () => {
    const slices = daySlices({ from: '2026-08-24', to: '2026-11-21' }, 'feed');
    const requests = requestsFor(slices);
    expect(texts(requests)).toEqual([
      'feed 2026-08-24 to 2026-09-20',
      'feed 2026-09-21 to 2026-10-21',
      'feed 2026-10-22 to 2026-11-21',
    ]);
  });

  test('are separate for other groupings, gaps and complete ranges', () => {
    const slices: SliceAddress[] = [
      { grouping: 'geo', from: '2026-11-01', to: '2026-11-03' },
      ...daySlices({ from: '2026-11-01', to: '2026-11-02' }, 'day'),
      ...daySlices({ from: '2026-11-04', to: '2026-11-04' }, 'day'),
      ...daySlices({ from: '2026-11-05', to: '2026-11-06' }, 'geo'),
    ];
    expect(texts(requestsFor(slices))).toEqual([
      'geo 2026-11-01 to 2026-11-03',
      'day 2026-11-01 to 2026-11-02',
      'day 2026-11-04',
      'geo 2026-11-05',
      'geo 2026-11-06',
    ]);
  });

  test('contain each missing slice exactly once, and exactly its days', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(120), { maxLength: 80 }), (offsets) => {
        const slices = offsets
          .toSorted((left, right) => left - right)
          .map((offset) => addDays('2026-07-01', offset))
          .map((day): SliceAddress => ({ grouping: 'feed', from: day, to: day }));
        const requests = requestsFor(slices);
        expect(requests.flatMap((request) => request.slices)).toEqual(slices);
        for (const request of requests) {
          expect(datesIn(request)).toEqual(request.slices.map(({ from }) => from));
          expect(daysIn(request)).toBeLessThanOrEqual(31);
        }
      }),
    );
  });
});
