import type { CampaignContext } from '../../contract/index.ts';
import { decimalText, factorText, toMicros } from '../../lib/decimal.ts';
import type { JsonValue } from '../../lib/json/json-value.ts';
import { fieldLabel } from '../fields/labels.ts';
import { decodeSchedule } from '../schedule.ts';
import type { ChangeView, FieldChange } from '../types.ts';
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

/** Numbers whose difference and ratio mean something, with the decimals that they keep. */
const measured: ReadonlyMap<string, number> = new Map([
  ['payout', 3],
  ['d_revenue', 2],
  ['t_revenue', 2],
  ['freq_counter', 0],
  ['traffic_speed_counter', 0],
]);

/** The difference in words: `+0.405`, `+12 h / −3 h`, `+2 / −1`; null when there is none that makes sense. */
function deltaOf({ field, before, after, members }: FieldChange): string | null {
  if (field === 'shedule') return scheduleDelta(before, after);
  if (members !== null)
    return members.added.length + members.removed.length === 0 ? null : membersDelta(members);
  if (!isMeasured(field, before) || !isMeasured(field, after)) return null;
  const difference = toMicros(after) - toMicros(before);
  const text = decimalText(difference, measured.get(field) ?? 0);
  return difference > 0n ? `+${text}` : text;
}

/** The ratio in words, such as `×10`; null when there is none. */
function factorOf({ field, before, after }: FieldChange): string | null {
  return isMeasured(field, before) && isMeasured(field, after) ? factorText(before, after) : null;
}

const budgets = ['d_revenue', 't_revenue'];

/** A budget of 0 is no amount: it limits nothing. */
function isMeasured(field: string, value: JsonValue | undefined): value is number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  return measured.has(field) && !(budgets.includes(field) && value === 0);
}

function scheduleDelta(before: JsonValue | undefined, after: JsonValue | undefined): string | null {
  const old = decodeSchedule(before);
  const now = decodeSchedule(after);
  if (old === null || now === null) return null;
  const added = now.filter((hour, index) => hour === 1 && old[index] === 0).length;
  const removed = old.filter((hour, index) => hour === 1 && now[index] === 0).length;
  return signed(added, removed, ' h');
}

function membersDelta({ added, removed }: NonNullable<FieldChange['members']>): string {
  return signed(added.length, removed.length, '');
}

function signed(added: number, removed: number, unit: string): string {
  const parts = [
    ...(added > 0 ? [`+${added.toLocaleString('en-US')}${unit}`] : []),
    ...(removed > 0 ? [`−${removed.toLocaleString('en-US')}${unit}`] : []),
  ];
  return parts.join(' / ');
}
