import { factorText } from '../../lib/decimal.ts';
import { diffCampaigns } from '../diff.ts';
import { own } from '../../lib/json/json-value.ts';
import { runs } from '../runs.ts';
import type { Warning } from '../types.ts';
import { bidRisk } from './bid.ts';
import { bySeverity } from './by-severity.ts';
import { budgetRisk, unlimitedBudgetRisk } from './budget.ts';
import { addressRisk } from './addresses.ts';
import { deliveryRisk } from './delivery.ts';
import { flightRisk } from './flight.ts';
import { listRisk, wideningRisk } from './lists.ts';
import { lookAlikeRisk } from './look-alikes.ts';
import { growthRisk, unlimitedRisk } from './money.ts';
import { pendingRisk } from './pending.ts';
import { scheduleRisk } from './schedule.ts';
import { slipRisk } from './slip.ts';
import { activationRisk } from './status.ts';
import { changedBid, type Figure, type Mark, type Risk, type Update } from './subject.ts';
import { typeRisk } from './type.ts';
import { typedValue } from './typed-value.ts';
import { unweighedRisk } from './unweighed.ts';

export { assessStatus } from './assess-status.ts';
export type { StatusAssessment, StatusMove } from './assess-status.ts';
export { bySeverity } from './by-severity.ts';
export { pendingWarnings } from './pending.ts';
export { lookAlikeScripts } from './look-alikes.ts';
export { isUnknownField } from './unweighed.ts';

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
  const weighed = { ...update, changes: diffCampaigns(update.before, update.after) };
  const marks = risks.flatMap((risk) => risk(weighed)).toSorted(bySeverity);
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
