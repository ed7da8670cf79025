import { expect, test } from 'vitest';
import { cleared, narrows, sortedBy } from '#renderer/stores/campaigns/filter.ts';
import { noFilter } from '#shared/app-api/index.ts';

test('names sort from A to Z and amounts from the largest, and a second press reverses the order', () => {
  const byName = sortedBy(noFilter, 'name');
  expect(byName).toMatchObject({ sort: 'name', order: 'asc' });
  expect(sortedBy(byName, 'name')).toMatchObject({ sort: 'name', order: 'desc' });
  expect(sortedBy(byName, 'payout')).toMatchObject({ sort: 'payout', order: 'desc' });
});

test('clearing the filter keeps the order and shows every row', () => {
  const filter = { ...noFilter, query: 'push', status: 1, types: [3], sort: 'name', order: 'asc' } as const;
  expect(narrows({ ...filter, types: [...filter.types] })).toBe(true);
  const all = cleared({ ...filter, types: [...filter.types] });
  expect(narrows(all)).toBe(false);
  expect(all).toMatchObject({ sort: 'name', order: 'asc' });
});

test('a search for spaces only is not a filter', () => {
  expect(narrows({ ...noFilter, query: '  ' })).toBe(false);
});
