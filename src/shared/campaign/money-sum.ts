import { hasMoney, sumMoneyTexts, type MoneyPair, type MoneyText } from './money-text.ts';

/** The sum of one figure over several campaigns or changes. */
export interface MoneySum {
  /** Of all but those that are counted apart; of every one where there are no others. */
  pair: MoneyPair;
  /** How many are without a limit before and after: within the sum they would hide what the others do. */
  alwaysUnlimited: number;
}

/** The exact sum before and after. What is unlimited on both sides is counted apart, beside others that are not. */
export function sumPairs(pairs: readonly MoneyPair[]): MoneySum {
  const others = pairs.filter(({ before, after }) => !before.unlimited || !after.unlimited);
  const isApart = others.length > 0;
  const summed = isApart ? others : pairs;
  return {
    pair: {
      before: sumMoneyTexts(summed.map(({ before }) => before)),
      after: sumMoneyTexts(summed.map(({ after }) => after)),
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
export function greaterRaise(one: MoneyRaise, other: MoneyRaise): MoneyRaise {
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
