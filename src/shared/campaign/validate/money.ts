import { toMicros } from '../../lib/decimal.ts';
import { isJsonObject, own } from '../../lib/json/json-value.ts';
import { bidControlOf, type BidLimits, changedBids, isWithin } from '../fields/bid-controls.ts';
import { fieldWords, typeOf } from '../fields/fields.ts';
import {
  checkFlag,
  checkNumber,
  isOn,
  isUnchanged,
  type Report,
  reportOfChanges,
  type Rule,
  type Subject,
  valueOf,
} from './checks.ts';
import type { Formats } from '../../lib/formats.ts';
import { ownWords, sentence } from '../../lib/sentence.ts';

export const checkPricing: Rule = (subject, report, formats: Formats) => {
  const payout = checkNumber(subject, 'payout', report);
  if (payout === null || subject.type === undefined) return;
  if (isWithin(payout, subject.type)) return;
  report(
    'payout',
    'out_of_range',
    sentence`Bid must be between ${ownWords(boundsInWords(subject.type, formats))}.`,
  );
};

/**
 * Daily and total budget: at least the tenant's minimum while budgets are on. A total of 0 is unlimited (contract §2.4,
 * §8).
 */
export const checkBudget: Rule = (subject, report, formats: Formats) => {
  checkFlag(subject, 'enable_budget', report);
  const daily = checkNumber(subject, 'd_revenue', report);
  const total = checkNumber(subject, 't_revenue', report);
  if (daily !== null) checkAmount(subject, { field: 'd_revenue', amount: daily, report }, formats);
  if (total !== null && total !== 0)
    checkAmount(subject, { field: 't_revenue', amount: total, report }, formats);
};

function checkAmount(
  subject: Subject,
  { field, amount, report }: { field: string; amount: number; report: Report },
  formats: Formats,
): void {
  const least = isOn(subject, 'enable_budget') ? subject.context.settings.min_budget : 0;
  if (amount >= least && amount >= 0) return;
  const unlimited = field === 't_revenue' ? ', or 0 for unlimited' : '';
  const text = formats.money(toMicros(Math.max(least, 0)));
  report(
    field,
    'out_of_range',
    sentence`${fieldWords(field)} must be at least ${ownWords(text + unlimited)}.`,
  );
}

/** Bid controls: a list of the service's own objects, for CPC and CPV if the tenant offers them (contract §2.4). */
export const checkBidControls: Rule = (subject, reportAny, formats: Formats) => {
  const report = reportOfChanges(subject, { with: ['type'], absence: 'passed over' }, reportAny);
  const value = valueOf(subject, 'bidControl');
  if (value === undefined)
    return report('bidControl', 'required', 'Bid controls are required; send [] for none.');
  if (!Array.isArray(value) || !value.every(isJsonObject)) {
    return report(
      'bidControl',
      'wrong_type',
      'Bid controls must be a list of the objects that the service gave.',
    );
  }
  // A stored value may stay if an unrelated field is edited.
  if (value.length === 0 || (isUnchanged(subject, 'bidControl') && isUnchanged(subject, 'type'))) return;
  const { pricing } = subject.kind;
  if (!subject.context.settings.enable_bidcontrol) {
    report('bidControl', 'not_allowed', 'Bid controls are not available for this account.');
  } else if (pricing === 'CPM') {
    report('bidControl', 'not_allowed', 'Bid controls are available for CPC and CPV types only.');
  } else checkChangedBids(subject, report, formats);
};

function checkChangedBids({ type, base, payload, context }: Subject, report: Report, formats: Formats): void {
  if (type === undefined) return;
  const before = typeOf(base, context);
  const wrong = changedBids(own(base, 'bidControl'), own(payload, 'bidControl')).find(
    ({ control, member, value }) =>
      bidControlOf(control, before)?.bid.member === member && !isWithin(value, type),
  );
  if (wrong === undefined) return;
  const { member, value } = wrong;
  report(
    'bidControl',
    'out_of_range',
    sentence`Bid controls must be between ${ownWords(boundsInWords(type, formats))}: ${ownWords(`${member} ${formats.bid(toMicros(value))}`)} is not.`,
  );
}

function boundsInWords({ minBid, maxBid }: BidLimits, formats: Formats): string {
  return `${formats.bid(toMicros(minBid))} and ${formats.bid(toMicros(maxBid))}`;
}
