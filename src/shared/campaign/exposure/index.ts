import { toMicros } from '../../lib/decimal.ts';
import type { JsonObject } from '../../lib/json/json-value.ts';
import { own } from '../../lib/json/own.ts';
import { runs } from '../runs.ts';
import type { ServiceMoment } from '../service-day.ts';
import type { Exposure, Money } from '../types.ts';
import { lastDay, remainingDays } from './flight-days.ts';
import { lesser, noMoney, plus, timesDays, unlimited } from './money.ts';

export { becomesUnlimited, exposureInWords, isUnlimited } from './money-words.ts';

/**
 * Money at risk from `today` on, in the service-day zone of the caller (docs/architecture.md, "Money at risk"). A campaign
 * that is neither Active nor Scheduled risks nothing now; without budget limits it risks everything. A budget of 0, or one
 * that is no number, limits nothing. What is already spent is unknown.
 */
export function exposureOf(campaign: JsonObject, today: ServiceMoment): Exposure {
  const endsOn = lastDay(campaign);
  if (!runs(own(campaign, 'status'))) return { perDay: noMoney, untilEnd: noMoney, endsOn };
  const isLimited = own(campaign, 'enable_budget') === 1;
  const total = isLimited ? limitOf(campaign, 't_revenue') : unlimited;
  const perDay = isLimited ? lesser(limitOf(campaign, 'd_revenue'), total) : unlimited;
  if (!isLimited) return { perDay, untilEnd: unlimited, endsOn };
  const days = remainingDays(campaign, today);
  const byDays = days === null ? unlimited : timesDays(limitOf(campaign, 'd_revenue'), days);
  return { perDay, untilEnd: lesser(total, byDays), endsOn };
}

/** The sum over several campaigns; any unlimited member makes it unlimited. The end is named when all share it. */
export function sumExposure(list: readonly Exposure[]): Exposure {
  const ends = new Set(list.map(({ endsOn }) => endsOn));
  const [shared = null] = ends;
  return {
    perDay: list.reduce((sum, { perDay }) => plus(sum, perDay), noMoney),
    untilEnd: list.reduce((sum, { untilEnd }) => plus(sum, untilEnd), noMoney),
    endsOn: ends.size === 1 ? shared : null,
  };
}

function limitOf(campaign: JsonObject, field: string): Money {
  const value = own(campaign, field);
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return unlimited;
  return { kind: 'amount', micros: toMicros(value) };
}
