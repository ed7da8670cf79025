import { expect, test } from 'vitest';
import { kindOf } from '#shared/campaign/index.ts';

/** A type with arbitrary bounds. */
const type = (name: string, pricing: string) => ({ name, pricing, minBid: 0.01, maxBid: 1 });

test.each([
  ['CPC Push', 'CPC', 'CPC push'],
  ['push notifications', 'cpc', 'CPC push'],
  ['In-Page PUSH', 'CPC model', 'CPC push'],
  ['Popunder CPV', 'CPV', 'CPV popunder'],
  ['POPUNDER', 'CPM', 'CPM popunder'],
  ['Contextual', 'CPC', 'CPC contextual'],
  ['Contextual-Push', 'CPM', 'CPM contextual push'],
  ['Pushdown banner', 'CPM', 'CPM'],
  ['Popunders', 'CPV', 'CPV'],
  ['Contextually yours', 'CPC', 'CPC'],
  ['Push', 'FLAT', 'other push'],
  ['Sponsorship', 'FLAT', 'other unrecognised'],
  ['CPC', '', 'other unrecognised'],
])('the type “%s” with pricing “%s” is %s', (name, pricing, words) => {
  const kind = kindOf(type(name, pricing));
  const said = [
    kind.pricing,
    ...(kind.contextual ? ['contextual'] : []),
    ...(kind.push ? ['push'] : []),
    ...(kind.popunder ? ['popunder'] : []),
    ...(kind.recognised ? [] : ['unrecognised']),
  ];
  expect(said.join(' ')).toBe(words);
});

test('a type that the tenant does not offer is not recognised', () => {
  expect(kindOf(undefined).recognised).toBe(false);
});
