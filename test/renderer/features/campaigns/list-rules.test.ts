import { expect, test } from 'vitest';
import { countWords, movedCursor } from '#renderer/features/campaigns/list-rules.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

test.each([
  [0, null, '0 campaigns'],
  [1, null, '1 campaign'],
  [100_000, null, '100,000 campaigns'],
  [0, 400, '0 of 400 campaigns'],
  [1, 400, '1 of 400 campaigns'],
  [1, 1, '1 of 1 campaign'],
  [1037, 100_000, '1,037 of 100,000 campaigns'],
])('the count of %d rows out of %s is worded “%s”', (total, all, words) => {
  expect(countWords(total, { all, cached: false }, defaultFormats)).toBe(words);
});

test('while the service is away, only loaded campaigns are counted', () => {
  expect(countWords(1, { all: null, cached: true }, defaultFormats)).toBe('1 loaded campaign');
  expect(countWords(200, { all: null, cached: true }, defaultFormats)).toBe('200 loaded campaigns');
  expect(countWords(3, { all: 200, cached: true }, defaultFormats)).toBe('3 of 200 loaded campaigns');
});

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

test('the cursor stays inside the list', () => {
  expect(movedCursor('ArrowDown', 399, place)).toBe(399);
  expect(movedCursor('ArrowUp', 0, place)).toBe(0);
  expect(movedCursor('End', 0, { total: 0, screenful: 1 })).toBe(0);
});

test('other keys do not move the cursor', () => {
  expect(movedCursor('a', 5, place)).toBeNull();
});
