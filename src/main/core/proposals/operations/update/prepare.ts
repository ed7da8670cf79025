import type { CampaignRead, CampaignReader } from '#core/service-client/index.ts';
import { diffCampaigns, fieldLabel, validateCampaign, valueInWords } from '#shared/campaign/index.ts';
import { isStatusCode, type StatusCode } from '#shared/contract/index.ts';
import { AppError, type FieldError } from '#shared/errors/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { jsonEqual, type JsonObject, type JsonValue, own } from '#shared/lib/json/json-value.ts';
import { accountOf, memberStatusError } from '../checks.ts';
import type { Draft } from '../operation.ts';
import { baseText, contextOf } from './base.ts';

/**
 * The draft of a full update on this read. Fails with `nothing_to_change`, or with `validation_failed` naming every
 * failing field.
 */
export function draftUpdate(
  cid: number,
  { read, payload, rebase }: { read: CampaignRead; payload: JsonObject; rebase: Draft['rebase'] },
): Draft {
  if (diffCampaigns(read.edit.campaign, payload).length === 0) throw new AppError('nothing_to_change');
  const failures = updateFailures(payload, read);
  if (failures.length > 0) throw new AppError('validation_failed', { fields: failures });
  return {
    operation: 'campaign.update',
    targets: [cid],
    payload: canonicalJson(payload),
    base: baseText(read),
    rebase,
    account: accountOf(read.edit.campaign['uid']),
    endsAtMs: null,
  };
}

/** Every reason why the service would refuse the payload, as far as one can know before asking. */
export function updateFailures(payload: JsonObject, { edit }: CampaignRead): FieldError[] {
  const failures = validateCampaign(payload, contextOf(edit), edit.campaign);
  const status = memberStatusError(edit.campaign['status'], payload['status']);
  return status === null || failures.some(({ field }) => field === 'status')
    ? failures
    : [...failures, status];
}

/** The owner of a campaign cannot be edited. */
const identity: readonly string[] = ['cid', 'uid'];

/**
 * Every reason why an edit of this read would be refused, by the app or by the service. A change of nothing but the status is not
 * refused for other fields: the service does not look at them.
 */
export function editFailures(payload: JsonObject, read: CampaignRead): FieldError[] {
  const { campaign } = read.edit;
  const fixed = identity.filter((field) => !jsonEqual(own(payload, field), own(campaign, field)));
  if (fixed.length > 0) return fixed.map(notEditable);
  if (statusAlone(campaign, payload) === null) return updateFailures(payload, read);
  const failure = memberStatusError(campaign['status'], payload['status']);
  return failure === null ? [] : [failure];
}

/** The new status of a change of nothing else; null for any other change. */
export function statusAlone(before: JsonObject, after: JsonObject): StatusCode | null {
  const status = after['status'];
  if (!isStatusCode(status) || status === before['status']) return null;
  return jsonEqual({ ...before, status }, after) ? status : null;
}

function notEditable(field: string): FieldError {
  return { field, code: 'not_editable', message: `${fieldLabel(field)} cannot be edited.` };
}

/** A new value for one field, with the value that it had when editing began. */
export interface FieldChange {
  field: string;
  from: JsonValue;
  to: JsonValue;
}

export interface UpdateRequest {
  cid: number;
  changes: readonly FieldChange[];
}

/**
 * Reads the campaign anew and puts the wanted values into its raw JSON. Fails with `edit_conflict` where a value is no
 * longer the one that the person started from, `validation_failed`, `nothing_to_change`, or as the read does.
 */
export async function prepareUpdate(client: CampaignReader, { cid, changes }: UpdateRequest): Promise<Draft> {
  const read = await client.get(cid);
  assertEditable(changes, read);
  assertStillThere(changes, read);
  const wanted = Object.fromEntries(changes.map(({ field, to }) => [field, to]));
  return draftUpdate(cid, { read, payload: { ...read.edit.campaign, ...wanted }, rebase: null });
}

function assertEditable(changes: UpdateRequest['changes'], { edit }: CampaignRead): void {
  const seen = new Set<string>();
  const fields = changes.flatMap(({ field }): FieldError[] => {
    const again = seen.has(field);
    seen.add(field);
    if (again) return [{ field, code: 'not_allowed', message: 'Each field can be changed once.' }];
    if (!Object.hasOwn(edit.campaign, field)) {
      return [{ field, code: 'unknown_field', message: 'The campaign has no such field.' }];
    }
    if (!identity.includes(field)) return [];
    return [notEditable(field)];
  });
  if (fields.length > 0) throw new AppError('validation_failed', { fields });
}

function assertStillThere(changes: UpdateRequest['changes'], { edit }: CampaignRead): void {
  const context = contextOf(edit);
  const fields = changes.flatMap(({ field, from, to }): FieldError[] => {
    const now = edit.campaign[field];
    if (jsonEqual(now, from)) return [];
    const words = (value: typeof now): string => valueInWords(field, value, context);
    const message = `${fieldLabel(field)} was ${words(from)} when you began. It is ${words(now)} now; you want ${words(to)}.`;
    return [{ field, code: 'moved', message }];
  });
  if (fields.length > 0) throw new AppError('edit_conflict', { fields });
}
