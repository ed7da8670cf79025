import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addDays,
  alertHistory,
  alertHistoryRange,
  datesIn,
  historyDays,
  type AlertTrial,
  type DaySums,
} from '#shared/reports/index.ts';

const today = '2026-11-22';

const trial = (change: Partial<AlertTrial> = {}): AlertTrial => ({
  metric: 'gross_clicks',
  window: 'yesterday',
  condition: { kind: 'level', is: 'below', threshold: '50' },
  least: null,
  ...change,
});

const clicks = (count: number): DaySums['sums'] => ({ gross_clicks: String(count), gross_requests: '1000' });

/** The newest days, the last of which is yesterday. */
const newest = (counts: readonly (number | null)[]): Map<string, DaySums['sums'] | null> =>
  new Map(
    counts.map((count, at) => [addDays(today, at - counts.length), count === null ? null : clicks(count)]),
  );

test.each<
  [
    what: string,
    counts: (number | null)[],
    change: Partial<AlertTrial>,
    checkedDays: number,
    firedOn: string[],
  ]
>([
  ['no day is loaded', [], {}, 0, []],
  ['a low day', [100, 40, 100], {}, 3, ['2026-11-20']],
  ['low days in a row, which notify once', [100, 40, 30, 100, 20], {}, 5, ['2026-11-18', '2026-11-21']],
  ['a day at the threshold', [100, 50], {}, 2, []],
  ['a day without traffic, which is a day with zero clicks', [100, null], {}, 2, ['2026-11-21']],
  [
    'a day below the minimum volume, which decides nothing',
    [100, 40],
    { least: { metric: 'gross_requests', count: '1001' } },
    2,
    [],
  ],
  [
    'a window of a week, which needs seven days',
    [70, 70, 70, 70, 70, 70, 0, 0],
    { window: 'last7', condition: { kind: 'level', is: 'below', threshold: '400' } },
    2,
    ['2026-11-21'],
  ],
  [
    'a change against the same weekday',
    [100, 1, 1, 1, 1, 1, 1, 60, 1],
    { condition: { kind: 'change', is: 'down', percent: '30', against: 'weekdays' } },
    2,
    ['2026-11-20'],
  ],
])('the trial of an alert shows %s', (_what, counts, change, checkedDays, firedOn) => {
  expect(alertHistory('xml', trial(change), newest(counts), today)).toMatchObject({
    knownDays: counts.length,
    trial: { checkedDays, firedOn },
  });
});

test('a gap in the loaded days is not checked, and nothing notifies twice around it', () => {
  const days = newest([40, 40, 40]);
  days.delete('2026-11-20');
  expect(alertHistory('xml', trial(), days, today).trial).toEqual({
    checkedDays: 2,
    firedOn: ['2026-11-19'],
  });
});

test('an alert without a condition has a proposed threshold and no trial', () => {
  const history = alertHistory(
    'xml',
    trial({ condition: null }),
    newest(Array.from({ length: 20 }, () => 80)),
    today,
  );
  expect(history).toMatchObject({ knownDays: 20, trial: null, proposal: { is: 'below', threshold: '60' } });
});

test('a trial never checks more days than are loaded, and can check all windows of 90 loaded days', () => {
  const { from, to } = alertHistoryRange(today);
  const all = datesIn({ from, to });
  const conditions = fc.constantFrom<NonNullable<AlertTrial['condition']>>(
    { kind: 'level', is: 'above', threshold: '500' },
    { kind: 'change', is: 'up', percent: '10', against: 'previous' },
    { kind: 'change', is: 'down', percent: '10', against: 'weekdays' },
  );
  const counts = fc.array(fc.option(fc.nat(1000), { freq: 20 }), {
    minLength: all.length,
    maxLength: all.length,
  });
  fc.assert(
    fc.property(
      counts,
      conditions,
      fc.constantFrom('yesterday' as const, 'last7' as const),
      fc.boolean(),
      (values, condition, window, isAll) => {
        const days = new Map(
          all.flatMap((date, at) => {
            const count = values[at] ?? null;
            return count === null && !isAll ? [] : [[date, count === null ? null : clicks(count)] as const];
          }),
        );
        const { knownDays, trial: found } = alertHistory('xml', trial({ condition, window }), days, today);
        expect(found?.checkedDays).toBeLessThanOrEqual(knownDays);
        expect(found?.firedOn.length).toBeLessThanOrEqual(found?.checkedDays ?? 0);
        if (isAll) expect([knownDays, found?.checkedDays]).toEqual([historyDays, historyDays]);
      },
    ),
    { numRuns: 50 },
  );
});
