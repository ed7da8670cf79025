import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  exposureOf,
  exposureOfRow,
  exposureTexts,
  raiseUntilEnd,
  type Exposure,
  type Money,
  type ServiceMoment,
} from '#shared/campaign/index.ts';
import { toMicros } from '#shared/lib/decimal.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { exampleCampaign } from '#test/fixtures/campaign.ts';
import { runs } from '#test/setup/property-runs.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const msPerHour = 3_600_000;
const zone = 'UTC';

/** Generated input: everything that determines when a campaign may run, and for how much. */
interface Plan {
  nowHour: number;
  status: number;
  limited: boolean;
  daily: number;
  total: number;
  flight: { startHour: number; lastsHours: number | null } | null;
  hours: number[] | null;
}

const firstHour = Date.UTC(2026, 10, 20) / msPerHour;

/** Dates and times as the campaign has them, from hours since 1970. */
const dateOf = (hour: number): string => new Date(hour * msPerHour).toISOString().slice(0, 10);
const timeOf = (hour: number): string => new Date(hour * msPerHour).toISOString().slice(11, 16);

function campaignOf({ status, limited, daily, total, flight, hours }: Plan): JsonObject {
  const end = flight === null || flight.lastsHours === null ? null : flight.startHour + flight.lastsHours;
  return {
    ...exampleCampaign('push'),
    status,
    enable_budget: limited ? 1 : 0,
    d_revenue: daily,
    t_revenue: total,
    enable_time: flight === null ? 0 : 1,
    create: flight === null ? '' : dateOf(flight.startHour),
    create_time: flight === null ? '' : timeOf(flight.startHour),
    expire: end === null ? '' : dateOf(end),
    expire_time: end === null ? '' : timeOf(end),
    enable_shedule: hours === null ? 0 : 1,
    shedule: Array.from({ length: 168 }, (_hour, index) => (hours?.includes(index) === true ? 1 : 0)),
    shedule_timezone: zone,
  };
}

const momentOf = (hour: number): ServiceMoment => ({ date: dateOf(hour), time: timeOf(hour), zone });

/** The number of hours that the oracle checks. Every generated flight with an end is shorter. */
const horizon = 24 * 120;

/** Finds the days on which the campaign runs hour by hour; `null` for a day count without an end. */
function walked({ nowHour, status, flight, hours }: Plan): { first: string | null; days: number | null } {
  const days = new Set<string>();
  if (status === 1 || status === 4) {
    for (let hour = nowHour; hour < nowHour + horizon; hour += 1) {
      const isBegun = flight === null || hour >= flight.startHour;
      const lasts = flight?.lastsHours ?? null;
      const isOver = flight !== null && lasts !== null && hour >= flight.startHour + lasts;
      const weekday = (new Date(hour * msPerHour).getUTCDay() + 6) % 7;
      const isScheduled = hours === null || hours.includes(weekday * 24 + (hour % 24));
      if (isBegun && !isOver && isScheduled) days.add(dateOf(hour));
    }
  }
  const [first = null] = days;
  const hasEnd = flight !== null && flight.lastsHours !== null;
  return { first, days: hasEnd || first === null ? days.size : null };
}

/** Computes the money at risk by its definition from these days. */
function oracle(plan: Plan): Pick<Exposure, 'perDay' | 'untilEnd' | 'startsOn'> {
  const { first, days } = walked(plan);
  if (first === null) return { perDay: amount(0n), untilEnd: amount(0n), startsOn: null };
  const startsOn = first === dateOf(plan.nowHour) ? null : first;
  const daily = plan.limited && plan.daily > 0 ? toMicros(plan.daily) : null;
  const total = plan.limited && plan.total > 0 ? toMicros(plan.total) : null;
  const byDays = daily === null || days === null ? null : daily * BigInt(days);
  return { perDay: least(daily, total), untilEnd: least(total, byDays), startsOn };
}

const amount = (micros: bigint): Money => ({ kind: 'amount', micros });

function least(one: bigint | null, other: bigint | null): Money {
  if (one === null && other === null) return { kind: 'unlimited' };
  if (one === null || other === null) return amount(one ?? other ?? 0n);
  return amount(one < other ? one : other);
}

const budget = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 1, max: 1_000_000 }).map((cents) => cents / 100),
);

