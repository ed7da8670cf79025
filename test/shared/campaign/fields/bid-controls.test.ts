import { describe, expect, test } from 'vitest';
import { bidControlOf, bidsToCopy } from '#shared/campaign/index.ts';
import { changedBids } from '#shared/campaign/fields/bid-controls.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';

const limits = { minBid: 0.01, maxBid: 5 };

describe('an editable bid control', () => {
  test.each<[title: string, control: JsonValue, source: string | number, member: string]>([
    ['a source and a bid', { source: 'zone-7', bid: 0.06 }, 'zone-7', 'bid'],
    ['in the other order', { cpc: 0.06, zone: 'a' }, 'a', 'cpc'],
    ['a source that is a number', { publisher: 7301, bid: 0.06 }, 7301, 'bid'],
    ['a source that names itself an id', { zone_id: 3, bid: 0.06 }, 3, 'bid'],
    ['the lowest bid', { source: 'a', bid: 0.01 }, 'a', 'bid'],
    ['the highest bid', { source: 'a', bid: 5 }, 'a', 'bid'],
  ])('%s', (_title, control, source, member) => {
    expect(bidControlOf(control, limits)).toMatchObject({ source: { value: source }, bid: { member } });
  });

  test.each<[title: string, control: JsonValue]>([
    ['a third member', { id: 1, source: 'zone-7', bid: 0.06 }],
    ['a bid alone', { bid: 0.06 }],
    ['a bid below the limits', { source: 'a', bid: 0.009 }],
    ['a bid above the limits', { source: 'a', bid: 5.01 }],
    ['two numbers that could both be the bid', { a: 1, b: 2 }],
    ['a priority', { source: 'a', priority: 1 }],
    ['a factor', { source: 'a', factor: 1.5 }],
    ['an empty source', { source: ' ', bid: 0.06 }],
    ['a source that is an object', { source: { id: 1 }, bid: 0.06 }],
    ['a bid that is text', { source: 'a', bid: '0.06' }],
    ['a text', 'a'],
    ['a list', ['a', 0.06]],
    ['nothing', null],
  ])('does not include a control with %s', (_title, control) =>
    expect(bidControlOf(control, limits)).toBeNull(),
  );

  test('does not exist if the type is unknown', () =>
    expect(bidControlOf({ source: 'a', bid: 0.06 }, undefined)).toBeNull());
});

test('changed bids are found wherever their objects are in the list, and nothing else is', () => {
  const before = [
    { source: 'a', bid: 1 },
    { source: 'b', bid: 2 },
    { id: 1, source: 'c', bid: 3 },
  ];
  const after = [
    { source: 'b', bid: 9 },
    { id: 1, source: 'c', bid: 99 },
    { source: 'd', bid: 4 },
    { bid: 1, source: 'a' },
  ];
  expect(changedBids(before, after)).toEqual([{ control: before[1], member: 'bid', value: 9 }]);
  expect(changedBids(before, before)).toEqual([]);
  expect(changedBids(undefined, after)).toEqual([]);
});

test('bids are copied to controls of the same source, unless a source occurs twice', () => {
  const there = {
    limits,
    controls: [
      { source: 'a', bid: 1 },
      { source: 'b', bid: 2 },
      { source: 'b', bid: 3 },
    ],
  };
  const here = {
    limits,
    controls: [
      { source: 'b', bid: 4 },
      { source: 'a', bid: 4 },
      { zone: 'a', bid: 4 },
    ],
  };
  expect(bidsToCopy(there, here)).toEqual([{ control: { source: 'a', bid: 4 }, member: 'bid', value: 1 }]);
  expect(bidsToCopy(there, there)).toEqual([]);
});
