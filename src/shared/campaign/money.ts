import { earliestDate } from './time/calendar.ts';
import type { Exposure, Money } from './types.ts';
import type { Formats } from '../lib/formats.ts';

/** Money for people and for the app API: `$50.00` or `Unlimited`, with its day where it has one. */
export interface MoneyText {
  text: string;
  unlimited: boolean;
  /** Integer micros as decimal text; empty when unlimited. */
  micros: string;
  /** For money per day: the first day on which it can be spent, YYYY-MM-DD; absent for today. */
  from?: string;
  /** For money until the end: the last day of the flight, YYYY-MM-DD; null without an end, absent if several differ. */
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

/** A figure that was kept, its amounts written as numbers are now. */
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

/** The exact sum of money in words; one unlimited part makes it unlimited. It begins with the first part that begins. */
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
  /** Sum of all campaigns except those counted apart; of all if there are no others. */
  pair: MoneyPair;
  /** Number of campaigns without a limit before and after: within the sum they would hide the others. */
  alwaysUnlimited: number;
}

/** The exact sum before and after. What is unlimited on both sides is counted apart, beside others that are not. */
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

/** By how many micros money rises; never below 0. */
export type MoneyRaise = bigint | 'unlimited';

/** By how much money per day rises. On a day before the earlier first one nothing could be spent: there all of it is new. */
export function raisePerDay(pair: MoneyPair): MoneyRaise {
  return raiseBetween(startsEarlier(pair) ? nothing : pair.before, pair.after);
}

/** A flight that can start earlier or end later adds at least one day, even under an unchanged total budget. */
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
