import type { CampaignChanges, CampaignDetail } from '#shared/app-api/index.ts';
import { validateCampaign } from '#shared/campaign/index.ts';
import type { FieldError } from '#shared/errors/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { parseDecimal } from '../parse-decimal.ts';

/** The fields that the panel edits; every other field is kept as it is. */
const editableFields = ['name', 'status', 'payout', 'enable_budget', 'd_revenue', 't_revenue'] as const;

export type EditableField = (typeof editableFields)[number];

type Scalar = CampaignChanges[number]['to'];

/** One edited field: the text as typed, and the stored value it was typed over. */
export interface Edit {
  typed: string;
  from: Scalar;
}

/** Text typed into one campaign and not yet proposed. */
export type Draft = Partial<Record<EditableField, Edit>>;

const textFields = new Set<EditableField>(['name']);
const codeFields = new Set<EditableField>(['status', 'enable_budget']);

function asScalar(value: JsonValue | undefined): Scalar {
  return typeof value === 'object' || value === undefined ? null : value;
}

/** The stored value as a person would type it. */
function storedText(campaign: JsonObject, field: EditableField): string {
  const value = asScalar(campaign[field]);
  return value === null ? '' : String(value);
}

/** The text of a field: as typed, or the stored value. */
export function shownText(draft: Draft, campaign: JsonObject, field: EditableField): string {
  return draft[field]?.typed ?? storedText(campaign, field);
}

/** The draft after typing. Typing the stored value again takes the edit back. */
export function withEdit(draft: Draft, campaign: JsonObject, field: EditableField, typed: string): Draft {
  const { [field]: known, ...rest } = draft;
  const from = known?.from ?? asScalar(campaign[field]);
  const parsed = parseEdit(field, typed);
  if (parsed.kind === 'value' && parsed.value === asScalar(campaign[field])) {
    const stillTyping =
      !textFields.has(field) && !codeFields.has(field) && typed !== storedText(campaign, field);
    return stillTyping ? { ...rest, [field]: { typed, from } } : rest;
  }
  return { ...rest, [field]: { typed, from } };
}

/** The draft without one field's edit. */
export function withoutEdit(draft: Draft, field: EditableField): Draft {
  const { [field]: _, ...rest } = draft;
  return rest;
}

type ParsedEdit = { kind: 'value'; value: Scalar } | { kind: 'wrong'; message: string };

function parseEdit(field: EditableField, typed: string): ParsedEdit {
  if (textFields.has(field)) return { kind: 'value', value: typed };
  if (codeFields.has(field)) return { kind: 'value', value: Number(typed) };
  const parsed = parseDecimal(typed);
  return parsed.kind === 'number' ? { kind: 'value', value: parsed.value } : parsed;
}

/** Every real change, ready to be proposed, and what could not be read from the typed text. */
export function readDraft(
  draft: Draft,
  campaign: JsonObject,
): { changes: CampaignChanges; errors: FieldError[] } {
  const changes: CampaignChanges = [];
  const errors: FieldError[] = [];
  for (const field of editableFields) {
    const edit = draft[field];
    if (!edit) continue;
    const parsed = parseEdit(field, edit.typed);
    if (parsed.kind === 'wrong') errors.push({ field, code: 'wrong_type', message: parsed.message });
    else if (parsed.value !== asScalar(campaign[field])) {
      changes.push({ field, from: edit.from, to: parsed.value });
    }
  }
  return { changes, errors };
}

/** Fields whose stored value has changed since the user typed over it. */
export function changedElsewhere(draft: Draft, campaign: JsonObject): EditableField[] {
  return editableFields.filter((field) => {
    const edit = draft[field];
    return edit !== undefined && edit.from !== asScalar(campaign[field]);
  });
}

/** The draft over the values of this read: changed values are accepted as the new base. */
export function rebased(draft: Draft, campaign: JsonObject): Draft {
  const next: Draft = {};
  for (const field of editableFields) {
    const edit = draft[field];
    if (edit) next[field] = { typed: edit.typed, from: asScalar(campaign[field]) };
  }
  return next;
}

/** The campaign as it would be sent. */
function applyChanges(campaign: JsonObject, changes: CampaignChanges): JsonObject {
  return { ...campaign, ...Object.fromEntries(changes.map(({ field, to }) => [field, to])) };
}

/** A draft held against the campaign that was read. */
export interface CheckedDraft {
  changes: CampaignChanges;
  /** Errors by field. */
  errorAt: ReadonlyMap<string, string>;
  /** Errors of fields that the panel does not edit. */
  elsewhere: FieldError[];
  moved: EditableField[];
  /** True when it can be proposed. */
  ready: boolean;
}

/** Reads, validates and compares a draft. The last errors of the service stay until their field is edited. */
export function checkDraft(
  draft: Draft,
  detail: CampaignDetail,
  refused: readonly FieldError[],
): CheckedDraft {
  const { campaign, campaign_types: types, settings } = detail.edit;
  const { changes, errors } = readDraft(draft, campaign);
  const rules =
    changes.length === 0
      ? []
      : validateCampaign(applyChanges(campaign, changes), { types, settings }, campaign);
  const all = [...errors, ...rules, ...refused];
  const errorAt = new Map<string, string>();
  for (const { field, message } of all) if (!errorAt.has(field)) errorAt.set(field, message);
  const moved = changedElsewhere(draft, campaign);
  return {
    changes,
    errorAt,
    elsewhere: all.filter(({ field }) => !isEditable(field)),
    moved,
    ready: changes.length > 0 && errors.length === 0 && rules.length === 0 && moved.length === 0,
  };
}

function isEditable(field: string): boolean {
  return (editableFields as readonly string[]).includes(field);
}
