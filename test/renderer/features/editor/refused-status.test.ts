import { expect, test } from 'vitest';
import { refusedStatus } from '#renderer/features/editor/field-words.ts';

test('members cannot set Pending, whatever the campaign is now', () => {
  for (const from of [1, 2, 3, 4]) expect(refusedStatus(from, 0)).toBeDefined();
  expect(refusedStatus(0, 0)).toBeUndefined();
});

test('a pending campaign can be paused or suspended, not started', () => {
  expect([1, 2, 3, 4].filter((to) => refusedStatus(0, to) === undefined)).toEqual([2, 3]);
});

test('every other move is left to the service', () => {
  for (const from of [1, 2, 3, 4]) {
    for (const to of [1, 2, 3, 4]) expect(refusedStatus(from, to)).toBeUndefined();
  }
});
