import { fullDateText } from '../../lib/date-text.ts';
import { formatMoney } from '../../lib/decimal.ts';
import type { Exposure, Money } from '../types.ts';

/** Money at risk within a sentence: `up to $50.00 per day and $350.00 until the end`. */
export function exposureInWords({ perDay, untilEnd }: Exposure): string {
  if (perDay.kind === 'unlimited' && untilEnd.kind === 'unlimited') return 'without a limit';
  if (perDay.kind === 'unlimited') return `without a limit per day, and ${upTo(untilEnd)} until the end`;
  if (untilEnd.kind === 'unlimited') return `${upTo(perDay)} per day, without a limit until stopped`;
  return `${upTo(perDay)} per day and ${formatMoney(untilEnd.micros)} until the end`;
}

/** What a campaign may do with its money, and from when on: `can spend at once, up to $50.00 per day and …`. */
export function spendingInWords(exposure: Exposure): string {
  if (!spends(exposure)) return 'has no hour left in which it could spend';
  const from = exposure.startsOn === null ? 'at once' : `from ${fullDateText(exposure.startsOn)} on`;
  return `can spend ${from}, ${exposureInWords(exposure)}`;
}

/** True when anything can be spent. */
export function spends({ perDay }: Exposure): boolean {
  return perDay.kind === 'unlimited' || perDay.micros > 0n;
}

/** True when nothing limits the money, by day or until the end. */
export function isUnlimited({ perDay, untilEnd }: Exposure): boolean {
  return perDay.kind === 'unlimited' || untilEnd.kind === 'unlimited';
}

/** True when money at risk, by day or until the end, is unlimited only after the change. */
export function becomesUnlimited(before: Exposure, after: Exposure): boolean {
  const does = (part: 'perDay' | 'untilEnd'): boolean =>
    after[part].kind === 'unlimited' && before[part].kind !== 'unlimited';
  return does('perDay') || does('untilEnd');
}

function upTo(money: Money): string {
  return money.kind === 'unlimited' ? 'without a limit' : `up to ${formatMoney(money.micros)}`;
}
