import { factorText } from '../../lib/decimal.ts';
import { own } from '../../lib/json/json-value.ts';
import { runs } from '../../campaign/index.ts';
import { bySeverity, severities, type Warning, warningOf } from '../severities.ts';
import { bidRisk, slipRisk } from './bid.ts';
import { budgetRisk, growthRisk, unlimitedBudgetRisk, unlimitedRisk } from './budget.ts';
import { deliveryRisk, flightRisk, scheduleRisk } from './delivery.ts';
import { addressFormRisk, addressRisk, lookAlikeRisk, parameterRisk } from './destination.ts';
import { listRisk, wideningRisk } from './lists.ts';
import { activationRisk, pendingRisk, suspendedRisk } from './status.ts';
import { updateHeadline } from '../headline.ts';
import { changedBid, type Figure, type Mark, type Risk, type Update } from './subject.ts';
import { typeRisk, unweighedRisk } from './unweighed.ts';
import type { Formats } from '../../lib/formats.ts';
import { type Sentence, sentence } from '../../lib/sentence.ts';

/** The table of severities ranks what they find. */
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
  addressFormRisk,
  parameterRisk,
  wideningRisk,
  listRisk,
  unweighedRisk,
  deliveryRisk,
  typeRisk,
  lookAlikeRisk,
  suspendedRisk,
  pendingRisk,
  activationRisk,
];

export interface Assessment {
  /** Dangers first. */
  warnings: Warning[];
  typeToConfirm: { label: string; value: string } | null;
  /** `×10`; null if the bid does not change or has no ratio. */
  bidFactor: string | null;
  /** Null if the money or the bid is the most dangerous. */
  headline: Figure | null;
  notes: Sentence[];
}

/** Null if several fields or the campaign's money are meant. */
export interface FieldWarning extends Warning {
  field: string | null;
}

export function fieldWarnings(update: Update, formats: Formats): FieldWarning[] {
  const [first, second] = update.changes;
  const only = second === undefined ? first?.field : undefined;
  return marksOf(update, formats).map(({ code, text, field, figure }) => {
    return { ...warningOf(code, text), field: field ?? (figure === 'money' ? only : undefined) ?? null };
  });
}

function marksOf(update: Update, formats: Formats): Mark[] {
  return risks.flatMap((risk) => risk(update, formats)).toSorted(bySeverity);
}

export function assessUpdate(update: Update, formats: Formats): Assessment {
  const marks = marksOf(update, formats);
  const bid = changedBid(update);
  return {
    warnings: marks.map(({ code, text }) => warningOf(code, text)),
    typeToConfirm: typedValue(marks, update),
    bidFactor: bid === null ? null : factorText(bid.from, bid.to, formats),
    headline: updateHeadline(marks, update, formats),
    notes: notesOf(update),
  };
}

function typedValue(marks: readonly Mark[], { after }: Update): Assessment['typeToConfirm'] {
  const [first] = marks;
  if (first === undefined || severities[first.code] !== 'danger') return null;
  const cid = own(after, 'cid');
  const value = first.typed ?? (typeof cid === 'number' ? String(cid) : 'confirm');
  return { label: `Type ${value} to confirm`, value };
}

function notesOf({ before, after }: Update): Sentence[] {
  const notes = [sentence`Spend to date: not available.`];
  if (!runs(own(before, 'status')) && !runs(own(after, 'status')))
    notes.push(sentence`Not running: nothing is at risk before activation.`);
  return notes;
}
