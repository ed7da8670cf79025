import { expect, test } from 'vitest';
import { campaignValues } from '#core/reads/campaigns.ts';

test('list values and URL macros are counted by campaign, with the most frequent first', () => {
  const seen = campaignValues(
    [
      { cid: 1, os: ['iOS', 'Android', 'Android'], clickurl: 'https://a.example/?c={click_id}&z={zone_id}' },
      { cid: 2, os: ['Android'], clickurl: 'https://b.example/?c={click_id}', website: '' },
      { cid: 3, os: [], bidControl: [{ id: 1 }], publisher_blocklist: [1234], name: 'no list' },
    ],
    [],
  );
  expect(seen.campaigns).toBe(3);
  expect(seen.lists['os']).toEqual([
    { value: 'Android', campaigns: 2 },
    { value: 'iOS', campaigns: 1 },
  ]);
  expect(seen.lists['publisher_blocklist']).toEqual([{ value: 1234, campaigns: 1 }]);
  expect(seen.lists).not.toHaveProperty('bidControl');
  expect(seen.macros).toEqual([
    { macro: '{click_id}', campaigns: 2 },
    { macro: '{zone_id}', campaigns: 1 },
  ]);
});

test('a value that is too long is not suggested', () => {
  expect(campaignValues([{ os: ['x'.repeat(201)] }], []).lists['os']).toEqual([]);
});

test('keywords count as a list and schedules do not, and list rows give the countries of campaigns that were not read in full', () => {
  const { lists } = campaignValues(
    [{ cid: 1, geo: ['DE'], shedule: [0, 1], keywords_blocklist: 'casino\nloan' }],
    [
      { cid: 1, geo: ['DE'] },
      { cid: 2, geo: ['DE', 'FR'] },
    ],
  );
  expect(Object.keys(lists)).toEqual(['geo', 'keywords_blocklist']);
  expect(lists['geo']).toEqual([
    { value: 'DE', campaigns: 2 },
    { value: 'FR', campaigns: 1 },
  ]);
  expect(lists['keywords_blocklist']?.map(({ value }) => value)).toEqual(['casino', 'loan']);
});
