import { expect, test } from 'vitest';
import { ageText, remainingText } from '#renderer/ui/display/time.tsx';
import { createFormats, defaultFormats } from '#shared/lib/formats.ts';

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

const noon = new Date(2026, 10, 23, 12).getTime();
const minute = 60_000;
const hour = 60 * minute;

test.each([
  [-1, 'time is up'],
  [0, 'time is up'],
  [400, '1 s left'],
  [minute - 1, '60 s left'],
  [minute, '1 min left'],
  [hour - 1, '59 min left'],
  [hour, 'until 13:00'],
  [11 * hour, 'until 23:00'],
  [21 * hour + 40 * minute, 'until 09:40 tomorrow'],
  [48 * hour, 'until 25 Nov, 12:00'],
  [60 * 24 * hour, 'until 22 Jan 2027, 12:00'],
  [8.64e15, 'no time limit'],
])('a wait that ends in %d ms reads as %s', (leftMs, text) => {
  expect(defaultFormats.timeLeft(noon + leftMs, noon)).toBe(text);
});

test.each([
  [-hour, 'just now'],
  [9_999, 'just now'],
  [49_000, '40 s ago'],
  [minute, '1 min ago'],
  [hour - 1, '59 min ago'],
  [48 * hour - 1, '47 h ago'],
  [48 * hour, '2 days ago'],
  [90 * 24 * hour, '90 days ago'],
])('an age of %d ms reads as %s', (ageMs, text) => {
  expect(ageText(noon, noon + ageMs, defaultFormats)).toBe(text);
});

test('a complete time names its zone, and its day is the day in that zone', () => {
  const at = Date.UTC(2026, 10, 22, 23, 30, 5);
  const inUtc = createFormats({ numbers: 'comma', zone: 'UTC' });
  expect(inUtc.moment(at)).toMatch(/^Sunday,? 22 November 2026 at 23:30:05 (?:UTC|GMT)$/);
  expect([inUtc.exactClock(at), inUtc.day(at)]).toEqual(['23:30:05', 'Sun, 22 Nov 2026']);
  const inBerlin = createFormats({ numbers: 'comma', zone: 'Europe/Berlin' });
  expect(inBerlin.moment(at)).toMatch(/^Monday,? 23 November 2026 at 00:30:05 (?:CET|GMT\+1)$/);
  expect([inBerlin.exactClock(at), inBerlin.day(at)]).toEqual(['00:30:05', 'Mon, 23 Nov 2026']);
});
