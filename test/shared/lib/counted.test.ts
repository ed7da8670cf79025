import { expect, test } from 'vitest';

import { defaultFormats } from '#shared/lib/formats.ts';
test.each([
  [0, 'row', undefined, '0 rows'],
  [1, 'row', undefined, '1 row'],
  [2, 'row', undefined, '2 rows'],
  [1, 'entry', 'entries', '1 entry'],
  [0, 'entry', 'entries', '0 entries'],
  [7, 'entry', 'entries', '7 entries'],
  [999, 'campaign', undefined, '999 campaigns'],
  [1000, 'campaign', undefined, '1,000 campaigns'],
  [1, 'other field', undefined, '1 other field'],
  [4, 'other field', undefined, '4 other fields'],
  [21, 'change', undefined, '21 changes'],
  [1_234_567, 'row', undefined, '1,234,567 rows'],
])('%d of “%s” (%s) is shown as “%s”', (count, one, many, text) => {
  expect(defaultFormats.counted(count, one, many)).toBe(text);
});
