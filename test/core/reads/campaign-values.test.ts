import { expect, test } from 'vitest';
import { seenValues } from '#core/reads/seen-values.ts';

test('values of lists and macros of addresses are counted by campaign, the most frequent first', () => {
  const seen = seenValues([
    { cid: 1, os: ['iOS', 'Android', 'Android'], clickurl: 'https://a.example/?c={click_id}&z={zone_id}' },
    { cid: 2, os: ['Android'], clickurl: 'https://b.example/?c={click_id}', website: '' },
    { cid: 3, os: [], bidControl: [{ id: 1 }], publisher_blocklist: [1234], name: 'no list' },
  ]);
  expect(seen.campaigns).toBe(3);
  expect(seen.values['os']).toEqual([
    { value: 'Android', campaigns: 2 },
    { value: 'iOS', campaigns: 1 },
  ]);
  expect(seen.values['publisher_blocklist']).toEqual([{ value: 1234, campaigns: 1 }]);
  expect(seen.values['bidControl']).toEqual([]);
  expect(seen.macros).toEqual([
    { macro: '{click_id}', campaigns: 2 },
    { macro: '{zone_id}', campaigns: 1 },
  ]);
});

test('a value that is too long for a suggestion is left out', () => {
  expect(seenValues([{ os: ['x'.repeat(201)] }]).values['os']).toEqual([]);
});
