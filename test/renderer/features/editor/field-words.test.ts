import { expect, test } from 'vitest';
import { invisibleMarks, refusedStatus } from '#renderer/features/editor/field-words.ts';

test('a plain name holds none', () => {
  expect(invisibleMarks('DE push – summer (v2) ☀')).toEqual([]);
});

test('each invisible character is named once', () => {
  expect(invisibleMarks('a\u202Eb\u200Bc\u202E')).toEqual(['U+202E', 'U+200B']);
});

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
