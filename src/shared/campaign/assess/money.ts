import { formatMoney } from '../../lib/decimal.ts';
import { own } from '../../lib/json/json-value.ts';
import { dayNumber } from '../calendar.ts';
import { becomesUnlimited, exposureInWords, isUnlimited, spends } from '../exposure/index.ts';
import { runs } from '../runs.ts';
import type { Exposure, Money } from '../types.ts';
import type { Mark, Risk, Update } from './subject.ts';

/**
 * True when money may be spent without a limit because of the update: also by a Scheduled campaign set to spend at once, and by one that
 * starts to spend a week earlier or more. Hours that are added to a schedule never do that: every week has them.
 */
export function setsFree(update: Update): boolean {
  const { before, after, exposureBefore, exposureAfter } = update;
  const isActivated = own(after, 'status') === 1 && own(before, 'status') !== 1;
  const isSooner = isActivated || daysSooner(update) >= daysPerWeek;
  return becomesUnlimited(exposureBefore, exposureAfter) || (isSooner && isUnlimited(exposureAfter));
}

const daysPerWeek = 7;

/** How many days earlier than before the first money can be spent; 0 where there was none to spend. */
function daysSooner({ exposureBefore, exposureAfter, today }: Update): number {
  if (!spends(exposureBefore)) return 0;
  const firstDay = ({ startsOn }: Exposure): number => dayNumber(startsOn ?? today.date) ?? 0;
  return firstDay(exposureBefore) - firstDay(exposureAfter);
}

/** Nothing limits the money any more. */
export const unlimitedRisk: Risk = (update) => {
  if (!setsFree(update)) return [];
  const isDaily = update.exposureAfter.perDay.kind === 'unlimited';
  const text = isDaily
    ? 'Nothing limits what this campaign can spend in a day.'
    : 'Nothing limits what this campaign can spend until it is stopped.';
  return [{ code: 'exposure_unlimited', severity: 'danger', text, figure: 'money' }];
};

/** True when this part of the money at risk is ten times as high or more. */
export function growsTenfold(
  { exposureBefore, exposureAfter }: Update,
  part: 'perDay' | 'untilEnd',
): boolean {
  const from = exposureBefore[part];
  const to = exposureAfter[part];
  if (from.kind === 'unlimited' || to.kind === 'unlimited' || from.micros === 0n) return false;
  return to.micros >= from.micros * 10n;
}

const growing = [
  { part: 'perDay', code: 'per_day', span: 'per day' },
  { part: 'untilEnd', code: 'until_end', span: 'until the end' },
] as const;

/**
 * The money at risk, per day or until the end, twice as high or more; ten times or more is danger. A campaign that runs
 * with nothing left to spend and gets some is told apart; one that starts to run is weighed as an activation.
 */
export const growthRisk: Risk = (update) => {
  const { before, exposureBefore, exposureAfter } = update;
  if (!isNothing(exposureBefore.perDay)) return growing.flatMap((part) => partRisk(update, part));
  if (!runs(own(before, 'status')) || isNothing(exposureAfter.perDay) || setsFree(update)) return [];
  const text = `Nothing could be spent before. Now it can spend ${exposureInWords(exposureAfter)}.`;
  return [{ code: 'spends_again', severity: 'warning', text, figure: 'money' }];
};

function partRisk(update: Update, { part, code, span }: (typeof growing)[number]): Mark[] {
  const from = update.exposureBefore[part];
  const to = update.exposureAfter[part];
  if (from.kind === 'unlimited' || to.kind === 'unlimited' || to.micros < from.micros * 2n) return [];
  const isTenfold = growsTenfold(update, part);
  return [
    {
      code: `${code}_${isTenfold ? 'tenfold' : 'doubled'}`,
      severity: isTenfold ? 'danger' : 'warning',
      text: `Up to ${formatMoney(to.micros)} can be spent ${span} instead of ${formatMoney(from.micros)}.`,
      figure: 'money',
    },
  ];
}

function isNothing(money: Money): boolean {
  return money.kind === 'amount' && money.micros === 0n;
}
