import { dateText, fullDateText } from '../lib/date-text.ts';
import type { MoneyAtRisk } from './effects.ts';
import {
  exposureTexts,
  moneyText,
  sumPairs,
  hasMoney,
  type MoneyPair,
  type MoneySum,
  type MoneyText,
  spends,
  type Exposure,
  type Money,
} from '../campaign/index.ts';
import type { Formats } from '../lib/formats.ts';

interface FigureWords {
  /** `per day`, `per day from 1 Jan 2031`, `until 31 Dec`. */
  label: string;
  /** `from 1 Jan 2031`, `today`, `until 7 Dec`, `no end`. Empty if the label contains it. */
  before: string;
  after: string;
  /**
   * `before` and `after` for a figure without a label. Only the side with money names its day: next to $0.00 the day would
   * read as the first day without money.
   */
  unlabelled: { before: string; after: string };
  isChanged: boolean;
}

export function perDayWords({ before, after }: MoneyPair, currentYear: number): FigureWords {
  const day = ({ from }: MoneyText): string =>
    from === undefined ? '' : `from ${dateText(from, currentYear)}`;
  const words = (side: MoneyText): string => day(side) || 'today';
  return figureWords(
    { before, after },
    { words, day, label: (text) => appendDay('per day', text), without: 'per day' },
  );
}

export function untilEndWords({ before, after }: MoneyPair, currentYear: number): FigureWords {
  const words = ({ until }: MoneyText): string =>
    until === undefined ? '' : until === null ? 'no end' : `until ${dateText(until, currentYear)}`;
  const day = (side: MoneyText): string => (side.until === null ? 'until stopped' : words(side));
  const without = 'until the end';
  return figureWords({ before, after }, { words, day, label: (text) => text || without, without });
}

interface Wording {
  words(side: MoneyText): string;
  day(side: MoneyText): string;
  label(day: string): string;
  without: string;
}

function figureWords({ before, after }: MoneyPair, { words, day, label, without }: Wording): FigureWords {
  const isSameDay = before.from === after.from && before.until === after.until;
  const isSameAmount = before.unlimited === after.unlimited && before.micros === after.micros;
  const isSpending = hasMoney(before) && hasMoney(after);
  if (isSpending && !isSameDay) {
    const sides = { before: words(before), after: words(after) };
    return { label: without, ...sides, unlabelled: sides, isChanged: true };
  }
  const none = { before: '', after: '' };
  const side = hasMoney(after) || !hasMoney(before) ? 'after' : 'before';
  const shown = day({ before, after }[side]);
  return { label: label(shown), ...none, unlabelled: { ...none, [side]: shown }, isChanged: !isSameAmount };
}

/** `$50.00 per day`, `$50.00 from 1 Jan 2031 → $50.00 today per day`, `$50.00 from 1 Jan 2031 → $0.00 per day`. */
export function perDayText({ before, after }: MoneyPair, currentYear: number): string {
  const { label, unlabelled, isChanged: changes } = perDayWords({ before, after }, currentYear);
  if (unlabelled.before !== '')
    return `${appendDay(before.text, unlabelled.before)} → ${appendDay(after.text, unlabelled.after)} per day`;
  return `${changes ? `${before.text} → ${after.text}` : after.text} ${label}`;
}

/** `1 campaign: unlimited per day and until the end, unchanged`. */
export function alwaysUnlimitedText({ perDay, untilEnd }: { perDay: number; untilEnd: number }): string[] {
  const line = (count: number, span: string): string[] =>
    count === 0 ? [] : [`${count === 1 ? '1 campaign' : `${count} campaigns`}: unlimited ${span}, unchanged`];
  if (perDay === untilEnd) return line(perDay, 'per day and until the end');
  return [...line(perDay, 'per day'), ...line(untilEnd, 'until the end')];
}

/** `, 2 campaigns`: the summed campaigns without `alwaysUnlimited`. Empty for one. */
export function campaignCountText(campaignCount: number, alwaysUnlimited: number): string {
  const count = campaignCount - alwaysUnlimited;
  if (campaignCount < 2) return '';
  return count === 1 ? ', 1 campaign' : `, ${count} campaigns`;
}

export function appendDay(amount: string, day: string): string {
  return day === '' ? amount : `${amount} ${day}`;
}

/** `up to $50.00 per day and $350.00 until the end`. */
export function exposureInWords({ perDay, untilEnd }: Exposure, formats: Formats): string {
  if (perDay.kind === 'unlimited' && untilEnd.kind === 'unlimited') return 'without a limit';
  if (perDay.kind === 'unlimited')
    return `without a limit per day, and ${upTo(untilEnd, formats)} until the end`;
  if (untilEnd.kind === 'unlimited') return `${upTo(perDay, formats)} per day, without a limit until stopped`;
  return `${upTo(perDay, formats)} per day and ${formats.money(untilEnd.micros)} until the end`;
}

/** `can spend immediately, up to $50.00 per day and …`. */
export function spendingInWords(exposure: Exposure, formats: Formats): string {
  if (!spends(exposure)) return 'has no hour left in which it could spend';
  const from = exposure.startsOn === null ? 'immediately' : `from ${fullDateText(exposure.startsOn)} on`;
  return `can spend ${from}, ${exposureInWords(exposure, formats)}`;
}

function upTo(money: Money, formats: Formats): string {
  return money.kind === 'unlimited' ? 'without a limit' : `up to ${formats.money(money.micros)}`;
}

export function moneyPair(
  part: 'perDay' | 'untilEnd',
  { before, after }: { before: Exposure; after: Exposure },
  formats: Formats,
): MoneyPair {
  return { before: exposureTexts(before, formats)[part], after: exposureTexts(after, formats)[part] };
}

export function moneyOf(
  parts: readonly { perDay: MoneyPair; untilEnd: MoneyPair }[],
  campaignCount: number,
  formats: Formats,
): MoneyAtRisk {
  const sumOf = (pairs: readonly MoneyPair[]): MoneySum => sumPairs(pairs, formats);
  const perDay = sumOf(parts.map((part) => part.perDay));
  const untilEnd = sumOf(parts.map((part) => part.untilEnd));
  const pairs = { perDay: perDay.pair, untilEnd: untilEnd.pair };
  if (campaignCount < 2) return pairs;
  const alwaysUnlimited = { perDay: perDay.alwaysUnlimited, untilEnd: untilEnd.alwaysUnlimited };
  const hasUnlimited = alwaysUnlimited.perDay + alwaysUnlimited.untilEnd > 0;
  return { ...pairs, campaignCount, ...(hasUnlimited && { alwaysUnlimited }) };
}

export function noMoney(formats: Formats): MoneyPair {
  const none = moneyText({ kind: 'amount', micros: 0n }, formats);
  return { before: none, after: none };
}

/**
 * The money of a call with an unknown effect. It is shown as “Unknown”, never as `$0.00`. Sums and limits assume the worst:
 * nothing before and unlimited after.
 */
export const unknownMoney: MoneyPair = {
  before: { text: 'Unknown', unlimited: false, micros: '0' },
  after: { text: 'Unknown', unlimited: true, micros: '' },
};
