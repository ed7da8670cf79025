import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  alertDays,
  alertTitle,
  followAlert,
  readAlert,
  type AlertCondition,
  type AlertState,
  type AlertTest,
  type DaySums,
} from '#shared/reports/index.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const sumsOf = (sums: DaySums['sums'], complete = true): DaySums => ({ complete, sums });

const below = (threshold: string): AlertCondition => ({ kind: 'level', is: 'below', threshold });
const above = (threshold: string): AlertCondition => ({ kind: 'level', is: 'above', threshold });
const change = (is: 'down' | 'up', percent: string): AlertCondition => ({
  kind: 'change',
  is,
  percent,
  against: 'weekdays',
});
const testOf = (metric: string, condition: AlertCondition, least: AlertTest['least'] = null): AlertTest => ({
  metric,
  window: 'yesterday',
  condition,
  least,
});
const volume = (count: string): AlertTest['least'] => ({ metric: 'gross_requests', count });

describe('an alert evaluates', () => {
  const traffic = { gross_requests: '1000', gross_clicks: '20', net_revenue: '0.30' };
  test.each<[string, AlertTest, DaySums, DaySums | null, string]>([
    ['a sum below its threshold', testOf('gross_clicks', below('21')), sumsOf(traffic), null, 'crossed'],
    ['a sum at its threshold', testOf('gross_clicks', below('20')), sumsOf(traffic), null, 'clear'],
    ['a rate that equals the threshold', testOf('click_rate', above('0.02')), sumsOf(traffic), null, 'clear'],
    ['a rate above by a hair', testOf('click_rate', above('0.019999999')), sumsOf(traffic), null, 'crossed'],
    // As floats, 0.1 + 0.2 would be 0.30000000000000004.
    ['money at its threshold', testOf('net_revenue', above('0.3')), sumsOf(traffic), null, 'clear'],
    [
      'a rate of no requests',
      testOf('click_rate', below('1')),
      sumsOf({ gross_requests: '0', gross_clicks: '0' }),
      null,
      'unknown',
    ],
    ['a missing value', testOf('net_revenue', below('1')), sumsOf({ net_revenue: null }), null, 'unknown'],
    [
      'less than the minimum volume',
      testOf('gross_clicks', below('21'), volume('1001')),
      sumsOf(traffic),
      null,
      'too-little',
    ],
    [
      'exactly the minimum volume',
      testOf('gross_clicks', below('21'), volume('1000')),
      sumsOf(traffic),
      null,
      'crossed',
    ],
    ['an incomplete day', testOf('gross_clicks', below('21')), sumsOf(traffic, false), null, 'unknown'],
    [
      'a fall by exactly the percentage',
      testOf('gross_clicks', change('down', '50')),
      sumsOf(traffic),
      sumsOf({ gross_clicks: '40' }),
      'crossed',
    ],
    [
      'a smaller fall',
      testOf('gross_clicks', change('down', '50.1')),
      sumsOf(traffic),
      sumsOf({ gross_clicks: '40' }),
      'clear',
    ],
    [
      'a rise',
      testOf('gross_clicks', change('up', '100')),
      sumsOf(traffic),
      sumsOf({ gross_clicks: '10' }),
      'crossed',
    ],
    [
      'a rise from nothing',
      testOf('gross_clicks', change('up', '100')),
      sumsOf(traffic),
      sumsOf({ gross_clicks: '0' }),
      'unknown',
    ],
    [
      'a rate that falls by exactly the percentage points',
      testOf('click_rate', change('down', '3')),
      sumsOf(traffic),
      sumsOf({ gross_requests: '1000', gross_clicks: '50' }),
      'crossed',
    ],
    [
      'a rate that more than doubles by fewer percentage points',
      testOf('click_rate', change('up', '50')),
      sumsOf(traffic),
      sumsOf({ gross_requests: '1000', gross_clicks: '5' }),
      'clear',
    ],
    [
      'a rate that rises from zero',
      testOf('click_rate', change('up', '2')),
      sumsOf(traffic),
      sumsOf({ gross_requests: '1000', gross_clicks: '0' }),
      'crossed',
    ],
    [
      'incomplete days for comparison',
      testOf('gross_clicks', change('up', '1')),
      sumsOf(traffic),
      sumsOf(traffic, false),
      'unknown',
    ],
    [
      'a sum that collapses below the minimum volume',
      testOf('gross_requests', change('down', '50'), volume('500')),
      sumsOf({ gross_requests: '3' }),
      sumsOf({ gross_requests: '900' }),
      'crossed',
    ],
    [
      'a rate of too little volume on one side',
      testOf('click_rate', change('down', '50'), volume('500')),
      sumsOf({ gross_requests: '3', gross_clicks: '0' }),
      sumsOf({ gross_requests: '900', gross_clicks: '90' }),
      'too-little',
    ],
  ])('%s', (_name, rule, now, before, kind) => {
    expect(readAlert('xml', rule, { now, before }).kind).toBe(kind);
  });
});

