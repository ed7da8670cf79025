import {
  fieldLabel,
  fieldWords,
  runs,
  dayNumber,
  spends,
  type Exposure,
  type Money,
} from '../../campaign/index.ts';
import { isAtLeastTimes, isMovedPoint, toMicros } from '../../lib/decimal.ts';
import type { Formats } from '../../lib/formats.ts';
import { own } from '../../lib/json/json-value.ts';
import { ownWords, sentence } from '../../lib/sentence.ts';
import { exposureInWords } from '../money.ts';
import {
  changedAmount,
  changedBid,
  type RiskFinding,
  type RiskRule,
  type Update,
  typedAmount,
  timesText,
  type AmountChange,
  quietBelowHalf,
} from './subject.ts';

function isBidTenfold(update: Update): boolean {
  const bid = changedBid(update);
  return bid !== null && (isFromZero(bid) || isAtLeastTimes(bid.from, bid.to, 10n));
}

/** A warning from twice the bid on. A danger from ten times on, and from zero. */
export const bidRisk: RiskRule = (update, formats: Formats) => {
  const bid = changedBid(update);
  if (bid === null) return [];
  const [from, to] = [formats.bid(toMicros(bid.from)), formats.bid(toMicros(bid.to))];
  if (isFromZero(bid)) {
    return [
      {
        code: 'bid_from_zero',
        field: 'payout',
        ...typedAmount(bid.to, 3),
        text: sentence`The bid becomes ${ownWords(to)} instead of ${ownWords(from)}.`,
        figure: { label: 'Bid', before: from, after: to },
      },
    ];
  }
  if (!isAtLeastTimes(bid.from, bid.to, 2n)) return [];
  const text = sentence`The bid becomes ${ownWords(to)}, ${ownWords(timesText(bid, formats))} times the current one.`;
  return isBidTenfold(update)
    ? [{ code: 'bid_tenfold', field: 'payout', ...typedAmount(bid.to, 3), text, figure: 'money' }]
    : [{ code: 'bid_doubled', field: 'payout', text, figure: 'money' }];
};

/** A rise from zero has no ratio, so it gets a different text. */
function isFromZero({ from, to }: { from: number; to: number }): boolean {
  return from <= 0 && to > 0;
}

const amounts = [
  { field: 'payout', format: 'bid', places: 3 },
  { field: 'd_revenue', format: 'money', places: 2 },
  { field: 't_revenue', format: 'money', places: 2 },
] as const;

/** A moved decimal point is more likely a typing or model error than an intention. */
export const decimalSlipRisk: RiskRule = (update, formats: Formats) =>
  amounts.flatMap(({ field, format, places }): RiskFinding[] => {
    const change = changedAmount(update, field);
    if (change === null || !isMovedPoint(change.from, change.to)) return [];
    const [from, to] = [formats[format](toMicros(change.from)), formats[format](toMicros(change.to))];
    const isRise = change.to > change.from;
    const isShown = isRise && (field === 'payout' || runs(own(update.before, 'status')));
    const figure = isShown ? 'money' : { label: fieldLabel(field), before: from, after: to };
    const text = sentence`${fieldWords(field)} looks like a slipped decimal point: ${ownWords(from)} → ${ownWords(to)}.`;
    return isRise
      ? [{ code: 'decimal_slip', field, text, figure, ...typedAmount(change.to, places) }]
      : [{ code: 'decimal_slip_down', field, text, figure }];
  });

const largeRaiseMicros = 1_000_000_000n;

const budgets = [
  { field: 'd_revenue', part: 'perDay' },
  { field: 't_revenue', part: 'untilEnd' },
] as const;

type BudgetField = (typeof budgets)[number]['field'];

function raisedBudget(update: Update): AmountChange | null {
  const raised = budgets.map(({ field }) => ({ field, change: changedAmount(update, field) }));
  return (
    raised.find(
      ({ field, change }) => change !== null && (isTenfold(update, field) || raisesMuch(update, field)),
    )?.change ?? null
  );
}

/**
 * A tenfold budget that the money at risk does not show, or a large raise. Also a doubled budget of a campaign that
 * cannot spend now.
 */
export const budgetRisk: RiskRule = (update, formats: Formats) =>
  budgets.flatMap(({ field, part }): RiskFinding[] => {
    const change = changedAmount(update, field);
    if (change === null || growsTenfold(update, part)) return [];
    const [label, to] = [fieldLabel(field), formats.money(toMicros(change.to))];
    const figure = { label, before: formats.money(toMicros(change.from)), after: to };
    if (isTenfold(update, field)) {
      const text = sentence`${fieldWords(field)} becomes ${ownWords(to)}, ${ownWords(timesText(change, formats))} times the current one.`;
      return [{ code: 'budget_tenfold', field, text, figure, ...typedAmount(change.to, 2) }];
    }
    if (!raisesMuch(update, field) && !isDoubledWithoutSpending(update, field, part)) return [];
    const by = formats.money(toMicros(change.to) - toMicros(change.from));
    const text = sentence`${fieldWords(field)} rises by ${ownWords(by)}, to ${ownWords(to)}.`;
    return [{ code: 'budget_raised', field, text, figure: { ...figure, ...quietBelowHalf(change) } }];
  });

