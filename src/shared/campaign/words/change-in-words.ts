import type { CampaignContext } from '../../contract/index.ts';
import { toMicros } from '../../lib/decimal.ts';
import { fieldLabel } from '../fields/labels.ts';
import { decodeSchedule } from '../schedule.ts';
import type { ChangeView, FieldChange } from '../types.ts';
import { deltaOf, factorOf } from './delta.ts';
import { exactWords, plainWords } from './list-words.ts';
import { selectionInWords, valueInWords } from './value-in-words.ts';

/**
 * One difference for people. Every added and removed entry is named, none is cut; a changed targeting flag names the
 * values that it selected: `3 countries (DE, FR, IT)` → `All countries`.
 */
export function changeInWords(change: FieldChange, context: CampaignContext): ChangeView {
  const { field, members } = change;
  const schedule = field === 'shedule' ? bothWeeks(change) : null;
  return {
    field,
    label: fieldLabel(field),
    ...sidesInWords(change, context),
    delta: deltaOf(change),
    factor: factorOf(change),
    added: schedule === null ? (members?.added ?? []).map(plainWords) : [],
    removed: schedule === null ? (members?.removed ?? []).map(plainWords) : [],
    schedule,
    ...amountsOf(change),
  };
}

const moneyFields: readonly string[] = ['payout', 'd_revenue', 't_revenue'];

function amountsOf({ field, before, after }: FieldChange): Pick<ChangeView, 'amounts'> {
  if (!moneyFields.includes(field) || !isAmount(before) || !isAmount(after)) return {};
  return { amounts: { before: toMicros(before).toString(), after: toMicros(after).toString() } };
}

function isAmount(value: FieldChange['before']): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function sidesInWords(change: FieldChange, context: CampaignContext): { before: string; after: string } {
  const before = sideInWords(change, 'before', context);
  const after = sideInWords(change, 'after', context);
  return before === after ? toldApart(change, before) : { before, after };
}

function sideInWords(change: FieldChange, side: 'before' | 'after', context: CampaignContext): string {
  const { field, selection } = change;
  if (selection !== undefined) return selectionInWords(field, change[side], selection[side]);
  return valueInWords(field, change[side], context);
}

/** Two values that differ never read alike. */
function toldApart(
  { field, before, after, members }: FieldChange,
  text: string,
): { before: string; after: string } {
  if (field === 'shedule' && decodeSchedule(after) !== null)
    return { before: text, after: `${text}, other hours` };
  if (members === null) return { before: exactWords(before), after: exactWords(after) };
  const what = members.added.length === 0 ? 'in another order' : 'other entries';
  return { before: text, after: `${text}, ${what}` };
}

function bothWeeks({ before, after }: FieldChange): ChangeView['schedule'] {
  const old = decodeSchedule(before);
  const now = decodeSchedule(after);
  return old === null || now === null ? null : { before: old, after: now };
}
