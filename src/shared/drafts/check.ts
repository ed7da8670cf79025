import { editFailures, fieldWords, isSameValue } from '../campaign/index.ts';
import type { CampaignEdit } from '../contract/index.ts';
import type { FieldError } from '../errors/index.ts';
import { jsonEqual, type JsonObject, type JsonValue, own } from '../lib/json/json-value.ts';
import { type ApplyResult, type AppliedNote, applyDraft, isBudget, type ProblemCode } from './apply.ts';
import type { CampaignDraft, FieldOperation } from './operation.ts';
import type { Formats } from '../lib/formats.ts';
import { ownWords, type Sentence, sentence } from '../lib/sentence.ts';

/**
 * `same`: the draft no longer changes anything. `conflict`: its start value has changed. `error`: it cannot be applied
 * or would be refused.
 */
export const fieldStates = ['changed', 'same', 'conflict', 'error'] as const;

export type FieldState = (typeof fieldStates)[number];

export interface CheckedField {
  field: string;
  state: FieldState;
  original: JsonValue;
  theirs: JsonValue | undefined;
  mine: JsonValue | undefined;
  message: Sentence | null;
  notes: readonly AppliedNote[];
}

export interface CheckedDraft {
  payload: JsonObject;
  fields: CheckedField[];
  otherErrors: FieldError[];
  isReady: boolean;
}

export function checkDraft(edit: CampaignEdit, draft: CampaignDraft, formats: Formats): CheckedDraft {
  const { campaign } = edit;
  const { payload, applied } = applyDraft(campaign, draft);
  const failures = jsonEqual(payload, campaign) ? [] : editFailures(payload, edit, formats);
  const failureOf = new Map(failures.map(({ field, message }) => [field, message]));
  const fields = Object.entries(draft).map(([field, { from, operations }]): CheckedField => {
    const theirs = own(campaign, field);
    const { mine, notes, ...outcome } = outcomeOf(field, applied.get(field), failureOf.get(field));
    const unlimited = unlimitedBudgetProblem({ field, before: theirs, after: mine, operations });
    const message = outcome.message ?? unlimited;
    const state = stateOf({ original: from, theirs, mine, message });
    return { field, state, original: from, theirs, mine, message, notes };
  });
  const otherErrors = failures.filter(({ field }) => !Object.hasOwn(draft, field));
  const isReady =
    otherErrors.length === 0 &&
    fields.some(({ state }) => state === 'changed') &&
    fields.every(({ state }) => state === 'changed' || state === 'same');
  return { payload, fields, otherErrors, isReady };
}

type Outcome = Pick<CheckedField, 'mine' | 'message' | 'notes'>;

function outcomeOf(field: string, applied: ApplyResult | undefined, failure: Sentence | undefined): Outcome {
  if (applied === undefined)
    return { mine: undefined, message: sentence`The campaign has no such field.`, notes: [] };
  if (applied.kind === 'problem')
    return { mine: undefined, message: problemInWords(field, applied.code), notes: [] };
  return { mine: applied.value, message: failure ?? null, notes: applied.notes };
}

function stateOf({
  original,
  theirs,
  mine,
  message,
}: Pick<CheckedField, 'original' | 'theirs' | 'mine' | 'message'>): FieldState {
  if (theirs === undefined) return 'error';
  if (isSameValue(mine, theirs)) return 'same';
  if (!isSameValue(original, theirs)) return 'conflict';
  return message === null ? 'changed' : 'error';
}

/**
 * Refusal of a calculation that reduces a budget to 0, which means unlimited and must be set explicitly. Null for other
 * changes.
 */
export function unlimitedBudgetProblem({
  field,
  before,
  after,
  operations,
}: {
  field: string;
  before: JsonValue | undefined;
  after: JsonValue | undefined;
  operations: readonly FieldOperation[];
}): Sentence | null {
  const isSet = operations.every(({ kind }) => kind === 'set');
  if (!isBudget(field) || isSet || after !== 0 || before === 0) return null;
  return sentence`${fieldWords(field)} would become 0, which is unlimited.`;
}

const problems: Readonly<Record<ProblemCode, string>> = {
  not_a_number: 'isn’t a number here, so it can’t be calculated.',
  not_a_list: 'is not a list here, so it has no entries to add or remove.',
  not_a_schedule: 'has no 168 hourly values here, so hours cannot be added or removed.',
  not_a_date: 'has no date here that could be moved.',
  not_text: 'is not text here, so nothing can be replaced.',
  no_such_control: 'no longer have the entry that this draft changes.',
};

export function problemInWords(field: string, code: ProblemCode): Sentence {
  return sentence`${fieldWords(field)} ${ownWords(problems[code])}`;
}
