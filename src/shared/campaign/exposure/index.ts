import type { CampaignRow } from '../../contract/index.ts';
import { toMicros } from '../../lib/decimal.ts';
import { type JsonObject, type JsonValue, own } from '../../lib/json/json-value.ts';
import { dateOfDay, dayNumber, earliestDate, type ServiceMoment } from '../time/calendar.ts';
import { runs } from '../fields/fields.ts';
import type { Exposure, Money } from '../types.ts';
import { flightEnd, remainingFlight } from './flight-days.ts';

export { flightEnd, flightMinutes, flightStart, type FlightHour } from './flight-days.ts';

/**
 * Money at risk from `today` on (docs/write-path.md, "Money at risk"). Zero unless the campaign is Active or Scheduled
 * and has hours left. A budget of 0 limits nothing.
 */
export function exposureOf(campaign: JsonObject, today: ServiceMoment): Exposure {
  const end = flightEnd(campaign);
  const endsOn = end === null ? null : dateOfDay(end.day);
  const { firstDay, dayCount } = runs(own(campaign, 'status'))
    ? remainingFlight(campaign, today)
    : { firstDay: null, dayCount: 0 };
  if (firstDay === null) return { perDay: noMoney, startsOn: null, untilEnd: noMoney, endsOn };
  const first = dateOfDay(firstDay);
  const startsOn = first === today.date ? null : first;
  const daily = effectiveLimit(campaign, 'd_revenue');
  const total = effectiveLimit(campaign, 't_revenue');
  const byDays = dayCount === null ? unlimited : timesDays(daily, dayCount);
  return { perDay: lesser(daily, total), startsOn, untilEnd: lesser(total, byDays), endsOn };
}

/** An upper bound from a list row (contract §2.2), which has neither flight nor hours. A budget of 0 limits nothing. */
export function exposureOfRow(row: { status: number; daily_budget: number; total_budget: number }): Exposure {
  const { status, daily_budget, total_budget } = row;
  if (!runs(status)) return { perDay: noMoney, startsOn: null, untilEnd: noMoney, endsOn: null };
  const total = limitOf(total_budget);
  const perDay = lesser(limitOf(daily_budget), total);
  return { perDay, startsOn: null, untilEnd: total, endsOn: null };
}

/**
 * The money that a campaign of the list can still spend today. `campaign` is its last full read, or null: without it the flight is
 * unknown, and a campaign that can run counts.
 */
export function costToday(
  row: Parameters<typeof exposureOfRow>[0],
  campaign: JsonObject | null,
  today: ServiceMoment,
): Money {
  const { perDay } = exposureOfRow(row);
  if (campaign === null || !runs(row.status)) return perDay;
  return remainingFlight(campaign, today).firstDay === dayNumber(today.date) ? perDay : noMoney;
}

/** The sum. It is unlimited if any part is. It has an end only if all parts share it. */
export function sumExposure(list: readonly Exposure[]): Exposure {
  const ends = new Set(list.map(({ endsOn }) => endsOn));
  const [shared = null] = ends;
  const spending = list.filter(({ perDay }) => perDay.kind === 'unlimited' || perDay.micros > 0n);
  const starts = spending.flatMap(({ startsOn }) => startsOn ?? []);
  return {
    perDay: list.reduce((sum, { perDay }) => plus(sum, perDay), noMoney),
    startsOn: starts.length < spending.length ? null : (earliestDate(starts) ?? null),
    untilEnd: list.reduce((sum, { untilEnd }) => plus(sum, untilEnd), noMoney),
    endsOn: ends.size === 1 ? shared : null,
  };
}

export type BudgetField = 'd_revenue' | 't_revenue';

/** The effective limit. Unlimited while budgets are off, and for an amount of 0 or a value that is no number. */
export function effectiveLimit(campaign: JsonObject, budget: BudgetField): Money {
  return own(campaign, 'enable_budget') === 1 ? limitOf(own(campaign, budget)) : unlimited;
}

function limitOf(value: JsonValue | undefined): Money {
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return unlimited;
  return { kind: 'amount', micros: toMicros(value) };
}

const rowLimits = { d_revenue: 'daily_budget', t_revenue: 'total_budget' } as const;

/** The effective limit of a list row, which has a column for it (docs/service-choices.md): an amount, or Infinity. */
export function rowLimit(
  row: Pick<CampaignRow, (typeof rowLimits)[BudgetField]>,
  budget: BudgetField,
): number {
  const value = row[rowLimits[budget]];
  return value > 0 ? value : Infinity;
}

export const unlimited: Money = { kind: 'unlimited' };

const noMoney: Money = { kind: 'amount', micros: 0n };

function lesser(a: Money, b: Money): Money {
  if (a.kind === 'unlimited') return b;
  if (b.kind === 'unlimited') return a;
  return a.micros <= b.micros ? a : b;
}

function plus(a: Money, b: Money): Money {
  if (a.kind === 'unlimited' || b.kind === 'unlimited') return unlimited;
  return { kind: 'amount', micros: a.micros + b.micros };
}

/** Zero days cost nothing, even if the amount is unlimited. */
function timesDays(money: Money, days: number): Money {
  if (days === 0) return noMoney;
  return money.kind === 'unlimited' ? unlimited : { kind: 'amount', micros: money.micros * BigInt(days) };
}

export function spends({ perDay }: Exposure): boolean {
  return perDay.kind === 'unlimited' || perDay.micros > 0n;
}
