import { formatMoney, isAtLeastTimes, toMicros } from '../../lib/decimal.ts';
import { own } from '../../lib/json/json-value.ts';
import { dayNumber } from '../calendar.ts';
import { becomesUnlimited, exposureInWords, isUnlimited, spends } from '../exposure/index.ts';
import { fieldLabel } from '../fields.ts';
import { runs } from '../kind.ts';
import type { Exposure, Money } from '../types.ts';
import { timesText } from './bid.ts';
import { changedAmount, type Mark, type Risk, type Update } from './subject.ts';

/** Money per day that rises by more than so much ($1,000.00) is a large raise, whatever the factor. */
const largeRaiseMicros = 1_000_000_000n;

const budgets = [
  { field: 'd_revenue', part: 'perDay' },
  { field: 't_revenue', part: 'untilEnd' },
] as const;

export type BudgetField = (typeof budgets)[number]['field'];

/** The first budget that is raised so far that a person has to look twice; null when there is none. */
export function raisedBudget(update: Update): { field: BudgetField; to: number } | null {
  for (const { field } of budgets) {
    const change = changedAmount(update, field);
    if (change !== null && (isTenfold(update, field) || raisesMuch(update, field))) {
      return { field, to: change.to };
    }
  }
  return null;
}

/**
 * A budget ten times as high or more, where the money at risk does not tell it already: for a campaign that does not
 * run, and for one that another limit still holds back. And a large raise by less.
 */
export const budgetRisk: Risk = (update) =>
  budgets.flatMap(({ field, part }): Mark[] => {
    const change = changedAmount(update, field);
    if (change === null || growsTenfold(update, part)) return [];
    const [label, to] = [fieldLabel(field), formatMoney(toMicros(change.to))];
    const figure = { label, before: formatMoney(toMicros(change.from)), after: to };
    if (isTenfold(update, field)) {
      const text = `${label} becomes ${to}, ${timesText(change)} times the current one.`;
      return [{ code: 'budget_tenfold', severity: 'danger', text, figure }];
    }
    if (!raisesMuch(update, field)) return [];
    const by = formatMoney(toMicros(change.to) - toMicros(change.from));
    const text = `${label} rises by ${by}, to ${to}.`;
    return [{ code: 'budget_raised', severity: 'warning', text, figure }];
  });

/** A budget that becomes 0, or budgets that are switched off, where something else still limits the money for now. */
export const unlimitedBudgetRisk: Risk = (update) => {
  if (setsFree(update)) return [];
  const { before, after } = update;
  if (own(before, 'enable_budget') === 1 && own(after, 'enable_budget') === 0) {
    const text = 'Budgets are switched off: the daily and the total budget limit nothing any more.';
    const figure = { label: 'Budget limits', before: 'On', after: 'Off' };
    return [{ code: 'budget_unlimited', severity: 'warning', text, figure }];
  }
  return budgets.flatMap(({ field }): Mark[] => {
    const change = changedAmount(update, field);
    if (change?.to !== 0 || own(after, 'enable_budget') !== 1) return [];
    const label = fieldLabel(field);
    const text = `${label} becomes unlimited: a budget of 0 limits nothing.`;
    const figure = { label, before: formatMoney(toMicros(change.from)), after: 'Unlimited' };
    return [{ code: 'budget_unlimited', severity: 'warning', text, figure }];
  });
};

function isTenfold(update: Update, field: BudgetField): boolean {
  const change = changedAmount(update, field);
  return isInForce(update) && change !== null && isAtLeastTimes(change.from, change.to, 10n);
}

/** By the daily budget itself; by the total one as far as it is what limits a day. */
function raisesMuch(update: Update, field: BudgetField): boolean {
  const change = changedAmount(update, field);
  if (!isInForce(update) || change === null || change.from <= 0 || change.to <= change.from) return false;
  if (field === 'd_revenue') return toMicros(change.to) - toMicros(change.from) > largeRaiseMicros;
  const { exposureBefore, exposureAfter } = update;
  const [from, to] = [exposureBefore.perDay, exposureAfter.perDay];
  if (from.kind === 'unlimited' || to.kind === 'unlimited' || from.micros === 0n) return false;
  return to.micros - from.micros > largeRaiseMicros;
}

/** Budgets that are switched off limit nothing, so their amounts say nothing either; those that are switched on only limit. */
function isInForce({ before, after }: Update): boolean {
  return own(before, 'enable_budget') === 1 && own(after, 'enable_budget') === 1;
}

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
function growsTenfold({ exposureBefore, exposureAfter }: Update, part: 'perDay' | 'untilEnd'): boolean {
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
