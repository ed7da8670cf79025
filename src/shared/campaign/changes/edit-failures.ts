import { type CampaignEdit, isStatusCode, type StatusCode } from '../../contract/index.ts';
import type { FieldError } from '../../errors/index.ts';
import { jsonEqual, type JsonObject, type JsonValue, own } from '../../lib/json/json-value.ts';
import { fieldWords } from '../fields/fields.ts';
import { runs } from '../fields/kind.ts';
import { validateCampaign } from '../validate/index.ts';
import type { Formats } from '../../lib/formats.ts';
import { sentence } from '../../lib/sentence.ts';

const identity: readonly string[] = ['cid', 'uid'];

export function isIdentity(field: string): boolean {
  return identity.includes(field);
}

/** Every reason why the app or the service would refuse. A change of status alone is not refused for other fields. */
export function editFailures(payload: JsonObject, edit: CampaignEdit, formats: Formats): FieldError[] {
  const { campaign } = edit;
  const fixed = identity.filter((field) => !jsonEqual(own(payload, field), own(campaign, field)));
  if (fixed.length > 0) return fixed.map(notEditable);
  if (statusAlone(campaign, payload) === null) return updateFailures(payload, edit, formats);
  const failure = memberStatusError(campaign['status'], payload['status']);
  return failure === null ? [] : [failure];
}

export function updateFailures(
  payload: JsonObject,
  { campaign, campaign_types: types, settings }: CampaignEdit,
  formats: Formats,
): FieldError[] {
  const failures = validateCampaign(payload, { types, settings }, campaign, formats);
  const status = memberStatusError(campaign['status'], payload['status']);
  return status === null || failures.some(({ field }) => field === 'status')
    ? failures
    : [...failures, status];
}

/** The new status of a change of nothing else; null for any other change. */
export function statusAlone(before: JsonObject, after: JsonObject): StatusCode | null {
  const status = after['status'];
  if (!isStatusCode(status) || status === before['status']) return null;
  return jsonEqual({ ...before, status }, after) ? status : null;
}

export function notEditable(field: string): FieldError {
  return { field, code: 'not_editable', message: sentence`${fieldWords(field)} cannot be edited.` };
}

const field = 'status';
const pending = 0;

/** The refusal of a status that no member may set (contract §3): Pending, and any status of a pending campaign. Null otherwise. */
export function memberStatusError(from: JsonValue | undefined, to: JsonValue | undefined): FieldError | null {
  if (from === to) return null;
  if (to === pending) {
    return { field, code: 'not_allowed', message: sentence`Members cannot set a campaign to Pending.` };
  }
  if (from === pending && runs(to)) {
    return {
      field,
      code: 'not_allowed',
      message: sentence`A pending campaign is approved by the service, not by its owner.`,
    };
  }
  return null;
}