export const unlimitedBudgetRisk: RiskRule = (update, formats: Formats) => {
  if (unlimitedPart(update) !== null) return [];
  const { before, after } = update;
  if (own(before, 'enable_budget') === 1 && own(after, 'enable_budget') === 0) {
    const text = sentence`Budgets are switched off: the daily and the total budget limit nothing any more.`;
    const figure = { label: 'Budget limits', before: 'On', after: 'Off' };
    return [{ code: 'budgets_off', field: 'enable_budget', text, figure }];
  }
  return budgets.flatMap(({ field }): RiskFinding[] => {
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
  return areBudgetsOn(update) && change !== null && isAtLeastTimes(change.from, change.to, 10n);
}

/**
 * True if a budget at least doubles in a campaign that could spend nothing before. The money at risk cannot show such a raise.
 */
function isDoubledWithoutSpending(update: Update, field: BudgetField, part: 'perDay' | 'untilEnd'): boolean {
  const change = changedAmount(update, field);
  if (!areBudgetsOn(update) || change === null || change.from <= 0) return false;
  return isZero(update.exposureBefore[part]) && isAtLeastTimes(change.from, change.to, 2n);
}

function raisesMuch(update: Update, field: BudgetField): boolean {
  const change = changedAmount(update, field);
  if (!areBudgetsOn(update) || change === null || change.from <= 0 || change.to <= change.from) return false;
  if (field === 'd_revenue') return toMicros(change.to) - toMicros(change.from) > largeRaiseMicros;
  const { exposureBefore, exposureAfter } = update;
  const [from, to] = [exposureBefore.perDay, exposureAfter.perDay];
  if (from.kind === 'unlimited' || to.kind === 'unlimited' || from.micros === 0n) return false;
  return to.micros - from.micros > largeRaiseMicros;
}

/** Budgets that are off limit nothing, and switching them on can only limit. */
function areBudgetsOn({ before, after }: Update): boolean {
  return own(before, 'enable_budget') === 1 && own(after, 'enable_budget') === 1;
}

/**
 * The part of the money, per day or until the end, that loses its limit, or that is unlimited in a campaign that starts at
 * least a week earlier. An activation counts for the money per day only. A change of hours never removes a limit.
 */
function unlimitedPart(update: Update): 'perDay' | 'untilEnd' | null {
  const { before, after, exposureBefore, exposureAfter } = update;
  const isActivated = own(after, 'status') === 1 && own(before, 'status') !== 1;
  const isSooner = isActivated || daysSooner(update) >= daysPerWeek;
  const losesLimit = (part: 'perDay' | 'untilEnd'): boolean =>
    exposureAfter[part].kind === 'unlimited' && (isSooner || exposureBefore[part].kind !== 'unlimited');
  if (losesLimit('perDay')) return 'perDay';
  return losesLimit('untilEnd') && !isActivated ? 'untilEnd' : null;
}

const daysPerWeek = 7;

function daysSooner({ exposureBefore, exposureAfter, today }: Update): number {
  if (!spends(exposureBefore)) return 0;
  const firstDay = ({ startsOn }: Exposure): number => dayNumber(startsOn ?? today.date) ?? 0;
  return firstDay(exposureBefore) - firstDay(exposureAfter);
}

/** Unlimited money per day is a danger. Unlimited money until the end is a warning, because each day is still limited. */
export const unlimitedRisk: RiskRule = (update) => {
  switch (unlimitedPart(update)) {
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

const moneyParts = [
  { part: 'perDay', code: 'per_day', span: 'per day' },
  { part: 'untilEnd', code: 'until_end', span: 'until the end' },
] as const;

/**
 * A warning from twice the money on, a danger from ten times on. A running campaign that could spend nothing gets a separate
 * warning. Activations have a separate rule.
 */
export const growthRisk: RiskRule = (update, formats: Formats) => {
  const { before, exposureBefore, exposureAfter } = update;
  if (!isZero(exposureBefore.perDay)) return moneyParts.flatMap((part) => partRisk(update, part, formats));
  if (!runs(own(before, 'status')) || isZero(exposureAfter.perDay) || unlimitedPart(update) !== null)
    return [];
  const text = sentence`Nothing could be spent before. Now it can spend ${ownWords(exposureInWords(exposureAfter, formats))}.`;
  return [{ code: 'spends_again', text, figure: 'money' }];
};

function partRisk(
  update: Update,
  { part, code, span }: (typeof moneyParts)[number],
  formats: Formats,
): RiskFinding[] {
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

function isZero(money: Money): boolean {
  return money.kind === 'amount' && money.micros === 0n;
}