const plan: fc.Arbitrary<Plan> = fc.record({
  nowHour: fc.nat(400).map((hours) => firstHour + hours),
  status: fc.constantFrom(0, 1, 1, 1, 2, 3, 4),
  limited: fc.boolean(),
  daily: budget,
  total: budget,
  flight: fc.option(
    fc.record({
      startHour: fc.integer({ min: -300, max: 1000 }).map((hours) => firstHour + hours),
      lastsHours: fc.option(fc.integer({ min: 1, max: 1500 })),
    }),
  ),
  hours: fc.option(fc.uniqueArray(fc.nat(167), { maxLength: 6 })),
});

const exposure = (of: Plan): Exposure => exposureOf(campaignOf(of), momentOf(of.nowHour));

/** A number for comparisons: unlimited is larger than any amount. */
const size = (money: Money): bigint => (money.kind === 'unlimited' ? 10n ** 30n : money.micros);

test('money at risk equals the sum over every hour of the flight', () => {
  fc.assert(
    fc.property(plan, (drawn) => {
      expect(exposure(drawn)).toMatchObject(oracle(drawn));
    }),
    runs(400),
  );
});

test('the money at risk from a list row is never less than from the complete campaign', () => {
  fc.assert(
    fc.property(plan, (drawn) => {
      const { status, limited, daily, total } = drawn;
      const row = { status, daily_budget: limited ? daily : 0, total_budget: limited ? total : 0 };
      const [listed, whole] = [exposureOfRow(row), exposure(drawn)];
      expect(size(listed.perDay)).toBeGreaterThanOrEqual(size(whole.perDay));
      expect(size(listed.untilEnd)).toBeGreaterThanOrEqual(size(whole.untilEnd));
    }),
    runs(400),
  );
});

test('money at risk never falls and never begins later when a budget, the hours or the flight grow', () => {
  fc.assert(
    fc.property(
      plan,
      fc.record({
        daily: fc.nat(500),
        total: fc.nat(500),
        hours: fc.uniqueArray(fc.nat(167), { maxLength: 6 }),
        earlier: fc.nat(200),
        later: fc.nat(500),
      }),
      (drawn, more) => {
        const { flight } = drawn;
        const grown: Plan = {
          ...drawn,
          daily: drawn.daily === 0 ? 0 : drawn.daily + more.daily,
          total: drawn.total === 0 ? 0 : drawn.total + more.total,
          hours: drawn.hours === null ? null : [...drawn.hours, ...more.hours],
          flight: flight && {
            startHour: flight.startHour - more.earlier,
            lastsHours: flight.lastsHours === null ? null : flight.lastsHours + more.earlier + more.later,
          },
        };
        const [before, after] = [exposure(drawn), exposure(grown)];
        expect(size(after.perDay) >= size(before.perDay)).toBe(true);
        expect(size(after.untilEnd) >= size(before.untilEnd)).toBe(true);
        if (size(before.perDay) > 0n) {
          expect((after.startsOn ?? '') <= (before.startsOn ?? '')).toBe(true);
        }
      },
    ),
  );
});

test('a day added before or after the flight raises the money until the end, even under an unchanged total', () => {
  const flight = fc.record({
    startHour: fc.integer({ min: -100, max: 200 }).map((hours) => firstHour + hours),
    lastsHours: fc.integer({ min: 1, max: 400 }),
  });
  fc.assert(
    fc.property(plan, flight, fc.nat(60), fc.nat(60), (drawn, lasting, earlier, later) => {
      const short: Plan = { ...drawn, status: 1, hours: null, flight: lasting };
      const long: Plan = {
        ...short,
        flight: {
          startHour: lasting.startHour - earlier,
          lastsHours: lasting.lastsHours + earlier + later,
        },
      };
      const [had, has] = [walked(short).days ?? 0, walked(long).days ?? 0];
      fc.pre(had > 0 && has > had);
      const [before, after] = [
        exposureTexts(exposure(short), defaultFormats),
        exposureTexts(exposure(long), defaultFormats),
      ];
      const raise = raiseUntilEnd({
        perDay: { before: before.perDay, after: after.perDay },
        untilEnd: { before: before.untilEnd, after: after.untilEnd },
      });
      expect(raise).not.toBe(0n);
    }),
    runs(400),
  );
});
