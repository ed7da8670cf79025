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
  expect(countWords(total, narrowed)).toBe(words);
});