const counts = fc.bigInt({ min: 0n, max: 10n ** 15n });
const conditions = fc.oneof(
  counts.map((count) => below(String(count))),
  counts.map((count) => above(String(count))),
  fc.integer({ min: 1, max: 100 }).map((percent) => change('down', String(percent))),
  fc.integer({ min: 1, max: 900 }).map((percent) => change('up', String(percent))),
);
const days = fc.record({ complete: fc.boolean(), requests: counts, clicks: counts });
const asSums = ({ complete, requests, clicks }: { complete: boolean; requests: bigint; clicks: bigint }) =>
  sumsOf({ gross_requests: String(requests), gross_clicks: String(clicks) }, complete);

describe('an alert over any sequence of days', () => {
  test('fires once for each threshold crossing, and again only after it has recovered', () => {
    fc.assert(
      fc.property(conditions, fc.array(fc.tuple(days, days), { maxLength: 40 }), (condition, checks) => {
        let state: AlertState = 'clear';
        const events: string[] = [];
        for (const [now, before] of checks) {
          const rule = testOf('gross_clicks', condition, volume('10'));
          const reading = readAlert('xml', rule, { now: asSums(now), before: asSums(before) });
          const next = followAlert(state, reading);
          ({ state } = next);
          if (next.event !== null) events.push(next.event);
        }
        expect(events).toEqual(events.map((_event, at) => (at % 2 === 0 ? 'crossed' : 'recovered')));
        expect(state).toBe(events.length % 2 === 0 ? 'clear' : 'crossed');
      }),
    );
  });

  test('never decides on an incomplete day', () => {
    fc.assert(
      fc.property(
        conditions,
        days,
        days,
        fc.constantFrom<AlertState>('clear', 'crossed'),
        (condition, now, before, state) => {
          const incomplete = { now: asSums({ ...now, complete: false }), before: asSums(before) };
          const reading = readAlert('xml', testOf('gross_clicks', condition), incomplete);
          expect(followAlert(state, reading)).toEqual({ state, event: null });
        },
      ),
    );
  });

  test('compares exactly, however large or small the numbers are', () => {
    fc.assert(
      fc.property(counts, counts, fc.integer({ min: 0, max: 9 }), (clicks, threshold, decimals) => {
        const text = (value: bigint): string => {
          const digits = value.toString().padStart(decimals + 1, '0');
          return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
        };
        const now = sumsOf({ net_revenue: text(clicks) });
        const { kind } = readAlert('xml', testOf('net_revenue', below(text(threshold))), {
          now,
          before: null,
        });
        expect(kind).toBe(clicks < threshold ? 'crossed' : 'clear');
      }),
    );
  });
});

test('the days of an alert end yesterday, and the compared days end before them', () => {
  const rule = testOf('gross_clicks', change('down', '10'));
  expect(alertDays(rule, '2026-03-01')).toEqual({
    range: { from: '2026-02-28', to: '2026-02-28' },
    before: { from: '2026-02-21', to: '2026-02-21' },
  });
  expect(alertDays({ ...rule, window: 'last7' }, '2026-03-01')).toEqual({
    range: { from: '2026-02-22', to: '2026-02-28' },
    before: { from: '2026-02-15', to: '2026-02-21' },
  });
  expect(alertDays(testOf('gross_clicks', below('1')), '2026-03-01').before).toBeNull();
});

test.each([
  ['net_revenue', below('1000000.5'), 'Net revenue: below $1,000,000.50 · yesterday'],
  ['net_revenue', below('100'), 'Net revenue: below $100 · yesterday'],
  ['epc', above('0.00125'), 'EPC: above $0.00125 · yesterday'],
  ['click_rate', below('0.025'), 'Click rate: below 2.5% · yesterday'],
  ['gross_requests', above('12000'), 'Gross requests: above 12,000 · yesterday'],
  [
    'click_rate',
    change('down', '1.5'),
    'Click rate: falls by 1.5 points against the same weekdays before · yesterday',
  ],
  [
    'gross_requests',
    change('up', '1500'),
    'Gross requests: rises by 1,500% against the same weekdays before · yesterday',
  ],
])('an alert on %s at %o has the title %s', (metric, condition, title) => {
  expect(alertTitle('xml', testOf(metric, condition), defaultFormats)).toBe(title);
});
