import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  metricDay,
  minUsualDays,
  proposeThreshold,
  unusualDays,
  type MetricDay,
} from '#shared/reports/index.ts';

/** A Monday. */
const monday = '2026-10-05';

const daysOf = (values: readonly (number | null)[]): MetricDay[] =>
  values.map((value, at) => ({ date: addDays(monday, at), value }));

const weeks = (count: number, week: readonly number[]): number[] =>
  Array.from({ length: count }, () => week).flat();

const level = [100, 103, 97, 101, 99, 60, 62];

describe('a change beyond the usual range is found:', () => {
  test.each<[what: string, values: (number | null)[], found: [string, string][]]>([
    ['no change if weekends are always lower', weeks(3, level), []],
    ['a day that collapses', [...weeks(3, level), 40, 100], [['2026-10-26', 'low']]],
    ['a day that surges', [...weeks(3, level), 100, 190], [['2026-10-27', 'high']]],
    [
      'a weekend with the traffic of a weekday',
      [...weeks(3, level), 100, 100, 100, 100, 100, 100],
      [['2026-10-31', 'high']],
    ],
    ['several days in a row as one change', [...weeks(4, level), 40, 41, 42], [['2026-11-02', 'low']]],
    [
      'two separate changes, newest first',
      [...weeks(3, level), 40, 100, 190],
      [
        ['2026-10-28', 'high'],
        ['2026-10-26', 'low'],
      ],
    ],
    ['a steady rise', Array.from({ length: 60 }, (_, at) => 100 + at), []],
    [
      'no change below a quarter, however regular the days are',
      [...weeks(3, [100, 100, 100, 100, 100, 100, 100]), 120],
      [],
    ],
    ['a collapse after fewer than two weeks', [...weeks(1, level), 100, 103, 97, 101, 99, 5], []],
    ['a collapse in two weeks', [...weeks(1, level), 100, 103, 97, 101, 20, 60, 62], [['2026-10-16', 'low']]],
    ['no change on unknown days', [...weeks(1, level), null, null, null, null, null, 60, 5], []],
  ])('%s', (_what, values, found) => {
    expect(unusualDays('xml', 'net_revenue', daysOf(values)).map(({ date, is }) => [date, is])).toEqual(
      found,
    );
  });

  test('nothing is unusual with too few known days', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { maxLength: minUsualDays - 1 }),
        (values) => {
          expect(unusualDays('xml', 'net_revenue', daysOf(values))).toEqual([]);
          expect(proposeThreshold('xml', 'net_revenue', daysOf(values))).toEqual({
            kind: 'none',
            because: 'too-few-days',
          });
        },
      ),
    );
  });

  test('a rate with too small a denominator is unknown', () => {
    const rate = (clicks: string) =>
      metricDay('xml', 'valid_rate', monday, { gross_clicks: clicks, gross_valid: '50' }).value;
    expect([rate('99'), rate('100')]).toEqual([null, 0.5]);
    expect(metricDay('xml', 'gross_clicks', monday, { gross_clicks: '99' }).value).toBe(99);
    expect(metricDay('xml', 'gross_clicks', monday, { gross_clicks: null }).value).toBeNull();
  });
});

describe('a proposed threshold', () => {
  test.each<[metric: string, values: number[], is: string, threshold: string]>([
    // Weekdays are 100 ± 25, weekends 61 ± 15.25: the lower edge of both is 45.75.
    ['net_revenue', weeks(3, level), 'below', '45'],
    ['gross_invalid', weeks(3, level), 'above', '130'],
    [
      'gross_clicks',
      weeks(
        2,
        Array.from({ length: 7 }, () => 123_456),
      ),
      'below',
      '92000',
    ],
    [
      'gross_clicks',
      weeks(
        2,
        Array.from({ length: 7 }, () => 9),
      ),
      'below',
      '6',
    ],
    [
      'valid_rate',
      weeks(
        2,
        Array.from({ length: 7 }, () => 0.96),
      ),
      'below',
      '0.86',
    ],
    [
      'click_rate',
      weeks(
        2,
        Array.from({ length: 7 }, () => 0.024),
      ),
      'below',
      '0.018',
    ],
    [
      'epc',
      weeks(
        2,
        Array.from({ length: 7 }, () => 0.0123),
      ),
      'below',
      '0.0092',
    ],
  ])('for %s of %j', (metric, values, is, threshold) => {
    expect(proposeThreshold('xml', metric, daysOf(values))).toMatchObject({
      kind: 'threshold',
      is,
      threshold,
    });
  });

  test('is not given if the usual range includes zero', () => {
    const values = weeks(3, [0, 100, 5, 80, 1, 40, 0]);
    expect(proposeThreshold('xml', 'gross_clicks', daysOf(values))).toEqual({
      kind: 'none',
      because: 'reaches-zero',
    });
  });

  test('is beyond every usual day, has two digits, and is near the edge', () => {
    const values = fc.array(fc.double({ min: 1, max: 1e9, noNaN: true }), { minLength: 14, maxLength: 90 });
    fc.assert(
      fc.property(values, fc.constantFrom('net_revenue', 'gross_invalid', 'epc'), (sizes, metric) => {
        const proposal = proposeThreshold('xml', metric, daysOf(sizes));
        if (proposal.kind === 'none') return;
        const threshold = Number(proposal.threshold);
        const edge = Number(proposal.is === 'below' ? proposal.usual.low : proposal.usual.high);
        expect(
          proposal.is === 'below' ? threshold <= edge * (1 + 1e-9) : threshold >= edge * (1 - 1e-9),
        ).toBe(true);
        expect(Math.abs(threshold - edge)).toBeLessThanOrEqual(edge * 0.1 + 1e-6);
        expect(proposal.threshold).toMatch(/^\d{1,2}0*$|^\d\.\d$|^0\.0*[1-9]\d?$/u);
      }),
    );
  });
});
