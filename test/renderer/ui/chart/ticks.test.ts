import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayTicks, valueTicks } from '#renderer/ui/chart/time/chart-data.ts';
import { datesIn } from '#shared/reports/index.ts';

test.each([
  [{ min: 0, max: 121_000, whole: true }, [0, 40_000, 80_000, 120_000, 160_000]],
  [{ min: 0, max: 0.09, whole: false }, [0, 0.025, 0.05, 0.075, 0.1]],
  [{ min: 0, max: 2, whole: true }, [0, 1, 2]],
  [{ min: 0, max: 0, whole: true }, [0, 1]],
  [{ min: -30, max: 60, whole: false }, [-50, -25, 0, 25, 50, 75]],
])('an axis over %o has marks at %o', (range, ticks) => {
  expect(valueTicks({ ...range, divisions: 4, exact: false })).toEqual(ticks);
});

test('the marks of an axis are few, span every value and include zero', () => {
  const value = fc.double({ min: -1e12, max: 1e12, noNaN: true });
  fc.assert(
    fc.property(value, value, fc.boolean(), fc.boolean(), (one, other, whole, exact) => {
      const [min, max] = [Math.min(one, other), Math.max(one, other)];
      fc.pre(Math.abs(max - min) > 1e-6);
      const ticks = valueTicks({ min, max, whole, divisions: 4, exact });
      const slack = 1e-6 * Math.max(Math.abs(min), Math.abs(max));
      expect(ticks[0]).toBeLessThanOrEqual(min + slack);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(max - slack);
      expect(ticks.some((tick) => Math.abs(tick) < slack + 1e-12)).toBe(true);
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(7);
    }),
  );
});

const range = (from: string, to: string): string[] => datesIn({ from, to });

test.each([
  [
    'a week',
    range('2026-11-15', '2026-11-21'),
    ['15 Nov', '16 Nov', '17 Nov', '18 Nov', '19 Nov', '20 Nov', '21 Nov'],
  ],
  ['a month', range('2026-11-01', '2026-11-30'), ['2 Nov', '9 Nov', '16 Nov', '23 Nov', '30 Nov']],
  ['a year', range('2025-12-20', '2026-12-19'), ['Jan 2026', 'Mar', 'May', 'Jul', 'Sep', 'Nov']],
  ['one day', range('2026-11-15', '2026-11-15'), ['15 Nov']],
  ['no day', [], []],
])('the time axis of %s is labelled at %o', (_, dates, labels) => {
  expect(dayTicks(dates, 520).map(({ label }) => label)).toEqual(labels);
});

test('date labels do not overlap, whatever the range', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 800 }), fc.integer({ min: 100, max: 2000 }), (days, width) => {
      const dates = range('2026-01-05', '2028-12-31').slice(0, days);
      const ticks = dayTicks(dates, width);
      expect(ticks.length).toBeGreaterThan(0);
      expect(ticks.length).toBeLessThanOrEqual(Math.max(1, width / 64));
    }),
  );
});
