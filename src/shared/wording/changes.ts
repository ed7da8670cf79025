import type { CampaignContext } from '../contract/index.ts';
import { factorText, toMicros } from '../lib/decimal.ts';
import {
  judgeFields,
  type FieldVerdict,
  diffCampaigns,
  fieldLabel,
  decodeSchedule,
  type ChangeView,
  type FieldEffect,
  type Measure,
  type Money,
} from '../campaign/index.ts';
import { own, type JsonObject, type JsonValue } from '../lib/json/json-value.ts';
import { assertNever } from '../lib/assert-never.ts';
import { exactWords, maxNamed, plainWords, selectionInWords, valueInWords } from './values.ts';
import type { Formats } from '../lib/formats.ts';

/**
 * Names every added and removed entry. A changed targeting flag names its selection: `3 countries (DE, FR, IT)` → `All
 * countries`.
 */
export function changeInWords(change: FieldEffect, context: CampaignContext, formats: Formats): ChangeView {
  const { field, members, measure } = change;
  const schedule = measure.kind === 'hours' ? { before: measure.before, after: measure.after } : null;
  return {
    field,
    label: fieldLabel(field),
    ...sidesInWords(change, context, formats),
    delta: deltaOf(change, formats),
    factor: factorOf(change, formats),
    added: schedule === null ? (members?.added ?? []).map(plainWords) : [],
    removed: schedule === null ? (members?.removed ?? []).map(plainWords) : [],
    ...(isNamedInFull(change) && { isNamedInFull: true as const }),
    schedule,
  };
}

function isNamedInFull({ before, after, members }: FieldEffect): boolean {
  if (members === null || !Array.isArray(before) || !Array.isArray(after)) return false;
  const nothingStays = members.removed.length === before.length && members.added.length === after.length;
  return nothingStays && before.length <= maxNamed && after.length <= maxNamed;
}

/** Different values never get equal texts: the second text then names the difference. */
export function valuesInWords(
  field: string,
  { before, after }: { before: JsonValue | undefined; after: JsonValue | undefined },
  context: CampaignContext,
  formats: Formats,
): { before: string; after: string } {
  const [old, now] = [before, after].map((value) => (value === undefined ? {} : { [field]: value }));
  const [effect] = diffCampaigns(old ?? {}, now ?? {});
  const same = valueInWords(field, before, context, formats);
  return effect === undefined ? { before: same, after: same } : sidesInWords(effect, context, formats);
}

/** Verdicts in the order sent. `normalised`: stored in another form with the same meaning, for example trimmed or reordered. */
export function readBackVerdicts(
  sent: JsonObject,
  found: JsonObject,
  context: CampaignContext,
  formats: Formats,
): FieldVerdict[] {
  return [...judgeFields(sent, found)].map(([field, verdict]) => {
    const sides = { before: own(sent, field), after: own(found, field) };
    const words = valuesInWords(field, sides, context, formats);
    return { field, label: fieldLabel(field), verdict, sent: words.before, found: words.after };
  });
}

function sidesInWords(
  change: FieldEffect,
  context: CampaignContext,
  formats: Formats,
): { before: string; after: string } {
  const before = sideInWords(change, 'before', context, formats);
  const after = sideInWords(change, 'after', context, formats);
  return before === after ? distinguish(change, before) : { before, after };
}

function sideInWords(
  change: FieldEffect,
  side: 'before' | 'after',
  context: CampaignContext,
  formats: Formats,
): string {
  const { field, selection } = change;
  if (selection !== undefined) return selectionInWords(field, change[side], selection[side], formats);
  return valueInWords(field, change[side], context, formats);
}

function distinguish(
  { field, before, after, members }: FieldEffect,
  text: string,
): { before: string; after: string } {
  if (field === 'shedule' && decodeSchedule(after) !== null)
    return { before: text, after: `${text}, other hours` };
  if (members === null) return { before: exactWords(before), after: exactWords(after) };
  const what = members.added.length === 0 ? 'in another order' : 'other entries';
  return { before: text, after: `${text}, ${what}` };
}

const decimals: Readonly<Record<string, number>> = { payout: 3, d_revenue: 2, t_revenue: 2 };

/** `+0.405`, `+12 h / −3 h`, `+2 / −1`. Null if there is no difference to show. */
function deltaOf({ field, measure }: FieldEffect, formats: Formats): string | null {
  switch (measure.kind) {
    case 'money':
    case 'count':
      return signedAmount(
        differenceOf(measure),
        measure.kind === 'money' ? (decimals[field] ?? 0) : 0,
        formats,
      );
    case 'hours':
      return addedAndRemoved(measure, ' h', formats);
    case 'entries':
      return measure.added + measure.removed === 0 ? null : addedAndRemoved(measure, '', formats);
    case 'none':
      return null;
    default:
      return assertNever(measure);
  }
}

/** In micros. Null if a side is unlimited or no amount, or if both are equal. */
export function differenceOf(measure: Measure): bigint | null {
  if (measure.kind !== 'money' && measure.kind !== 'count') return null;
  const [before, after] =
    measure.kind === 'count'
      ? [toMicros(measure.before), toMicros(measure.after)]
      : [microsOf(measure.before), microsOf(measure.after)];
  if (before === null || after === null || before === after) return null;
  return after - before;
}

const microsOf = (money: Money): bigint | null => (money.kind === 'unlimited' ? null : money.micros);

function factorOf({ before, after, measure }: FieldEffect, formats: Formats): string | null {
  const hasRatio = (measure.kind === 'money' || measure.kind === 'count') && measure.ratio !== null;
  return hasRatio ? factorText(Number(before), Number(after), formats) : null;
}

function signedAmount(difference: bigint | null, places: number, formats: Formats): string | null {
  if (difference === null) return null;
  const text = formats.decimal(difference, places);
  return difference > 0n ? `+${text}` : text;
}

function addedAndRemoved(
  { added, removed }: { added: number; removed: number },
  unit: string,
  formats: Formats,
): string {
  const parts = [
    ...(added > 0 ? [`+${formats.count(added)}${unit}`] : []),
    ...(removed > 0 ? [`−${formats.count(removed)}${unit}`] : []),
  ];
  return parts.join(' / ');
}
