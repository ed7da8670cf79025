import { describe, expect, test } from 'vitest';
import { daysUntilEnd, momentAt, runsAt } from '#shared/find/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { exampleCampaign } from '#test/fixtures/campaign.ts';

const week = (isOn: (day: number, hour: number) => boolean): number[] =>
  Array.from({ length: 168 }, (_, index) => (isOn(Math.floor(index / 24), index % 24) ? 1 : 0));

const officeHours = week((day, hour) => day < 5 && hour >= 9 && hour < 18);

function campaign(change: JsonObject): JsonObject {
  return { ...exampleCampaign(), status: 1, enable_time: 0, enable_shedule: 0, ...change };
}

const scheduled = (zone: string, hours = officeHours): JsonObject =>
  campaign({ enable_shedule: 1, shedule: hours, shedule_timezone: zone });

const flight = (change: JsonObject): JsonObject =>
  campaign({ enable_time: 1, create: '', create_time: '', expire: '', expire_time: '', ...change });

describe('a campaign runs at a moment', () => {
  test.each<[string, JsonObject, now: string, serviceZone: string, runs: boolean]>([
    ['Active without flight and schedule', campaign({}), '2026-11-25T03:00:00Z', 'UTC', true],
    [
      'Scheduled, and its flight has begun',
      flight({ status: 4, create: '2026-11-24' }),
      '2026-11-25T03:00:00Z',
      'UTC',
      true,
    ],
    ['Paused', campaign({ status: 3 }), '2026-11-25T03:00:00Z', 'UTC', false],
    ['before its start date', flight({ create: '2026-11-26' }), '2026-11-25T23:00:00Z', 'UTC', false],
    [
      'before its start time',
      flight({ create: '2026-11-25', create_time: '09:00' }),
      '2026-11-25T08:59:00Z',
      'UTC',
      false,
    ],
    [
      'from its start time on',
      flight({ create: '2026-11-25', create_time: '09:00' }),
      '2026-11-25T09:00:00Z',
      'UTC',
      true,
    ],
    [
      'in the last hour of its flight',
      flight({ expire: '2026-11-25', expire_time: '18:00' }),
      '2026-11-25T17:59:00Z',
      'UTC',
      true,
    ],
    [
      'after the end of its flight',
      flight({ expire: '2026-11-25', expire_time: '18:00' }),
      '2026-11-25T18:00:00Z',
      'UTC',
      false,
    ],
    [
      'on its last day where no time is set',
      flight({ expire: '2026-11-25' }),
      '2026-11-25T23:59:00Z',
      'UTC',
      true,
    ],
    [
      'by the flight on the service’s clock',
      flight({ expire: '2026-11-25' }),
      '2026-11-26T03:00:00Z',
      'America/New_York',
      true,
    ],
    [
      'in a scheduled hour of its own zone',
      scheduled('America/Sao_Paulo'),
      '2026-11-25T20:59:00Z',
      'UTC',
      true,
    ],
    [
      'out of the scheduled hours of its zone',
      scheduled('America/Sao_Paulo'),
      '2026-11-25T11:59:00Z',
      'UTC',
      false,
    ],
    [
      'on another weekday in its zone',
      scheduled(
        'Asia/Tokyo',
        week((day) => day === 5),
      ),
      '2026-11-27T15:00:00Z',
      'UTC',
      true,
    ],
    [
      'with a schedule in a zone that nobody knows',
      scheduled('Mars/Olympus'),
      '2026-11-25T03:00:00Z',
      'UTC',
      true,
    ],
    [
      'in the hour that a night of daylight saving repeats',
      scheduled(
        'Europe/Berlin',
        week((day, hour) => day === 6 && hour === 2),
      ),
      '2026-10-25T01:30:00Z',
      'UTC',
      true,
    ],
  ])('%s', (_case, one, now, zone, runs) => {
    expect(runsAt(one, momentAt(Date.parse(now), zone))).toBe(runs);
  });
});

test('days until the end are counted on the service’s clock', () => {
  const now = Date.parse('2026-11-26T03:00:00Z');
  const ends = flight({ expire: '2026-11-27', expire_time: '' });
  expect(daysUntilEnd(ends, momentAt(now, 'UTC'))).toBe(1);
  expect(daysUntilEnd(ends, momentAt(now, 'America/New_York'))).toBe(2);
  expect(daysUntilEnd(flight({}), momentAt(now, 'UTC'))).toBeNull();
});
