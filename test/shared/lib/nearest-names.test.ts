import { expect, test } from 'vitest';
import { contractFields, fieldLabel } from '#shared/campaign/index.ts';
import { nearestNames } from '#shared/lib/nearest-names.ts';

const near = (name: string) => nearestNames(name, contractFields, fieldLabel);

test.each([
  ['bid', 'payout'],
  ['max_bid', 'payout'],
  ['daily_budget', 'd_revenue'],
  ['Daily Budget', 'd_revenue'],
  ['total_budget', 't_revenue'],
  ['countries', 'geo'],
  ['country', 'geo'],
  ['schedule', 'shedule'],
  ['end_date', 'expire'],
  ['click_url', 'clickurl'],
  ['Payout', 'payout'],
])('the unknown name %s suggests %s', (asked, meant) => {
  expect(near(asked)).toContain(meant);
  expect(near(asked).length).toBeLessThanOrEqual(3);
});

test('the nearest name comes first, and a dissimilar name has no suggestions', () => {
  expect(near('daily_budget')[0]).toBe('d_revenue');
  expect(near('bid')[0]).toBe('payout');
  expect(near('frobnicate')).toEqual([]);
  expect(near('')).toEqual([]);
  expect(near('x'.repeat(1_000_000))).toEqual([]);
  expect(nearestNames('ofset', ['limit', 'offset', 'order'])).toEqual(['offset']);
});
