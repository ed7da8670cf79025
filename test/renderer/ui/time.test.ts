import { expect, test } from 'vitest';
import { remainingText } from '#renderer/ui/display/time.tsx';

test.each([
  [521_000, '8:41'],
  [520_001, '8:41'],
  [59_000, '0:59'],
  [600_000, '10:00'],
  [3_723_000, '1:02:03'],
  [0, '0:00'],
  [-5000, '0:00'],
])('%d ms left read as %s', (leftMs, text) => {
  expect(remainingText(leftMs)).toBe(text);
});
