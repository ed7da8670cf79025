import { isAtLeastTimes, toMicros } from '../../lib/decimal.ts';
import { own } from '../../lib/json/json-value.ts';
import {
  dayNumber,
  spends,
  fieldLabel,
  fieldWords,
  runs,
  type Exposure,
  type Money,
} from '../../campaign/index.ts';
import { exposureInWords } from '../money.ts';
import {
  type AmountChange,
  changedAmount,
  quietBelowHalf,
  type Mark,
  type Risk,
  type Update,
  timesText,
  typedAmount,
} from './subject.ts';
import type { Formats } from '../../lib/formats.ts';
import { ownWords, sentence } from '../../lib/sentence.ts';

const largeRaiseMicros = 1_000_000_000n;

const budgets = [
  { field: 'd_revenue', part: 'perDay' },
  { field: 't_revenue', part: 'untilEnd' },
] as const;

type BudgetField = (typeof budgets)[number]['field'];

/** The first budget whose raise may multiply the money at risk; null if none. */
function raisedBudget(update: Update): AmountChange | null {
  const raised = budgets.map(({ field }) => ({ field, change: changedAmount(update, field) }));
  return (
    raised.find(
      ({ field, change }) => change !== null && (isTenfold(update, field) || raisesMuch(update, field)),
    )?.change ?? null
  );
}

/** A budget ten times as high where the money at risk does not show it, or a large raise. Also a doubled budget of a campaign that spends nothing. */
export const budgetRisk: Risk = (update, formats: Formats) =>
  budgets.flatMap(({ field, part }): Mark[] => {
    const change = changedAmount(update, field);
    if (change === null || growsTenfold(update, part)) return [];
    const [label, to] = [fieldLabel(field), formats.money(toMicros(change.to))];
    const figure = { label, before: formats.money(toMicros(change.from)), after: to };
    if (isTenfold(update, field)) {
      const text = sentence`${fieldWords(field)} becomes ${ownWords(to)}, ${ownWords(timesText(change, formats))} times the current one.`;
      return [{ code: 'budget_tenfold', field, text, figure, ...typedAmount(change.to, 2) }];
    }
    if (!raisesMuch(update, field) && !isDoubledAtRest(update, field, part)) return [];
    const by = formats.money(toMicros(change.to) - toMicros(change.from));
    const text = sentence`${fieldWords(field)} rises by ${ownWords(by)}, to ${ownWords(to)}.`;
    return [{ code: 'budget_raised', field, text, figure: { ...figure, ...quietBelowHalf(change) } }];
  });

/** Also if something else still limits the money for now. */
export const unlimitedBudgetRisk: Risk = (update, formats: Formats) => {
  if (freedPart(update) !== null) return [];
  const { before, after } = update;
  if (own(before, 'enable_budget') === 1 && own(after, 'enable_budget') === 0) {
    const text = sentence`Budgets are switched off: the daily and the total budget limit nothing any more.`;
    const figure = { label: 'Budget limits', before: 'On', after: 'Off' };
    return [{ code: 'budgets_off', field: 'enable_budget', text, figure }];
  }
  return budgets.flatMap(({ field }): Mark[] => {
    const change = changedAmount(update, field);
    if (change?.to !== 0 || own(after, 'enable_budget') !== 1) return [];
    const label = fieldLabel(field);
    const text = sentence`${fieldWords(field)} becomes unlimited: a budget of 0 limits nothing.`;
    const figure = { label, before: formats.money(toMicros(change.from)), after: 'Unlimited' };
    const code = field === 'd_revenue' ? 'daily_limit_removed' : 'total_limit_removed';
    return [{ code, field, text, figure }];
  });
};

function isTenfold(update: Update, field: BudgetField): boolean {
  const change = changedAmount(update, field);
  return isInForce(update) && change !== null && isAtLeastTimes(change.from, change.to, 10n);
}

/** Nothing could be spent before, so the money at risk cannot tell. */
function isDoubledAtRest(update: Update, field: BudgetField, part: 'perDay' | 'untilEnd'): boolean {
  const change = changedAmount(update, field);
  if (!isInForce(update) || change === null || change.from <= 0) return false;
  return isNothing(update.exposureBefore[part]) && isAtLeastTimes(change.from, change.to, 2n);
}

