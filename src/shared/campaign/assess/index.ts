import { decimalText, toMicros } from '../../lib/decimal.ts';
import { factorText } from '../../lib/factor.ts';
import { diffCampaigns, own } from '../diff.ts';
import { runs } from '../runs.ts';
import type { Warning } from '../types.ts';
import { bidRisk, isBidTenfold } from './bid.ts';
import { destinationRisk } from './destination.ts';
import { shrinkingRisk, wideningRisk } from './lists.ts';
import { lookAlikeRisk } from './look-alikes.ts';
import { growthRisk, setsFree, unlimitedRisk } from './money.ts';
import { scheduleRisk } from './schedule.ts';
import { activationRisk } from './status.ts';
import { changedBid, type Risk, type Update } from './subject.ts';
import { typeRisk } from './type.ts';

export { assessStatus } from './assess-status.ts';
export type { StatusAssessment, StatusMove } from './assess-status.ts';

/** Every risk that is weighed, the heaviest first. */
const risks: readonly Risk[] = [
  unlimitedRisk,
  bidRisk,
  growthRisk,
  destinationRisk,
  wideningRisk,
  shrinkingRisk,
  scheduleRisk,
  typeRisk,
  lookAlikeRisk,
  activationRisk,
];

const weights = { danger: 0, warning: 1, notice: 2 } as const;

/** What a person should know before approving a full update. */
export interface Assessment {
  /** Dangers first. */
  warnings: Warning[];
  /** What has to be typed before Approve arms; null when nothing asks for it. */
  typeToConfirm: { label: string; value: string } | null;
  /** For example `×10`; null when the bid does not change, or when no ratio tells how. */
  bidFactor: string | null;
  /** What the figures cannot say. */
  notes: string[];
}

/** Weighs a full update. The exposures are those of {@link exposureOf} at one moment. */
export function assessUpdate(update: Update): Assessment {
  const weighed = { ...update, changes: diffCampaigns(update.before, update.after) };
  const warnings = risks.flatMap((risk) => risk(weighed));
  const bid = changedBid(update);
  return {
    warnings: warnings.toSorted((a, b) => weights[a.severity] - weights[b.severity]),
    typeToConfirm: typedValue(update),
    bidFactor: bid === null ? null : factorText(bid.from, bid.to),
    notes: notesOf(update),
  };
}

/** Spending without a limit asks for the campaign's id, and otherwise a bid ten times as high, or from nothing, for the new bid. */
function typedValue(update: Update): Assessment['typeToConfirm'] {
  const cid = own(update.after, 'cid');
  if (setsFree(update) && typeof cid === 'number') {
    return { label: `Type ${cid} to go on`, value: String(cid) };
  }
  const bid = changedBid(update);
  if (bid === null || !isBidTenfold(update)) return null;
  const value = decimalText(toMicros(bid.to), 3).replaceAll(',', '');
  return { label: `Type ${value} to go on`, value };
}

function notesOf({ after }: Update): string[] {
  const notes = ['What is already spent is unknown.'];
  if (!runs(own(after, 'status'))) {
    notes.push('The campaign does not run now, so nothing is at risk until it is activated.');
  }
  if (own(after, 'enable_budget') === 1 && own(after, 'd_revenue') === 0) {
    notes.push('A daily budget of 0 is counted as no daily limit.');
  }
  return notes;
}
