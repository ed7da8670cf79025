import { draftsStore, type DraftChange } from '#renderer/stores/drafts/drafts-store.ts';
import { editorStore, type OpenCampaign, typedFault } from '#renderer/stores/editor/editor-store.ts';
import { reviewStore } from '#renderer/stores/review-store.ts';
import type { CampaignDraftView } from '#shared/app-api/index.ts';
import {
  fieldApplies,
  fieldLabel,
  type FieldLimit,
  fieldLimits,
  kindOf,
  typeOf,
} from '#shared/campaign/index.ts';
import { valueInWords } from '#shared/wording/index.ts';
import type { CampaignContext } from '#shared/contract/index.ts';
import {
  type CampaignDraft,
  checkDraft,
  dateAfter,
  type CheckedDraft,
  type CheckedField,
  type DraftedField,
  draftOf,
  draftToSet,
  type FieldDraft,
  type FieldOperation,
  readTypedAmount,
  readTypedDate,
  type TypedDate,
} from '#shared/drafts/index.ts';
import { isDate } from '#shared/lib/date-text.ts';
import { quotedStart } from '#shared/lib/inert-text.ts';
import { jsonEqual, type JsonObject, type JsonValue, own } from '#shared/lib/json/json-value.ts';
import type { Formats } from '#shared/lib/formats.ts';

export interface Editing {
  cid: number;
  campaign: JsonObject;
  payload: JsonObject;
  context: CampaignContext;
  draft: CampaignDraft;
  checked: CheckedDraft;
  limits: Record<string, FieldLimit>;
  /**
   * The first error of each field: of unreadable text, of its own draft, of another draft, or from the service. May be
   * untrusted text.
   */
  errorAt: ReadonlyMap<string, string>;
  changed: readonly string[];
  conflicts: readonly CheckedField[];
  typed: Readonly<Record<string, string>>;
  /** Fields whose typed text is no valid amount or date. They have no draft in the meantime. */
  unreadable: readonly string[];
  /** The undecided proposal of these drafts. The drafts cannot be edited until it is decided. */
  proposalId: string | null;
  proposalState: CampaignDraftView['proposalState'];
  isReady: boolean;
}

export function editingOf(
  {
    detail,
    typed,
    refusal,
  }: Pick<OpenCampaign, 'typed' | 'refusal'> & { detail: NonNullable<OpenCampaign['detail']> },
  view: CampaignDraftView | undefined,
  formats: Formats,
): Editing {
  const { campaign, campaign_types: types, settings } = detail.edit;
  const context = { types, settings };
  const draft = view?.fields ?? {};
  const checked = checkDraft(detail.edit, draft, formats);
  const refused = [...(view?.returned?.fields ?? []), ...stillRefused(refusal, draft)];
  const errorAt = errorsOf(checked, typed, refused);
  const unreadable = Object.entries(typed).flatMap(([field, text]) =>
    typedFault(field, text) === null ? [] : [field],
  );
  return {
    cid: Number(campaign['cid']),
    campaign,
    payload: checked.payload,
    context,
    draft,
    checked,
    limits: fieldLimits(checked.payload, context, formats),
    errorAt,
    changed: checked.fields.filter(({ state }) => state !== 'same').map(({ field }) => field),
    conflicts: checked.fields.filter(({ state }) => state === 'conflict'),
    typed,
    unreadable,
    proposalId: view?.proposalId ?? null,
    proposalState: view?.proposalState ?? null,
    isReady: checked.isReady && unreadable.length === 0,
  };
}

type RefusedFields = readonly { field: string; message: string }[];

function stillRefused(refusal: OpenCampaign['refusal'], draft: CampaignDraft): RefusedFields {
  if (refusal === null) return [];
  return refusal.fields.filter(({ field }) => isSame(refusal.drafts[field], draft[field]));
}

function isSame(one: FieldDraft | undefined, other: FieldDraft | undefined): boolean {
  return one === undefined || other === undefined ? one === other : jsonEqual({ ...one }, { ...other });
}

function errorsOf(
  checked: CheckedDraft,
  typed: Editing['typed'],
  refused: RefusedFields,
): Map<string, string> {
  const errors = new Map<string, string>();
  for (const [field, text] of Object.entries(typed)) {
    const fault = typedFault(field, text);
    if (fault !== null) errors.set(field, fault);
  }
  for (const { field, state, message } of checked.fields)
    if (state === 'error' && message !== null && !errors.has(field)) errors.set(field, message);
  for (const { field, message } of [...checked.otherErrors, ...refused])
    if (!errors.has(field)) errors.set(field, message);
  return errors;
}

export function draftedField({ campaign, draft }: Editing, field: string): DraftedField {
  return { field, stored: own(campaign, field) ?? null, draft: draft[field] };
}

/** Untrusted text. */
export function nameOf({ campaign }: Pick<Editing, 'campaign'>): string {
  return textOf({ payload: campaign }, 'name');
}

export function fieldLabels(fields: readonly string[]): string {
  return fields.map(fieldLabel).join(', ');
}

export function textOf({ payload }: Pick<Editing, 'payload'>, field: string): string {
  const value = payload[field];
  return typeof value === 'string' ? value : '';
}

export function storedWords({ campaign, context }: Editing, field: string, formats: Formats): string {
  return valueInWords(field, own(campaign, field), context, formats);
}

export function isUsed({ payload, context }: Editing, field: string): boolean {
  return (
    own(payload, field) !== undefined &&
    fieldApplies(field, kindOf(typeOf(payload, context)), context.settings)
  );
}

