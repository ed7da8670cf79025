import { decodeSchedule, editFailures, fieldLabel } from '../../campaign/index.ts';
import type { CampaignEdit } from '../../contract/index.ts';
import { jsonEqual, type JsonObject, type JsonValue, own } from '../../lib/json/json-value.ts';
import { applyDraft, applyOperations, maxTextLength } from '../apply.ts';
import { problemInWords, unlimitedBudgetProblem } from '../check.ts';
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
    const result = changedField(change, { campaign, before, existingDraft: draft[change.field] });
    if (typeof result === 'string') problems.push(result);
    else if (result !== null) fields.push(result);
  }
  if (problems.length > 0) return problemOutcome(problems);
  if (fields.length === 0) return { state: 'same', fields, problems };
  const after = withFields(before, fields);
  const failures = editFailures(after, edit, formats);
  if (failures.length > 0) {
    const touched = new Set(fields.map(({ field }) => field));
    const alreadyFailing = new Set(editFailures(before, edit, formats).map(({ field }) => field));
    for (const { field, message } of failures) {
      if (touched.has(field) || !alreadyFailing.has(field)) problems.push(message);
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
  existingDraft: FieldDraft | undefined;
}

/** Returns null if nothing changes, and a text with the reason if the change cannot be applied. */
function changedField(
  { field, operations, from }: FieldChange,
  { campaign, before, existingDraft: present }: FieldSubject,
): BulkField | string | null {
  const readValue = own(campaign, field);
  const value = own(before, field);
  if (readValue === undefined || value === undefined)
    return `The campaign has no field ${fieldLabel(field)}.`;
  // Applies the operations to the value that was read, as a draft does: a text list that a draft reduced to one entry
  // still uses the original separator.
  const allOperations = dropBeforeLastSet([...(present?.operations ?? []), ...operations]);
  const applied = applyOperations(field, readValue, allOperations);
  if (applied.kind === 'problem') return problemInWords(field, applied.code);
  const after = applied.value;
  if (jsonEqual(after, value)) return null;
  const refusal = refusalOf(field, value, after, operations);
  if (refusal !== null) return refusal;
  const made = { field, before: value, after };
  if (jsonEqual(after, readValue)) return { ...made, draft: null, isConflict: false };
  if (allOperations.length > maxOperations)
    return `${fieldLabel(field)} has too many drafted steps. Review its drafts first.`;
  // Null is a valid start value, so `??` must not skip it.
  const [start = readValue] = [from, present?.from].filter((value) => value !== undefined);
  const isConflict = from !== undefined && !jsonEqual(from, readValue);
  return { ...made, draft: { from: start, operations: allOperations }, isConflict };
}

function refusalOf(
  field: string,
  before: JsonValue,
  after: JsonValue,
  operations: FieldChange['operations'],
): string | null {
  if (typeof after === 'string' && after.length > Math.max(maxTextLength, lengthOf(before)))
    return `${fieldLabel(field)} would be too long.`;
  const unlimited = unlimitedBudgetProblem({ field, before, after, operations });
  if (unlimited !== null) return unlimited;
  if (field === 'shedule' && decodeSchedule(after)?.every((hour) => hour === 0) === true)
    return 'No hour would be left, so it would never run. Pause it instead.';
  return null;
}

function lengthOf(value: JsonValue): number {
  return typeof value === 'string' ? value.length : 0;
}

function dropBeforeLastSet(operations: FieldDraft['operations']): FieldDraft['operations'] {
  return operations.slice(
    Math.max(
      0,
      operations.findLastIndex(({ kind }) => kind === 'set'),
    ),
  );
}

function problemOutcome(problems: string[]): BulkOutcome {
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
