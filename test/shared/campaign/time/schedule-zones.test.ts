import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exposureOf, serviceDay } from '#shared/campaign/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { exampleCampaign } from '#test/fixtures/campaign.ts';
import { runs } from '#test/setup/property-runs.ts';

/** Returns the hours of the week that are on. Example: `on(4, 9)` is Friday nine o'clock. */
function week(on: (day: number, hour: number) => boolean): number[] {
  return Array.from({ length: 168 }, (_hour, index) => (on(Math.floor(index / 24), index % 24) ? 1 : 0));
}

/** A running campaign with a daily budget of $50, no total budget, and a schedule. */
function scheduled(change: JsonObject): JsonObject {
  return { ...exampleCampaign('push'), t_revenue: 0, enable_shedule: 1, ...change };
}

/** Returns the number of days that the money at risk until the end counts, from a moment (UTC) in the service's zone. */
function daysAtRisk(change: JsonObject, moment: string | number, zone: string): number {
  const now = typeof moment === 'number' ? moment : Date.parse(moment);
  const { untilEnd } = exposureOf(scheduled(change), serviceDay(now, zone));
  if (untilEnd.kind === 'unlimited') throw new Error('The flight has an end');
  return Number(untilEnd.micros / 50_000_000n);
}

const evening = week((_day, hour) => hour >= 18 && hour <= 20);
const mondayNight = week((day, hour) => day === 0 && hour < 6);
const mondayAtFive = week((day, hour) => day === 0 && hour === 5);

describe('a schedule counts in its own time zone:', () => {
  test.each([
    [
      'evening in New York, near midnight of the last day',
      evening,
      'America/New_York',
      '2026-11-20',
      'UTC',
      1,
    ],
    ['the same hours in UTC are over', evening, 'UTC', '2026-11-20', 'UTC', 0],
    ['Monday night in Tokyo is Sunday in UTC', mondayNight, 'Asia/Tokyo', '2026-11-22', 'UTC', 1],
    ['Monday night in Tokyo is over by Monday in UTC', mondayNight, 'Asia/Tokyo', '2026-11-28', 'UTC', 1],
    [
      'half an hour of Monday in Kolkata is Sunday in UTC',
      mondayAtFive,
      'Asia/Kolkata',
      '2026-11-22',
      'UTC',
      1,
    ],
    ['the service is ahead', mondayAtFive, 'UTC', '2026-11-23', 'Pacific/Kiritimati', 1],
    ['an unknown zone runs always', mondayNight, 'Mars/Olympus', '2026-11-22', 'UTC', 3],
    ['a zone that is empty runs always', mondayNight, '', '2026-11-22', 'UTC', 3],
  ])('%s', (_what, shedule, shedule_timezone, expire, zone, days) =>
    expect(daysAtRisk({ shedule, shedule_timezone, expire }, '2026-11-20T23:30:00Z', zone)).toBe(days),
  );

  test('a time zone that is not a text counts as always on', () => {
    const campaign = { shedule: mondayNight, shedule_timezone: 7, expire: '2026-11-22' };
    expect(daysAtRisk(campaign, '2026-11-20T10:00:00Z', 'UTC')).toBe(3);
  });

  test('days are counted correctly when both time zones change their clocks a week apart', () => {
    const campaign = { shedule: mondayAtFive, shedule_timezone: 'Europe/Berlin' };
    const from = (moment: string, expire: string): number =>
      daysAtRisk({ ...campaign, expire }, moment, 'America/New_York');
    // With a difference of six hours it is Sunday 23:00 in New York, with five hours Monday 00:00.
    expect(from('2026-10-13T12:00:00Z', '2026-10-19')).toBe(1);
    expect(from('2026-10-26T04:30:00Z', '2026-10-26')).toBe(1);
    expect(from('2026-11-10T12:00:00Z', '2026-11-15')).toBe(1);
    expect(from('2026-11-10T12:00:00Z', '2026-11-14')).toBe(0);
  });

  test('a flight of centuries is counted by weeks, and never with too few days', () => {
    const campaign = { shedule: mondayNight, shedule_timezone: 'Asia/Tokyo', expire: '9999-12-31' };
    expect(daysAtRisk(campaign, '2026-11-20T10:00:00Z', 'UTC')).toBe(416_017);
  });
});

/** Zones without clock changes whose offsets are whole hours. The count is exact in these zones. */
const plainZones = ['UTC', 'Asia/Tokyo', 'America/Phoenix', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'];
const oddZones = [
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/Havana',
  'Africa/Casablanca',
];

const clocks = new Map(
  [...plainZones, ...oddZones].map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
  ]),
);

function wall(ms: number, zone: string): string {
  return clocks.get(zone)?.format(ms) ?? '';
}

/** Finds the service's days on which the campaign runs by checking every quarter of an hour, without any calculation. */
function walkedDays(flight: {
  now: number;
  end: string;
  zones: [string, string];
  shedule: number[];
}): number {
  const [own, service] = flight.zones;
  const days = new Set<string>();
  for (let ms = flight.now; ; ms += 900_000) {
    const now = wall(ms, service);
    const date = now.slice(0, 10);
    if (date > flight.end.slice(0, 10)) return days.size;
    if (now >= flight.end || days.has(date)) continue;
    const there = wall(ms, own);
    const weekday = (new Date(`${there.slice(0, 10)}T00:00:00Z`).getUTCDay() + 6) % 7;
    if (flight.shedule[weekday * 24 + Number(there.slice(11, 13))] === 1) days.add(date);
  }
}

test('no day on which a campaign runs is missing, in any two time zones and across clock changes', () => {
  const zone = fc.constantFrom(...plainZones, ...oddZones);
  // Minutes of two months around the autumn clock changes, and of two months around those in spring.
  const minute = fc.oneof(
    fc.integer({ min: Date.UTC(2026, 9, 1) / 60_000, max: Date.UTC(2026, 11, 1) / 60_000 }),
    fc.integer({ min: Date.UTC(2027, 1, 15) / 60_000, max: Date.UTC(2027, 3, 15) / 60_000 }),
  );
  const hours = fc.uniqueArray(fc.nat(167), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(
      fc.tuple(zone, zone),
      minute,
      fc.nat(9),
      fc.nat(23),
      hours,
      (zones, start, length, hour, on) => {
        const now = start * 60_000;
        const shedule = week((day, at) => on.includes(day * 24 + at));
        const expire = serviceDay(now + length * 86_400_000, zones[1]).date;
        const expire_time = `${String(hour).padStart(2, '0')}:00`;
        const walked = walkedDays({ now, end: `${expire} ${expire_time}`, zones, shedule });
        const counted = daysAtRisk(
          { shedule, shedule_timezone: zones[0], expire, expire_time },
          now,
          zones[1],
        );
        if (zones.every((name) => plainZones.includes(name))) expect(counted).toBe(walked);
        else expect(counted).toBeGreaterThanOrEqual(walked);
      },
    ),
    runs(200),
  );
});
