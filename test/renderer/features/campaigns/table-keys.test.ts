import { expect, test } from 'vitest';
import { movedCursor } from '#renderer/features/campaigns/list-rules.ts';

const place = { total: 400, screenful: 20 };

test.each([
  ['ArrowDown', 6],
  ['ArrowUp', 4],
  ['PageDown', 25],
  ['PageUp', 0],
  ['Home', 0],
  ['End', 399],
])('%s moves the cursor from row 5 to row %d', (key, row) => {
  expect(movedCursor(key, 5, place)).toBe(row);
});

test('the cursor stays on the list', () => {
  expect(movedCursor('ArrowDown', 399, place)).toBe(399);
  expect(movedCursor('ArrowUp', 0, place)).toBe(0);
  expect(movedCursor('End', 0, { total: 0, screenful: 1 })).toBe(0);
});

test('other keys do not move it', () => {
  expect(movedCursor('a', 5, place)).toBeNull();
});
