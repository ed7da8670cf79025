import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  beyondCap,
  beyondLimit,
  everyClick,
  fromAbroad,
  outOfHours,
  overpaid,
  trafficOf,
  unblocked,
} from '#shared/training/plan/traffic.ts';

const usd = (micros: number): number => micros / 1_000_000;

const campaign = (cid: number) => ({
  cid,
  payout: 0.1,
  enable_budget: 1,
  d_revenue: 100,
  t_revenue: 3_000,
  shedule: Array.from({ length: 168 }, (_hour, index) => (index % 24 >= 8 && index % 24 < 20 ? 1 : 0)),
});

const cids = fc.integer({ min: 1, max: 1_000_000 });

test('every campaign has its own traffic, which is the same each time', () => {
  expect(trafficOf({ cid: 7 })).toEqual(trafficOf({ cid: 7 }));
  const offers = new Set(
    Array.from({ length: 60 }, (_each, at) => JSON.stringify(trafficOf({ cid: at + 1 }))),
  );
  expect(offers.size).toBe(60);
});

test('a fault costs what its campaign’s traffic says, and never more than is spent', () => {
  fc.assert(
    fc.property(cids, (cid) => {
      const before = campaign(cid);
      const { onOffer, abroad, beyondCap: seen, blocked, hours } = trafficOf(before);
      const unlimited = { ...before, enable_budget: 0 };
      expect(usd(beyondLimit(before, unlimited))).toBeCloseTo(100 * onOffer - 100, 4);
      expect(usd(beyondLimit(before, { ...before, d_revenue: 150 }))).toBeCloseTo(50, 4);
      expect(usd(fromAbroad(before))).toBeCloseTo(100 * abroad, 4);
      expect(usd(beyondCap(before))).toBeCloseTo(100 * seen, 4);
      expect(usd(unblocked(before, { removed: 5, had: 10 }))).toBeCloseTo(50 * blocked, 4);
      expect(usd(everyClick(before))).toBe(100);
      expect(usd(overpaid(before, { ...before, payout: 0.2 }))).toBeCloseTo(50, 4);
      const night = [...hours.slice(0, 8), ...hours.slice(20)];
      const part =
        night.reduce((sum, weight) => sum + weight, 0) / hours.reduce((sum, weight) => sum + weight, 0);
      expect(usd(outOfHours(before))).toBeCloseTo(100 * part, 4);
      expect(Math.min(...hours)).toBeGreaterThan(0);
    }),
  );
});
