import { earliestDate } from './time/calendar.ts';
import type { Exposure, Money } from './types.ts';
import type { Formats } from '../lib/formats.ts';

/** An amount for display and for the app API: `$50.00` or `Unlimited`, with its day if it has one. */
export interface MoneyText {
  text: string;
  unlimited: boolean;
  /** Integer micros as decimal text. Empty if unlimited. */
  micros: string;
  /** For money per day, the first day on which it can be spent, YYYY-MM-DD. Absent for today. */
  from?: string;
  /** For money until the end, the last day of the flight, YYYY-MM-DD. Null without an end, absent if several ends differ. */
  until?: string | null;
}

export interface MoneyPair {
  before: MoneyText;
  after: MoneyText;
}

export function moneyText(money: Money, formats: Formats): MoneyText {
  if (money.kind === 'unlimited') return { text: 'Unlimited', unlimited: true, micros: '' };
  return { text: formats.money(money.micros), unlimited: false, micros: money.micros.toString() };
}

/** Formats the amounts of a stored figure with the current number format. */
export function restated({ before, after }: MoneyPair, formats: Formats): MoneyPair {
  const side = (money: MoneyText): MoneyText =>
    money.unlimited || money.micros === '' ? money : { ...money, text: formats.money(BigInt(money.micros)) };
  return { before: side(before), after: side(after) };
}

export function exposureTexts(
  { perDay, startsOn, untilEnd, endsOn }: Exposure,
  formats: Formats,
): {
  perDay: MoneyText;
  untilEnd: MoneyText;
} {
  return {
    perDay:
      startsOn === null ? moneyText(perDay, formats) : { ...moneyText(perDay, formats), from: startsOn },
    untilEnd: { ...moneyText(untilEnd, formats), until: endsOn },
  };
}

/**
 * Exact: adds micros, not texts. One unlimited part makes the sum unlimited. The sum starts on the earliest start of
 * its parts.
 */
function sumMoneyTexts(parts: readonly MoneyText[], formats: Formats): MoneyText {
  const isUnlimited = parts.some(({ unlimited }) => unlimited);
  const micros = isUnlimited ? 0n : parts.reduce((sum, part) => sum + BigInt(part.micros), 0n);
  const spending = parts.filter(hasMoney);
  const starts = spending.flatMap(({ from }) => from ?? []);
  const from = starts.length < spending.length ? undefined : earliestDate(starts);
  const [until, ...others] = new Set(parts.map((part) => part.until));
  return {
    ...moneyText(isUnlimited ? { kind: 'unlimited' } : { kind: 'amount', micros }, formats),
    ...(from !== undefined && { from }),
    ...(until !== undefined && others.length === 0 && { until }),
  };
}

export function hasMoney({ unlimited, micros }: MoneyText): boolean {
  return unlimited || micros !== '0';
}

export interface MoneySum {
  /** Sum of all campaigns except those in `alwaysUnlimited`; of all campaigns if there are no others. */
  pair: MoneyPair;
  /** Number of campaigns that are unlimited before and after. In the sum they would hide the changes of the others. */
  alwaysUnlimited: number;
}

/** The exact sums before and after. Campaigns that are unlimited on both sides are counted separately, unless all are. */
export function sumPairs(pairs: readonly MoneyPair[], formats: Formats): MoneySum {
  const others = pairs.filter(({ before, after }) => !before.unlimited || !after.unlimited);
  const isApart = others.length > 0;
  const summed = isApart ? others : pairs;
  const sumOf = (sides: readonly MoneyText[]): MoneyText => sumMoneyTexts(sides, formats);
  return {
    pair: {
      before: sumOf(summed.map(({ before }) => before)),
      after: sumOf(summed.map(({ after }) => after)),
    },
    alwaysUnlimited: isApart ? pairs.length - others.length : 0,
  };
}

/** The rise in micros. Never below 0. */
export type MoneyRaise = bigint | 'unlimited';

/**
 * The rise of money per day. If the campaign starts earlier, nothing could be spent before on those days, so the full
 * new amount counts.
 */
export function raisePerDay(pair: MoneyPair): MoneyRaise {
  return raiseBetween(startsEarlier(pair) ? nothing : pair.before, pair.after);
}

/** The money per day of a proposal, summed over its campaigns. */
export interface CountedMoney {
  perDay: MoneyPair;
  targetCount: number;
}

/** The rise of money per day of a proposal. A sum that stays unlimited may hide the rise of a campaign, so it counts as unlimited. */
export function raiseOf({ perDay, targetCount }: CountedMoney): MoneyRaise {
  if (targetCount < 2) return raisePerDay(perDay);
  return perDay.before.unlimited && perDay.after.unlimited ? 'unlimited' : raisePerDay(withoutDays(perDay));
}

/** In a sum, the first day belongs to only one of the campaigns. */
function withoutDays({ before, after }: MoneyPair): MoneyPair {
  const amount = ({ from: _from, ...money }: MoneyText): MoneyText => money;
  return { before: amount(before), after: amount(after) };
}

/**
 * The rise of money until the end. A flight that starts earlier or ends later adds at least one day, even with an
 * unchanged total budget.
 */
export function raiseUntilEnd({ perDay, untilEnd }: { perDay: MoneyPair; untilEnd: MoneyPair }): MoneyRaise {
  const by = raiseBetween(untilEnd.before, untilEnd.after);
  const isLonger = startsEarlier(perDay) || endsLater(untilEnd);
  return isLonger ? greaterRaise(by, raiseBetween(nothing, perDay.after)) : by;
}

function greaterRaise(one: MoneyRaise, other: MoneyRaise): MoneyRaise {
  if (one === 'unlimited' || other === 'unlimited') return 'unlimited';
  return one > other ? one : other;
}

const nothing: MoneyText = { text: '', unlimited: false, micros: '0' };

function raiseBetween(before: MoneyText, after: MoneyText): MoneyRaise {
  if (before.unlimited) return 0n;
  if (after.unlimited) return 'unlimited';
  const by = BigInt(after.micros) - BigInt(before.micros);
  return by > 0n ? by : 0n;
}

function startsEarlier({ before, after }: MoneyPair): boolean {
  if (!hasMoney(before) || !hasMoney(after) || before.from === undefined) return false;
  return after.from === undefined || after.from < before.from;
}

function endsLater({ before, after }: MoneyPair): boolean {
  if (!hasMoney(before) || !hasMoney(after) || typeof before.until !== 'string') return false;
  return after.until === null || (after.until !== undefined && after.until > before.until);
}