/** A total budget counts as far as it limits a day. */
function raisesMuch(update: Update, field: BudgetField): boolean {
  const change = changedAmount(update, field);
  if (!isInForce(update) || change === null || change.from <= 0 || change.to <= change.from) return false;
  if (field === 'd_revenue') return toMicros(change.to) - toMicros(change.from) > largeRaiseMicros;
  const { exposureBefore, exposureAfter } = update;
  const [from, to] = [exposureBefore.perDay, exposureAfter.perDay];
  if (from.kind === 'unlimited' || to.kind === 'unlimited' || from.micros === 0n) return false;
  return to.micros - from.micros > largeRaiseMicros;
}

/** Amounts of budgets that are switched off limit nothing; switching on only limits. */
function isInForce({ before, after }: Update): boolean {
  return own(before, 'enable_budget') === 1 && own(after, 'enable_budget') === 1;
}

/** The money that loses its limit: also of a Scheduled campaign set to Active, and of one that starts a week earlier. Hours never do that. */
function freedPart(update: Update): 'perDay' | 'untilEnd' | null {
  const { before, after, exposureBefore, exposureAfter } = update;
  const isActivated = own(after, 'status') === 1 && own(before, 'status') !== 1;
  const isSooner = isActivated || daysSooner(update) >= daysPerWeek;
  const isFreed = (part: 'perDay' | 'untilEnd'): boolean =>
    exposureAfter[part].kind === 'unlimited' && (isSooner || exposureBefore[part].kind !== 'unlimited');
  if (isFreed('perDay')) return 'perDay';
  // An activation says itself what may be spent.
  return isFreed('untilEnd') && !isActivated ? 'untilEnd' : null;
}

const daysPerWeek = 7;

/** 0 if there was nothing to spend. */
function daysSooner({ exposureBefore, exposureAfter, today }: Update): number {
  if (!spends(exposureBefore)) return 0;
  const firstDay = ({ startsOn }: Exposure): number => dayNumber(startsOn ?? today.date) ?? 0;
  return firstDay(exposureBefore) - firstDay(exposureAfter);
}

/** Without a limit per day it is a danger; with one, each day tells. */
export const unlimitedRisk: Risk = (update) => {
  switch (freedPart(update)) {
    case 'perDay': {
      const text = sentence`Nothing limits what this campaign can spend in a day.`;
      return [{ code: 'exposure_unlimited', text, figure: 'money' }];
    }
    case 'untilEnd': {
      const text = sentence`Nothing limits what this campaign can spend until it is stopped.`;
      return [{ code: 'until_end_unlimited', text, figure: 'money' }];
    }
    default:
      return [];
  }
};

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

/** Twice as high, or ten times for a danger. A running campaign that could spend nothing is told apart; an activation is assessed as such. */
export const growthRisk: Risk = (update, formats: Formats) => {
  const { before, exposureBefore, exposureAfter } = update;
  if (!isNothing(exposureBefore.perDay)) return growing.flatMap((part) => partRisk(update, part, formats));
  if (!runs(own(before, 'status')) || isNothing(exposureAfter.perDay) || freedPart(update) !== null)
    return [];
  const text = sentence`Nothing could be spent before. Now it can spend ${ownWords(exposureInWords(exposureAfter, formats))}.`;
  return [{ code: 'spends_again', text, figure: 'money' }];
};

function partRisk(update: Update, { part, code, span }: (typeof growing)[number], formats: Formats): Mark[] {
  const from = update.exposureBefore[part];
  const to = update.exposureAfter[part];
  if (from.kind === 'unlimited' || to.kind === 'unlimited' || to.micros < from.micros * 2n) return [];
  const raised = raisedBudget(update);
  return [
    {
      ...(growsTenfold(update, part)
        ? { code: `${code}_tenfold` as const, ...(raised !== null && typedAmount(raised.to, 2)) }
        : { code: `${code}_doubled` as const }),
      text: sentence`Up to ${ownWords(formats.money(to.micros))} can be spent ${ownWords(span)} instead of ${ownWords(formats.money(from.micros))}.`,
      figure: 'money',
    },
  ];
}

function isNothing(money: Money): boolean {
  return money.kind === 'amount' && money.micros === 0n;
}
