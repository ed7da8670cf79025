import { dateText } from '../lib/date-text.ts';
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

/** One figure of the money at risk, before and after a change. */
export interface MoneyPair {
  before: MoneyText;
  after: MoneyText;
}

/** An amount without a day. */
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

/** Both figures of the money at risk, each with its day. */
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

/** One figure in words; each side says its own day where the two differ, else the label says it for both. */
export interface FigureWords {
  /** `per day`, `per day from 1 Jan 2031`, `until 31 Dec`. */
  label: string;
  /** `from 1 Jan 2031`, `today`, `until 7 Dec`, `no end`; empty where the label says it. */
  before: string;
  after: string;
  /** The same for a place that has no label: the side with money says its day. Beside the $0.00 that comes it would read as the first day without money. */
  unlabelled: { before: string; after: string };
  /** False when neither the amount nor its day changes. */
  changes: boolean;
}

/** The words of money per day. */
export function perDayWords({ before, after }: MoneyPair, currentYear: number): FigureWords {
  const day = ({ from }: MoneyText): string =>
    from === undefined ? '' : `from ${dateText(from, currentYear)}`;
  const words = (side: MoneyText): string => day(side) || 'today';
  return figureWords(
    { before, after },
    { words, day, label: (text) => dated('per day', text), without: 'per day' },
  );
}

/** The words of money until the end of the flight. */
export function untilEndWords({ before, after }: MoneyPair, currentYear: number): FigureWords {
  const words = ({ until }: MoneyText): string =>
    until === undefined ? '' : until === null ? 'no end' : `until ${dateText(until, currentYear)}`;
  const day = (side: MoneyText): string => (side.until === null ? 'until stopped' : words(side));
  const without = 'until the end';
  return figureWords({ before, after }, { words, day, label: (text) => text || without, without });
}

interface Wording {
  words(side: MoneyText): string;
  /** The day where both sides share it; empty where there is none to say. */
  day(side: MoneyText): string;
  label(day: string): string;
  /** The label where the sides say their days themselves. */
  without: string;
}

function figureWords({ before, after }: MoneyPair, { words, day, label, without }: Wording): FigureWords {
  const isSameDay = before.from === after.from && before.until === after.until;
  const isSameAmount = before.unlimited === after.unlimited && before.micros === after.micros;
  const spends = hasMoney(before) && hasMoney(after);
  if (spends && !isSameDay) {
    const sides = { before: words(before), after: words(after) };
    return { label: without, ...sides, unlabelled: sides, changes: true };
  }
  const none = { before: '', after: '' };
  const side = hasMoney(after) || !hasMoney(before) ? 'after' : 'before';
  const shown = day({ before, after }[side]);
  return { label: label(shown), ...none, unlabelled: { ...none, [side]: shown }, changes: !isSameAmount };
}

/** `$50.00 per day`, `$50.00 from 1 Jan 2031 → $50.00 today per day`, `$50.00 from 1 Jan 2031 → $0.00 per day`. */
export function perDayText({ before, after }: MoneyPair, currentYear: number): string {
  const { label, unlabelled, changes } = perDayWords({ before, after }, currentYear);
  if (unlabelled.before !== '')
    return `${dated(before.text, unlabelled.before)} → ${dated(after.text, unlabelled.after)} per day`;
  return `${changes ? `${before.text} → ${after.text}` : after.text} ${label}`;
}

/** Describes the campaigns outside the sums: `1 campaign: unlimited per day and until the end, unchanged`. */
export function alwaysUnlimitedText({ perDay, untilEnd }: { perDay: number; untilEnd: number }): string[] {
  const line = (count: number, span: string): string[] =>
    count === 0 ? [] : [`${count === 1 ? '1 campaign' : `${count} campaigns`}: unlimited ${span}, unchanged`];
  if (perDay === untilEnd) return line(perDay, 'per day and until the end');
  return [...line(perDay, 'per day'), ...line(untilEnd, 'until the end')];
}

/** Number of campaigns in a sum, without those counted apart: `, 2 campaigns`; empty for one. */
export function ofCampaigns(campaignCount: number, alwaysUnlimited: number): string {
  const count = campaignCount - alwaysUnlimited;
  if (campaignCount < 2) return '';
  return count === 1 ? ', 1 campaign' : `, ${count} campaigns`;
}

/** An amount with its day, where it has one: `$50.00 from 1 Jan 2031`. */
export function dated(amount: string, day: string): string {
  return day === '' ? amount : `${amount} ${day}`;
}

/** True when anything may be spent. */
function hasMoney({ unlimited, micros }: MoneyText): boolean {
  return unlimited || micros !== '0';
}

/** The sum of one figure over several campaigns or changes. */
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
  return {
    pair: {
      before: sumMoneyTexts(
        summed.map(({ before }) => before),
        formats,
      ),
      after: sumMoneyTexts(
        summed.map(({ after }) => after),
        formats,
      ),
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

/**
 * By how much money until the end rises. Where the campaign can run earlier or longer than before, one more day is new at
 * least, also under a total budget that stays.
 */
export function raiseUntilEnd({ perDay, untilEnd }: { perDay: MoneyPair; untilEnd: MoneyPair }): MoneyRaise {
  const by = raiseBetween(untilEnd.before, untilEnd.after);
  const isLonger = startsEarlier(perDay) || endsLater(untilEnd);
  return isLonger ? greaterRaise(by, raiseBetween(nothing, perDay.after)) : by;
}

/** The greater of two raises. */
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
