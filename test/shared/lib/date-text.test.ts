import { expect, test } from 'vitest';
import { dateText, fullDateText, weekdayText } from '#shared/lib/date-text.ts';
import { createFormats, defaultFormats } from '#shared/lib/formats.ts';

test.each([
  ['2026-12-31', '31 Dec'],
  ['2026-01-01', '1 Jan'],
  ['2031-12-31', '31 Dec 2031'],
  ['2025-12-31', '31 Dec 2025'],
  ['9999-12-31', '31 Dec 9999'],
  ['soon', 'soon'],
  ['2026-13-01', '2026-13-01'],
])('in 2026 the date %s is shown as %s', (date, text) => {
  expect(dateText(date, 2026)).toBe(text);
});

test.each([
  ['2026-11-22', 'Sun'],
  ['2026-11-28', 'Sat'],
  ['2024-02-29', 'Thu'],
  ['1999-12-31', 'Fri'],
])('%s is shown as a %s', (date, day) => {
  expect(weekdayText(date)).toBe(day);
});

test('a date includes its year if the current year is unknown', () => {
  expect(fullDateText('2026-12-31')).toBe('31 Dec 2026');
});

test('a time includes its day if that is not today, and its year if that is not this year', () => {
  const now = new Date(2026, 10, 22, 15, 0).getTime();
  const at = (...parts: [number, number, number, number, number]): string =>
    defaultFormats.shortMoment(new Date(...parts).getTime(), now);
  expect(at(2026, 10, 22, 9, 5)).toBe('09:05');
  expect(at(2026, 10, 19, 14, 2)).toBe('19 Nov, 14:02');
  expect(at(2025, 10, 22, 15, 0)).toBe('22 Nov 2025, 15:00');
});

test('a time is shown in the hour and day of its time zone', () => {
  const at = Date.UTC(2026, 10, 22, 22, 30);
  const now = Date.UTC(2026, 10, 22, 23, 30);
  const inZone = (zone: string) => createFormats({ numbers: 'comma', zone });
  expect(inZone('UTC').shortMoment(at, now)).toBe('22:30');
  expect(inZone('Asia/Tokyo').shortMoment(at, now)).toBe('07:30');
  expect(inZone('Europe/Berlin').shortMoment(at, now)).toBe('22 Nov, 23:30');
  expect(inZone('Europe/Berlin').when(at, now)).toBe('on 22 Nov, 23:30');
});
