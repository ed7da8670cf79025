import { decimalText, factorText, toMicros } from '../../lib/decimal.ts';
import { own } from '../../lib/json/json-value.ts';
import { runs } from '../kind.ts';
import type { Warning } from '../types.ts';
import { bidRisk, isBidTenfold, slipRisk } from './bid.ts';
import {
  budgetRisk,
  growthRisk,
  raisedBudget,
  setsFree,
  unlimitedBudgetRisk,
  unlimitedRisk,
} from './budget.ts';
import { deliveryRisk, flightRisk, scheduleRisk } from './delivery.ts';
import { addressRisk, lookAlikeRisk } from './destination.ts';
import { listRisk, wideningRisk } from './lists.ts';
import { activationRisk, pendingRisk } from './status.ts';
import { bySeverity, changedBid, type Figure, type Mark, type Risk, type Update } from './subject.ts';
import { typeRisk, unweighedRisk } from './unweighed.ts';

export { assessStatus } from './status.ts';
export type { StatusAssessment, StatusMove } from './status.ts';
export { bySeverity } from './subject.ts';
export { pendingWarnings } from './status.ts';
export { lookAlikeScripts } from './destination.ts';

/** Every risk that is weighed, the heaviest first. */
const risks: readonly Risk[] = [
  unlimitedRisk,
  slipRisk,
  bidRisk,
  growthRisk,
  budgetRisk,
  scheduleRisk,
  flightRisk,
  unlimitedBudgetRisk,
  addressRisk,
  wideningRisk,
  listRisk,
  unweighedRisk,
  deliveryRisk,
  typeRisk,
  lookAlikeRisk,
  pendingRisk,
  activationRisk,
];

/** What a person should know before approving a full update. */
export interface Assessment {
  /** Dangers first. */
  warnings: Warning[];
  /** What has to be typed before Approve arms; null when nothing asks for it. */
  typeToConfirm: { label: string; value: string } | null;
  /** For example `×10`; null when the bid does not change, or when no ratio tells how. */
  bidFactor: string | null;
  /** What changes most dangerously; null where that is the money or the bid, or where nothing is marked. */
  headline: Figure | null;
  /** What the figures cannot say. */
  notes: string[];
}

/** Weighs a full update. The exposures are those of {@link exposureOf} at one moment. */
export function assessUpdate(update: Update): Assessment {
  const marks = risks.flatMap((risk) => risk(update)).toSorted(bySeverity);
  const bid = changedBid(update);
  return {
    warnings: marks.map(({ code, severity, text }) => ({ code, severity, text })),
    typeToConfirm: typedValue(update),
    bidFactor: bid === null ? null : factorText(bid.from, bid.to),
    headline: headlineOf(marks),
    notes: notesOf(update),
  };
}

/** The figure of the heaviest mark that has one. What is only worth a notice is no headline. */
function headlineOf(marks: readonly Mark[]): Figure | null {
  const heaviest = marks.find(({ figure, severity }) => figure !== undefined && severity !== 'notice');
  return heaviest?.figure === undefined || heaviest.figure === 'money' ? null : heaviest.figure;
}

function notesOf({ after }: Update): string[] {
  const notes = ['Spend to date: not available.'];
  if (!runs(own(after, 'status'))) {
    notes.push('The campaign does not run now, so nothing is at risk until it is activated.');
  }
  if (own(after, 'enable_budget') === 1 && own(after, 'd_revenue') === 0) {
    notes.push('A daily budget of 0 is counted as no daily limit.');
  }
  return notes;
}

/**
 * What a person types before Approve arms, or null. Spending without a limit asks for the campaign's id; a bid ten times
 * as high or from nothing asks for the new bid; and a budget ten times as high, or raised by much, for the new budget. An amount
 * that nobody types gives way to the id.
 */
function typedValue(update: Update): { label: string; value: string } | null {
  const cid = own(update.after, 'cid');
  const id = typeof cid === 'number' ? String(cid) : null;
  if (setsFree(update) && id !== null) return toConfirm(id);
  const bid = changedBid(update);
  const budget = raisedBudget(update);
  const amount =
    bid !== null && isBidTenfold(update) ? amountText(bid.to, 3) : budget && amountText(budget.to, 2);
  if (amount === null) return null;
  return toConfirm(amount.length <= mostTyped ? amount : (id ?? amount));
}

/** So many characters of an amount are typed at most: a trillion with its cents. */
const mostTyped = 16;

function toConfirm(value: string): { label: string; value: string } {
  return { label: `Type ${value} to confirm`, value };
}

function amountText(amount: number, decimals: number): string {
  return decimalText(toMicros(amount), decimals).replaceAll(',', '');
}
