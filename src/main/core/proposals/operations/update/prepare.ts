import type { CampaignRead, CampaignReader } from '#core/service-client/index.ts';
import {
  diffCampaigns,
  fieldWords,
  isIdentity,
  isSameValue,
  notEditable,
  updateFailures,
} from '#shared/campaign/index.ts';
import { valuesInWords, valueWords } from '#shared/wording/index.ts';
import { AppError, type FieldError } from '#shared/errors/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { accountOf, type PreparedWrite } from '../operation.ts';
import { baseText, contextOf } from './stored-parts.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { sentence } from '#shared/lib/sentence.ts';

/**
 * The draft of a full update on this read. Fails with `nothing_to_change`, or with `validation_failed` naming every
 * failing field.
 */
export function draftUpdate(
  cid: number,
  { read, payload, rebase }: { read: CampaignRead; payload: JsonObject; rebase: PreparedWrite['rebase'] },
  formats: Formats,
): PreparedWrite {
  if (diffCampaigns(read.edit.campaign, payload).length === 0) throw new AppError('nothing_to_change');
  const failures = updateFailures(payload, read.edit, formats);
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
export async function prepareUpdate(
  client: CampaignReader,
  { cid, changes }: UpdateRequest,
  formats: Formats,
): Promise<PreparedWrite> {
  const read = await client.get(cid);
  assertEditable(changes, read);
  assertStillThere(changes, read, formats);
  const wanted = Object.fromEntries(changes.map(({ field, to }) => [field, to]));
  return draftUpdate(cid, { read, payload: { ...read.edit.campaign, ...wanted }, rebase: null }, formats);
}

function assertEditable(changes: UpdateRequest['changes'], { edit }: CampaignRead): void {
  const seen = new Set<string>();
  const fields = changes.flatMap(({ field }): FieldError[] => {
    const again = seen.has(field);
    seen.add(field);
    if (again) return [{ field, code: 'not_allowed', message: sentence`Each field can be changed once.` }];
    if (!Object.hasOwn(edit.campaign, field)) {
      return [{ field, code: 'unknown_field', message: sentence`The campaign has no such field.` }];
    }
    return isIdentity(field) ? [notEditable(field)] : [];
  });
  if (fields.length > 0) throw new AppError('validation_failed', { fields });
}

function assertStillThere(changes: UpdateRequest['changes'], { edit }: CampaignRead, formats: Formats): void {
  const context = contextOf(edit);
  const fields = changes.flatMap(({ field, from, to }): FieldError[] => {
    const now = edit.campaign[field];
    if (isSameValue(now, from)) return [];
    const words = valuesInWords(field, { before: from, after: now }, context, formats);
    const wanted = valuesInWords(field, { before: now, after: to }, context, formats).after;
    const message = sentence`${fieldWords(field)} was ${valueWords(field, words.before)} when you began. It is ${valueWords(field, words.after)} now; you want ${valueWords(field, wanted)}.`;
    return [{ field, code: 'moved', message }];
  });
  if (fields.length > 0) throw new AppError('edit_conflict', { fields });
}
