import {
  runs,
  contractFields,
  fieldWords,
  isEntryList,
  typeOf,
  kindOf,
  type FieldEffect,
} from '../../campaign/index.ts';
import { factorText, isAtLeastTimes, toMicros } from '../../lib/decimal.ts';
import type { Formats } from '../../lib/formats.ts';
import { own, isJsonObject, type JsonValue } from '../../lib/json/json-value.ts';
import { type Sentence, sentence, ownWords } from '../../lib/sentence.ts';
import { updateHeadline } from '../headline.ts';
import { bySeverity, severities, type Warning, warningOf } from '../severities.ts';
import {
  bidRisk,
  decimalSlipRisk,
  budgetRisk,
  growthRisk,
  unlimitedBudgetRisk,
  unlimitedRisk,
} from './bids-and-budgets.ts';
import { deliveryRisk, flightRisk, scheduleRisk } from './delivery.ts';
import { addressFormRisk, addressRisk, lookAlikeRisk, parameterRisk } from './destination.ts';
import { listRisk, wideningRisk } from './lists.ts';
import { activationRisk, pendingRisk, suspendedRisk } from './status.ts';
import {
  changedBid,
  type Figure,
  type RiskFinding,
  type RiskRule,
  type Update,
  type AmountChange,
  quietBelowHalf,
} from './subject.ts';

/** Assesses bid controls and fields outside the contract, whose meaning is not defined. */
const notAssessedRisk: RiskRule = ({ changes }, formats: Formats) =>
  changes.flatMap((change): RiskFinding[] => {
    if (change.field === 'bidControl') return [bidControlMark(change, formats)];
    return knownFields.has(change.field) || isList(change) ? [] : [unknownMark(change)];
  });

const knownFields = new Set(contractFields);

function bidControlMark({ before, after }: FieldEffect, formats: Formats): RiskFinding {
  const label = 'Bid controls';
  const [largest] = numbersOf(before, after).toSorted((one, other) => growthOf(other) - growthOf(one));
  if (largest !== undefined && isAtLeastTimes(largest.from, largest.to, 10n)) {
    const figure = { label: 'Bid control', ...amountTexts(largest, formats) };
    const text = sentence`A bid control becomes ${ownWords(figure.after)} instead of ${ownWords(figure.before)}: the bid may grow with it.`;
    return { code: 'bid_control_tenfold', field: 'bidControl', text, figure };
  }
  const text = sentence`Bid controls may change the bid: check every entry.`;
  const count = (value: unknown): string =>
    Array.isArray(value) ? formats.counted(value.length, 'entry', 'entries') : 'None';
  const figure =
    largest === undefined
      ? { label, before: count(before), after: count(after) }
      : { label: 'Bid control', ...amountTexts(largest, formats), ...quietBelowHalf(largest) };
  return { code: 'bid_controls', field: 'bidControl', text, figure };
}

const growthOf = ({ from, to }: AmountChange): number => (from > 0 ? to / from : 0);

function amountTexts(
  { from, to }: AmountChange,
  formats: Formats,
): Pick<Figure, 'before' | 'after' | 'delta'> {
  const factor = factorText(from, to, formats);
  return {
    before: formats.decimal(toMicros(from), 0),
    after: formats.decimal(toMicros(to), 0),
    ...(factor !== null && { delta: factor }),
  };
}

const maxDepth = 64;

function numbersOf(before: JsonValue | undefined, after: JsonValue | undefined, depth = 0): AmountChange[] {
  if (typeof before === 'number' && typeof after === 'number') {
    const isChange = before !== after && Number.isFinite(before) && Number.isFinite(after);
    return isChange ? [{ from: before, to: after }] : [];
  }
  if (depth > maxDepth) return [];
  if (Array.isArray(before) && Array.isArray(after)) {
    return before.flatMap((item, index) => numbersOf(item, after[index], depth + 1));
  }
  if (!isJsonObject(before) || !isJsonObject(after)) return [];
  return Object.keys(before).flatMap((key) => numbersOf(own(before, key), own(after, key), depth + 1));
}

/** True for a list of plain entries, which `listRisk` assesses. */
function isList({ field, before, after }: FieldEffect): boolean {
  const areLists = [before, after].every((value) => isEntryList(field, value));
  return areLists && Array.isArray(before) === Array.isArray(after);
}

/** A text is unlikely to be dangerous, but a number, switch or object could decide anything. */
function unknownMark({ field, before, after }: FieldEffect): RiskFinding {
  const isText = typeof before === 'string' && typeof after === 'string';
  const text = sentence`${fieldWords(field)} is a field that Countersign does not know: it cannot assess the change.`;
  return { code: isText ? 'text_unknown' : 'field_unknown', field, text };
}

const typeRisk: RiskRule = ({ changes, after, context }) => [
  ...(changes.some(({ field }) => field === 'type')
    ? [
        {
          code: 'type_changes' as const,
          field: 'type',
          text: sentence`The campaign becomes one of another type.`,
        },
      ]
    : []),
  ...(kindOf(typeOf(after, context)).recognised
    ? []
    : [
        {
          code: 'type_unrecognised' as const,
          text: sentence`Countersign does not recognise this campaign type: no rules of the type were checked.`,
        },
      ]),
];

const riskRules: readonly RiskRule[] = [
  unlimitedRisk,
  decimalSlipRisk,
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
  notAssessedRisk,
  deliveryRisk,
  typeRisk,
  lookAlikeRisk,
  suspendedRisk,
  pendingRisk,
  activationRisk,
];

interface Assessment {
  warnings: Warning[];
  typeToConfirm: { label: string; value: string } | null;
  /** `×10`. Null if the bid does not change or has no ratio. */
  bidFactor: string | null;
  headline: Figure | null;
  notes: Sentence[];
}

interface FieldWarning extends Warning {
  field: string | null;
}

export function fieldWarnings(update: Update, formats: Formats): FieldWarning[] {
  const [first, second] = update.changes;
  const onlyField = second === undefined ? first?.field : undefined;
  return marksOf(update, formats).map(({ code, text, field, figure }) => {
    return { ...warningOf(code, text), field: field ?? (figure === 'money' ? onlyField : undefined) ?? null };
  });
}

function marksOf(update: Update, formats: Formats): RiskFinding[] {
  return riskRules.flatMap((risk) => risk(update, formats)).toSorted(bySeverity);
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

function typedValue(marks: readonly RiskFinding[], { after }: Update): Assessment['typeToConfirm'] {
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
