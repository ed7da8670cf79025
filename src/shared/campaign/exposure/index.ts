import { toMicros } from '../../lib/decimal.ts';
import { type JsonObject, own } from '../../lib/json/json-value.ts';
import { dateOfDay, earliestDate } from '../calendar.ts';
import { runs } from '../runs.ts';
import type { ServiceMoment } from '../service-day.ts';
import type { Exposure, Money } from '../types.ts';
import { flightEnd, remainingFlight } from './flight-days.ts';
import { lesser, noMoney, plus, timesDays, unlimited } from './money.ts';

export { flightEnd, flightStart } from './flight-days.ts';
export type { FlightHour } from './flight-days.ts';
export { becomesUnlimited, exposureInWords, isUnlimited, spendingInWords, spends } from './money-words.ts';

/**
 * Money at risk from `today` on, in the service-day zone of the caller (docs/architecture.md, "Money at risk"). A campaign
 * that is neither Active nor Scheduled, or has no hour left in which it can run, risks nothing; any other without budget
 * limits risks everything. A budget of 0, or one that is no number, limits nothing. What is already spent is unknown.
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
  if (own(campaign, 'enable_budget') !== 1)
    return { perDay: unlimited, startsOn, untilEnd: unlimited, endsOn };
  const daily = limitOf(campaign, 'd_revenue');
  const total = limitOf(campaign, 't_revenue');
  const byDays = dayCount === null ? unlimited : timesDays(daily, dayCount);
  return { perDay: lesser(daily, total), startsOn, untilEnd: lesser(total, byDays), endsOn };
}

/**
 * The sum over several campaigns; any unlimited member makes it unlimited. It begins with the first of those that have
 * money to spend, and its end is named when all share it.
 */
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

function limitOf(campaign: JsonObject, field: string): Money {
  const value = own(campaign, field);
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return unlimited;
  return { kind: 'amount', micros: toMicros(value) };
}
