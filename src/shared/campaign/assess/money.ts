import { formatMoney } from '../../lib/decimal.ts';
import { own } from '../../lib/json/own.ts';
import { becomesUnlimited, isUnlimited } from '../exposure/index.ts';
import { runs } from '../runs.ts';
import type { Warning } from '../types.ts';
import type { Risk, Update } from './subject.ts';

/** True when money may be spent without a limit because of the update: also by a Scheduled campaign set to spend at once. */
export function setsFree({ before, after, exposureBefore, exposureAfter }: Update): boolean {
  const isActivated = own(after, 'status') === 1 && own(before, 'status') !== 1;
  return becomesUnlimited(exposureBefore, exposureAfter) || (isActivated && isUnlimited(exposureAfter));
}

/** Nothing limits the money any more. */
export const unlimitedRisk: Risk = (update) => {
  if (!setsFree(update)) return [];
  const isDaily = update.exposureAfter.perDay.kind === 'unlimited';
  const text = isDaily
    ? 'Nothing limits what this campaign can spend in a day.'
    : 'Nothing limits what this campaign can spend until it is stopped.';
  return [{ code: 'exposure_unlimited', severity: 'danger', text }];
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
export const growthRisk: Risk = (update) =>
  growing.flatMap(({ part, code, span }): Warning[] => {
    const { before, exposureBefore, exposureAfter } = update;
    const from = exposureBefore[part];
    const to = exposureAfter[part];
    if (from.kind === 'unlimited' || to.kind === 'unlimited' || to.micros <= from.micros) return [];
    const text = `Up to ${formatMoney(to.micros)} can be spent ${span} instead of ${formatMoney(from.micros)}.`;
    if (from.micros === 0n) {
      const isResumed = runs(own(before, 'status'));
      return isResumed ? [{ code: `${code}_from_zero`, severity: 'warning', text }] : [];
    }
    if (growsTenfold(update, part)) return [{ code: `${code}_tenfold`, severity: 'danger', text }];
    return to.micros >= from.micros * 2n ? [{ code: `${code}_doubled`, severity: 'warning', text }] : [];
  });
