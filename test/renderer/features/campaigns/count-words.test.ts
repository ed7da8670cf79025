import { expect, test } from 'vitest';
import { countWords } from '#renderer/features/campaigns/list-rules.ts';
import { usualFormats } from '#shared/lib/formats.ts';

test.each([
  [0, null, '0 campaigns'],
  [1, null, '1 campaign'],
  [100_000, null, '100,000 campaigns'],
  [0, 400, '0 of 400 campaigns'],
  [1, 400, '1 of 400 campaigns'],
  [1, 1, '1 of 1 campaign'],
  [1037, 100_000, '1,037 of 100,000 campaigns'],
])('%d rows of %s read “%s”', (total, all, words) => {
  expect(countWords(total, { all, cached: false }, usualFormats)).toBe(words);
});

test('while the service is away, only loaded campaigns are counted', () => {
  expect(countWords(1, { all: null, cached: true }, usualFormats)).toBe('1 loaded campaign');
  expect(countWords(200, { all: null, cached: true }, usualFormats)).toBe('200 loaded campaigns');
  expect(countWords(3, { all: 200, cached: true }, usualFormats)).toBe('3 of 200 loaded campaigns');
});
