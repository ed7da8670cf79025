import { expect, test } from 'vitest';
import { retryAfterSeconds } from '#core/service-client/answers.ts';

const date = 'Sun, 06 Nov 1994 08:49:37 GMT';

test.each([
  ['0', 0],
  ['7', 7],
  [' 120 ', 120],
  ['9'.repeat(400), 1_000_000_000],
  ['Sun, 06 Nov 1994 08:50:07 GMT', 30],
  ['Sunday, 06-Nov-94 08:50:07 GMT', 30],
  ['Sun Nov  6 08:50:07 1994', 30],
  ['Sun, 06 Nov 1994 08:00:00 GMT', 0],
  ['Tue, 06 Nov 2294 08:49:37 GMT', 1_000_000_000],
  ['', null],
  ['-1', null],
  ['+5', null],
  ['1.5', null],
  ['1e3', null],
  ['0x10', null],
  ['7 seconds', null],
  ['7, 8', null],
  ['soon', null],
  ['NaN', null],
  ['Infinity', null],
  ['2094', 2094],
  ['2094-11-06T08:49:37Z', null],
  ['Sun, 06 Nov 1994 08:50:07 +0100', null],
  ['Xxx, 99 Abc 1994 08:50:07 GMT', null],
])('Retry-After: %s requests a pause of %s seconds', (text, seconds) => {
  expect(retryAfterSeconds(new Headers({ date, 'retry-after': text }))).toBe(seconds);
});

test('an answer without the header requests no pause', () => {
  expect(retryAfterSeconds(new Headers({ date }))).toBeNull();
});

test('a date as Retry-After is ignored if the answer has no date', () => {
  expect(retryAfterSeconds(new Headers({ 'retry-after': date }))).toBeNull();
  expect(retryAfterSeconds(new Headers({ 'retry-after': date, date: 'today' }))).toBeNull();
});