type FieldDrafts = readonly (readonly [field: string, draft: FieldDraft | null])[];

/** Changes drafts as one undo step. Steps with the same `typing` key are merged. */
export function changeFields(editing: Editing, title: string, drafts: FieldDrafts, typing?: string): void {
  const { cid } = editing;
  const changes: DraftChange[] = drafts.map(([field, draft]) => ({ cid, field, draft }));
  const of = quotedStart(nameOf(editing), 80);
  draftsStore
    .getState()
    .change(`${title} of ${of}`, changes, typing === undefined ? undefined : `${cid} ${typing}`);
}

export function setField(editing: Editing, field: string, value: JsonValue, isTyped = false): void {
  const draft = draftToSet(draftedField(editing, field), value);
  changeFields(editing, fieldLabel(field), [[field, draft]], isTyped ? field : undefined);
}

export function setFields(
  editing: Editing,
  title: string,
  values: Readonly<Record<string, JsonValue>>,
): void {
  changeFields(
    editing,
    title,
    Object.entries(values).map(([field, value]) => [field, draftToSet(draftedField(editing, field), value)]),
  );
}

/** Text that is no amount stays in the field and removes the earlier draft, so that the draft always matches the field. */
export function typeAmount(editing: Editing, field: string, text: string): void {
  const read = readTypedAmount(text);
  if (read.kind === 'operation') draftOperation(editing, field, read.operation);
  else takeDraftBack(editing, field);
  editorStore.getState().type(editing.cid, field, text);
}

function takeDraftBack(editing: Editing, field: string): void {
  if (Object.hasOwn(editing.draft, field)) changeFields(editing, fieldLabel(field), [[field, null]], field);
}

/** A shift moves the stored date, as `+10%` raises the stored amount. `today` is the service's day. */
export function typeDate(editing: Editing, field: string, text: string, today: string): void {
  const read = readTypedDate(text, today);
  const stored = editing.campaign[field];
  if (read.kind === 'wrong') takeDraftBack(editing, field);
  else if (read.kind === 'shift' && typeof stored === 'string' && isDate(stored))
    draftOperation(editing, field, { kind: 'shiftDays', days: read.days });
  else draftOperation(editing, field, { kind: 'set', value: dateOf(read, today) });
  editorStore.getState().type(editing.cid, field, text);
}

function dateOf(read: Exclude<TypedDate, { kind: 'wrong' }>, today: string): string {
  if (read.kind === 'shift') return dateAfter(today, read.days);
  return read.kind === 'date' ? read.date : '';
}

export function chooseDate(editing: Editing, field: string, date: string, today: string): void {
  editorStore.getState().type(editing.cid, field, null);
  const payload = { ...editing.payload, [field]: date };
  setFields(editing, fieldLabel(field), { [field]: date, ...neededByFlight({ payload }, field, today) });
}

/** Ends the typing of a date: the field shows the parsed date, and the drafts get the other fields that the flight needs. */
export function finishDate(editing: Editing, field: string, today: string): void {
  const { typed, draft, cid } = editing;
  const text = typed[field];
  if (text === undefined || typedFault(field, text) !== null) return;
  editorStore.getState().type(cid, field, null);
  const needed = Object.entries(neededByFlight(editing, field, today));
  const own = draft[field];
  if (own === undefined || needed.length === 0) return;
  const also = needed.map(([name, value]) => [name, draftToSet(draftedField(editing, name), value)] as const);
  changeFields(editing, fieldLabel(field), [[field, own], ...also], field);
}

/** A flight date requires the flight to be on, a first day, and a time for each day. Without an end there is no end time. */
function neededByFlight(
  { payload }: Pick<Editing, 'payload'>,
  field: string,
  today: string,
): Record<string, JsonValue> {
  const isMissing = (name: string): boolean => payload[name] === '' || payload[name] === null;
  if (isMissing(field)) return field === 'expire' && !isMissing('expire_time') ? { expire_time: '' } : {};
  const needsStart = field !== 'create' && isMissing('create');
  const needsStartTime = (needsStart || field === 'create') && isMissing('create_time');
  return {
    ...(payload['enable_time'] === 1 ? {} : { enable_time: 1 }),
    ...(needsStart ? { create: today } : {}),
    ...(needsStartTime ? { create_time: '00:00' } : {}),
    ...(field === 'expire' && isMissing('expire_time') ? { expire_time: '23:59' } : {}),
  };
}

export function chooseAmount(editing: Editing, field: string, value: number): void {
  editorStore.getState().type(editing.cid, field, null);
  draftOperation(editing, field, { kind: 'set', value });
}

function draftOperation(editing: Editing, field: string, operation: FieldOperation): void {
  const draft = draftOf(draftedField(editing, field), [operation]);
  changeFields(editing, fieldLabel(field), [[field, draft]], field);
}

export function revertField({ cid, draft, ...editing }: Editing, field: string): void {
  editorStore.getState().type(cid, field, null);
  if (Object.hasOwn(draft, field))
    changeFields({ cid, draft, ...editing }, fieldLabel(field), [[field, null]]);
}

export function discard(editing: Editing): void {
  const fields = Object.keys(editing.draft);
  editorStore.getState().forgetTyped(editing.cid);
  if (fields.length > 0)
    changeFields(
      editing,
      'All changes',
      fields.map((field) => [field, null]),
    );
}

export async function proposeAndReview(cid: number): Promise<void> {
  const id = await editorStore.getState().propose(cid);
  if (id !== null) await reviewStore.getState().review(id);
}
