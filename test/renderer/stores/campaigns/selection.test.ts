import { expect, test } from 'vitest';
import { extendTo, noSelection, selectAll, toggle } from '#renderer/stores/campaigns/selection.ts';

/** Row 3 has not been read. */
const cidAt = (index: number): number | undefined => (index === 3 ? undefined : 100 + index);

test('a second press deselects a campaign', () => {
  const once = toggle(noSelection, 105, 5);
  expect([...once.cids]).toEqual([105]);
  expect(toggle(once, 105, 5).cids.size).toBe(0);
});

test('a range runs from the last pressed row, in either direction', () => {
  const start = toggle(noSelection, 105, 5);
  expect([...extendTo(start, 7, cidAt).cids]).toEqual([105, 106, 107]);
  expect([...extendTo(start, 4, cidAt).cids].toSorted()).toEqual([104, 105]);
});

test('a range keeps its anchor while it grows', () => {
  const grown = extendTo(extendTo(toggle(noSelection, 100, 0), 1, cidAt), 2, cidAt);
  expect(grown.anchor).toBe(0);
  expect([...grown.cids]).toEqual([100, 101, 102]);
});

test('a range that becomes shorter deselects its former rows, and keeps rows that were selected separately', () => {
  const apart = toggle(noSelection, 109, 9);
  const range = extendTo({ cids: apart.cids, anchor: 0 }, 2, cidAt);
  expect([...extendTo(range, 1, cidAt).cids]).toEqual([109, 100, 101]);
});

test('rows that were not read cannot be selected', () => {
  const range = extendTo(toggle(noSelection, 102, 2), 4, cidAt);
  expect([...range.cids]).toEqual([102, 104]);
});

test('selecting all adds to the selection', () => {
  expect([...selectAll(toggle(noSelection, 1, 0), [2, 3]).cids]).toEqual([1, 2, 3]);
});
