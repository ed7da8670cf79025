import { expect, test } from 'vitest';
import { countWords } from '#renderer/features/campaigns/count-words.ts';

test.each([
  [0, false, '0 campaigns'],
  [1, false, '1 campaign'],
  [100_000, false, '100,000 campaigns'],
  [0, true, '0 match'],
  [1, true, '1 matches'],
  [37, true, '37 match'],
])('%d rows, narrowed %s: %s', (total, narrowed, words) => {
  expect(countWords(total, { narrowed, kept: false })).toBe(words);
});

test('while the service is away, only what was read is counted', () => {
  expect(countWords(1, { narrowed: false, kept: true })).toBe('1 campaign that was read');
  expect(countWords(200, { narrowed: false, kept: true })).toBe('200 campaigns that were read');
  expect(countWords(3, { narrowed: true, kept: true })).toBe('3 match');
});
