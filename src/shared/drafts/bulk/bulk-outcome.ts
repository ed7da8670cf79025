import { decodeSchedule, editFailures, fieldLabel } from '../../campaign/index.ts';
import type { CampaignEdit } from '../../contract/index.ts';
import { jsonEqual, type JsonObject, type JsonValue, own } from '../../lib/json/json-value.ts';
import { applyDraft, applyOperations, maxTextLength } from '../apply.ts';
import { problemInWords, unlimitedBudget } from '../check.ts';
import type { CampaignDraft, FieldDraft } from '../operation.ts';
import type { BulkPlan, FieldChange } from './bulk-plan.ts';
import type { Formats } from '../../lib/formats.ts';

export interface BulkField {
  field: string;
  before: JsonValue;
  after: JsonValue;
  /** The draft that makes this change. Null if the field returns to the value that was read. */
  draft: FieldDraft | null;
  isConflict: boolean;
}

export const bulkStates = ['change', 'conflict', 'same', 'problem'] as const;

/**
 * The outcome for one campaign. A problem creates no drafts. Neither does a conflict without fields, because its
 * exported values are unknown.
 */
export interface BulkOutcome {
  state: (typeof bulkStates)[number];
  fields: BulkField[];
  problems: string[];
}

const maxOperations = 50;

export function bulkOutcomeOf(
  edit: CampaignEdit,
  draft: CampaignDraft,
  planOf: (campaign: JsonObject) => BulkPlan,
  formats: Formats,
): BulkOutcome {
  const { campaign } = edit;
  const before = withDraft(campaign, draft);
  const plan = planOf(before);
  if (plan.kind !== 'changes') return { state: plan.kind, fields: [], problems: [plan.message] };
  const fields: BulkField[] = [];
  const problems: string[] = [];
  for (const change of plan.changes) {
    const made = changedField(change, { campaign, before, present: draft[change.field] });
    if (typeof made === 'string') problems.push(made);
    else if (made !== null) fields.push(made);
  }
  if (problems.length > 0) return failed(problems);
  if (fields.length === 0) return { state: 'same', fields, problems };
  const after = withFields(before, fields);
  const failures = editFailures(after, edit, formats);
  if (failures.length > 0) {
    const touched = new Set(fields.map(({ field }) => field));
    const known = new Set(editFailures(before, edit, formats).map(({ field }) => field));
    for (const { field, message } of failures) {
      if (touched.has(field) || !known.has(field)) problems.push(message);
    }
  }
  if (problems.length > 0) return { state: 'problem', fields, problems };
  return { state: fields.some(({ isConflict }) => isConflict) ? 'conflict' : 'change', fields, problems };
}

export function isDraftable({ state, fields }: BulkOutcome): boolean {
  return state === 'change' || (state === 'conflict' && fields.length > 0);
}

interface FieldSubject {
  campaign: JsonObject;
  before: JsonObject;
  present: FieldDraft | undefined;
}

/** Returns null if nothing changes, and a text with the reason if the change cannot be applied. */
function changedField(
  { field, operations, from }: FieldChange,
  { campaign, before, present }: FieldSubject,
): BulkField | string | null {
  const read = own(campaign, field);
  const value = own(before, field);
  if (read === undefined || value === undefined) return `The campaign has no field ${fieldLabel(field)}.`;
  // Applies the operations to the value that was read, as a draft does: a text list that a draft reduced to one entry
  // still uses the original separator.
  const all = sinceLastSet([...(present?.operations ?? []), ...operations]);
  const applied = applyOperations(field, read, all);
  if (applied.kind === 'problem') return problemInWords(field, applied.code);
  const after = applied.value;
  if (jsonEqual(after, value)) return null;
  const refusal = refusalOf(field, value, after, operations);
  if (refusal !== null) return refusal;
  const made = { field, before: value, after };
  if (jsonEqual(after, read)) return { ...made, draft: null, isConflict: false };
  if (all.length > maxOperations)
    return `${fieldLabel(field)} has too many drafted steps. Review its drafts first.`;
  // Null is a valid start value, so `??` must not skip it.
  const [start = read] = [from, present?.from].filter((value) => value !== undefined);
  const isConflict = from !== undefined && !jsonEqual(from, read);
  return { ...made, draft: { from: start, operations: all }, isConflict };
}

function refusalOf(
  field: string,
  before: JsonValue,
  after: JsonValue,
  operations: FieldChange['operations'],
): string | null {
  if (typeof after === 'string' && after.length > Math.max(maxTextLength, lengthOf(before)))
    return `${fieldLabel(field)} would be too long.`;
  const unlimited = unlimitedBudget({ field, before, after, operations });
  if (unlimited !== null) return unlimited;
  if (field === 'shedule' && decodeSchedule(after)?.every((hour) => hour === 0) === true)
    return 'No hour would be left, so it would never run. Pause it instead.';
  return null;
}

function lengthOf(value: JsonValue): number {
  return typeof value === 'string' ? value.length : 0;
}

function sinceLastSet(operations: FieldDraft['operations']): FieldDraft['operations'] {
  return operations.slice(
    Math.max(
      0,
      operations.findLastIndex(({ kind }) => kind === 'set'),
    ),
  );
}

function failed(problems: string[]): BulkOutcome {
  return { state: 'problem', fields: [], problems };
}

export function withDraft(campaign: JsonObject, draft: CampaignDraft): JsonObject {
  for (const _field in draft) return applyDraft(campaign, draft).payload;
  return campaign;
}

export function withFields(before: JsonObject, fields: readonly BulkField[]): JsonObject {
  const after: JsonObject = { ...before };
  for (const { field, after: value } of fields) after[field] = value;
  return after;
}
