import fc from 'fast-check';
import { expect, test } from 'vitest';
import { noFilter } from '#shared/app-api/index.ts';
import { formatList, parseList } from '#renderer/features/campaigns/stores/list-address.ts';
import { sortColumns } from '#shared/contract/index.ts';
import { budgetColumns, type CampaignCondition, findablePricings } from '#shared/find/index.ts';
import { runs } from '#test/setup/property-runs.ts';

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((one) => one.trim() !== '');
const is = fc.constantFrom('contains' as const, 'lacks' as const);
const amount = fc.integer({ min: 0, max: 1e9 }).map((micros) => micros / 1000);
const kinds: { [K in CampaignCondition['kind']]: fc.Arbitrary<Extract<CampaignCondition, { kind: K }>> } = {
  status: fc.record({
    kind: fc.constant('status' as const),
    statuses: fc.subarray([0, 1, 2, 3, 4], { minLength: 1 }),
  }),
  type: fc.record({ kind: fc.constant('type' as const), names: fc.array(text, { minLength: 1 }) }),
  name: fc.record({ kind: fc.constant('name' as const), is, text }),
  ids: fc.record({
    kind: fc.constant('ids' as const),
    cids: fc.array(fc.integer({ min: 1 }), { minLength: 1 }),
  }),
  bid: fc.record({
    kind: fc.constant('bid' as const),
    min: fc.option(amount),
    max: fc.option(amount),
  }),
  budget: fc.record({
    kind: fc.constant('budget' as const),
    column: fc.constantFrom(...budgetColumns),
    is: fc.constantFrom('above' as const, 'below' as const),
    amount,
  }),
  country: fc.record({
    kind: fc.constant('country' as const),
    codes: fc.array(text, { minLength: 1 }),
    orAll: fc.boolean(),
  }),
  countryTargeting: fc.record({
    kind: fc.constant('countryTargeting' as const),
    is: fc.constantFrom('all' as const, 'custom' as const),
  }),
  bidControls: fc.record({ kind: fc.constant('bidControls' as const), has: fc.boolean() }),
  spendsToday: fc.record({
    kind: fc.constant('spendsToday' as const),
    limit: fc.constantFrom('any' as const, 'none' as const),
  }),
  runsNow: fc.record({ kind: fc.constant('runsNow' as const), runs: fc.boolean() }),
  endsWithin: fc.record({ kind: fc.constant('endsWithin' as const), days: fc.nat(3650) }),
  noEnd: fc.record({ kind: fc.constant('noEnd' as const) }),
  pricing: fc.record({
    kind: fc.constant('pricing' as const),
    pricings: fc.subarray([...findablePricings], { minLength: 1 }),
  }),
  domain: fc.record({ kind: fc.constant('domain' as const), domain: text }),
  member: fc.record({
    kind: fc.constant('member' as const),
    field: fc.option(text),
    is,
    member: text,
    orAll: fc.boolean(),
  }),
  label: fc.record({
    kind: fc.constant('label' as const),
    labels: fc.array(text, { minLength: 1 }),
    is: fc.constantFrom('any' as const, 'none' as const),
  }),
  note: fc.record({ kind: fc.constant('note' as const), has: fc.boolean() }),
};

const filter = fc.record({
  query: fc.string({ unit: 'grapheme', maxLength: 20 }),
  status: fc.option(fc.nat(4)),
  types: fc.uniqueArray(fc.nat(200)),
  sort: fc.constantFrom(...sortColumns),
  order: fc.constantFrom('asc' as const, 'desc' as const),
});

test('search, filters, every kind of condition and the order are restored from the address of the list', () => {
  const list = fc.record({
    filter,
    conditions: fc.array(fc.oneof(...Object.values(kinds)), { maxLength: 8 }),
  });
  fc.assert(
    fc.property(list, (shown) => {
      const address = formatList(shown);
      expect(parseList(address)).toEqual(shown);
      // Encoded as the address bar returns it.
      expect(new URL(`http://127.0.0.1/#/campaigns?${address}`).hash).toBe(`#/campaigns?${address}`);
    }),
    runs(500),
  );
});

test('the list without filters has an address without parameters, and usual filters have a short address', () => {
  expect(formatList({ filter: noFilter, conditions: [] })).toBe('');
  expect(
    formatList({
      filter: { ...noFilter, query: 'push brazil', status: 1 },
      conditions: [{ kind: 'country', codes: ['BR'], orAll: true }],
    }),
  ).toBe('find=push+brazil&status=1&with=country%3ABR%3Ayes');
});

test.each([
  'find=' + 'x'.repeat(256),
  'status=9&type=a&sort=name&sort=+nothing',
  'with=country&with=country:BR&with=constructor:x&with=endsWithin:99999&with=name:contains:%25E0',
  'with=budget:payout:above:1&with=budget:d_revenue:above:&with=status:7&with=ids:x&with=pricing:free',
])('what is not valid in an address is omitted: %#', (address) => {
  expect(parseList(address)).toEqual({ filter: noFilter, conditions: [] });
});

test('any text in an address gives a valid list', () => {
  const parameter = fc.tuple(
    fc.constantFrom('find', 'status', 'type', 'sort', 'with'),
    fc.oneof(
      fc.string(),
      fc.constantFrom(...Object.keys(kinds)).chain((kind) => fc.string().map((rest) => `${kind}:${rest}`)),
    ),
  );
  fc.assert(
    fc.property(fc.array(parameter), (parameters) => {
      const shown = parseList(new URLSearchParams(parameters).toString());
      expect(parseList(formatList(shown))).toEqual(shown);
    }),
    runs(500),
  );
});
