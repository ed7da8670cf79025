import { expect, test } from 'vitest';
import { typedFilters } from '#renderer/features/campaigns/find/typed-filters.ts';

const types = ['Push', 'In-Page Push', 'Popunder'].map((name) => ({ name }));
const brazil = { kind: 'country', codes: ['BR'], orAll: false };
const push = { kind: 'type', names: ['Push', 'In-Page Push'] };
const above = (amount: number): object => ({ kind: 'budget', column: 'd_revenue', is: 'above', amount });

test.each([
  ['br pu>100', [brazil, push, above(100)], ''],
  ['Brazil PUSH>$100', [brazil, push, above(100)], ''],
  ['summer <1.5k br', [brazil, { ...above(1_500), is: 'below' }], 'summer'],
  ['total budget > 5000', [{ ...above(5_000), column: 't_revenue' }], ''],
  ['daily >5', [above(5)], ''],
  [
    'bid >0.05 <20',
    [
      { kind: 'bid', min: 0.05, max: null },
      { ...above(20), is: 'below' },
    ],
    '',
  ],
  ['bid<0.05', [{ kind: 'bid', min: null, max: 0.05 }], ''],
])('“%s” is offered as filters, and other words stay in the search', (text, conditions, rest) => {
  expect(typedFilters(text, types)).toEqual({ conditions, rest });
});

test.each(['brazil push', '100', '105230', 'made in >', '>1,234', '>100x', ''])(
  '“%s” contains no comparison and stays a search',
  (text) => {
    expect(typedFilters(text, types)).toBeNull();
  },
);

test('a word that names a type and a country, or more than three countries, stays in the search', () => {
  expect(typedFilters('in isl >100', types)).toEqual({ conditions: [above(100)], rest: 'in isl' });
});
