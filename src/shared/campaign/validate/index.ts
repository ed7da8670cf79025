import {
  type CampaignContext,
  isStatusCode,
  type CampaignEdit,
  type StatusCode,
} from '../../contract/index.ts';
import type { FieldError } from '../../errors/index.ts';
import { type JsonObject, type JsonValue, jsonEqual, own } from '../../lib/json/json-value.ts';
import { nearestNames } from '../../lib/nearest-names.ts';
import { contractFields, fieldLabel, typeOf, limits, fieldWords, kindOf, runs } from '../fields/fields.ts';
import { checkBidControls, checkBudget, checkPricing } from './money.ts';
import { checkCreative, checkDestination } from './creative.ts';
import { checkDelivery, checkFlight, checkWeeklySchedule } from './delivery.ts';
import { checkKeywords, checkTargeting } from './targeting.ts';
import {
  type Report,
  type Rule,
  checkFilledText,
  checkInteger,
  type FieldErrorCode,
  isUnchanged,
} from './checks.ts';
import type { Formats } from '../../lib/formats.ts';
import { listed, ownWords, type Sentence, sentence } from '../../lib/sentence.ts';

/** Checks that the changes have exactly one JSON form: no lone surrogates, no NaN. */
const checkWellFormed: Rule = (subject, report) => {
  for (const [field, value] of Object.entries(subject.payload)) {
    // Fast path: nearly every value is identical to the one that was read. Names from the prototype have no JSON value
    // there.
    if (value === subject.base[field]) continue;
    if (isUnchanged(subject, field) || (field.isWellFormed() && isWellFormed(value))) continue;
    report(field, 'broken_text', sentence`${field} holds a broken character or number.`);
  }
};

function isWellFormed(value: JsonValue): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isWellFormed);
  return Object.entries(value).every(([key, item]) => key.isWellFormed() && isWellFormed(item));
}

const maxNamed = 100;

/**
 * The payload must have exactly the keys of the stored campaign, because a partial body could reset values (contract
 * §4.1, rule 3).
 */
const checkKeySet: Rule = ({ payload, base }, report, formats: Formats) => {
  const [stored, sent] = [Object.keys(base), Object.keys(payload)];
  if (stored.length === sent.length && stored.every((field, index) => field === sent[index])) return;
  const missing = stored.filter((field) => !Object.hasOwn(payload, field));
  const unknown = sent.filter((field) => !Object.hasOwn(base, field));
  name(missing, report, {
    code: 'missing_field',
    one: (field) => sentence`The field ${field} is missing. Send the complete campaign.`,
    rest: (count) =>
      sentence`${ownWords(formats.counted(count, 'more field is', 'more fields are'))} missing. Send the complete campaign.`,
  });
  name(unknown, report, {
    code: 'unknown_field',
    one: (field) => sentence`The campaign has no field ${field}.${ownWords(perhaps(field, stored))}`,
    rest: (count) =>
      sentence`The campaign does not have ${ownWords(formats.counted(count, 'more field that was', 'more fields that were'))} sent.`,
  });
};

/** Suggests similar fields: ` Perhaps payout (Bid).` */
function perhaps(field: string, stored: readonly string[]): string {
  const known = stored.filter((one) => contractFields.includes(one));
  const near = nearestNames(field, known, fieldLabel).map((one) => `${one} (${fieldLabel(one)})`);
  return near.length === 0 ? '' : ` Perhaps ${listed(near, 'or')}.`;
}

interface Words {
  code: FieldErrorCode;
  one(field: string): Sentence;
  rest(count: number): Sentence;
}

function name(fields: readonly string[], report: Report, { code, one, rest }: Words): void {
  for (const field of fields.slice(0, maxNamed)) report(field, code, one(field));
  const [next] = fields.slice(maxNamed);
  if (next !== undefined) report(next, code, rest(fields.length - maxNamed));
}

/**
 * cid, uid, name, type and status (contract §2.4). Only the service decides who owns a uid and which status may follow
 * another.
 */
const checkIdentity: Rule = (subject, report) => {
  checkInteger(subject, 'cid', report);
  checkInteger(subject, 'uid', report);
  checkFilledText(subject, 'name', { report, max: limits.nameLength });
  const type = checkInteger(subject, 'type', report);
  if (type !== null && subject.type === undefined) {
    report('type', 'not_allowed', 'This type is not enabled for the account.');
  }
  const status = checkInteger(subject, 'status', report);
  if (status !== null && !isStatusCode(status)) {
    report('status', 'out_of_range', 'Status must be a whole number from 0 to 4.');
  }
};

const rules: readonly Rule[] = [
  checkKeySet,
  checkIdentity,
  checkPricing,
  checkDestination,
  checkCreative,
  checkBudget,
  checkFlight,
  checkWeeklySchedule,
  checkDelivery,
  checkTargeting,
  checkKeywords,
  checkBidControls,
  checkWellFormed,
];

/**
 * Validates a payload against types, settings and campaign of one read (contract §2.4, §4.1, §8). Reports each invalid
 * field once. Never throws.
 */
export function validateCampaign(
  payload: JsonObject,
  context: CampaignContext,
  base: JsonObject,
  formats: Formats,
): FieldError[] {
  const type = typeOf(payload, context);
  const subject = { payload, base, context, type, kind: kindOf(type) };
  const failures = new Map<string, FieldError>();
  const report: Report = (field, code, message) => {
    if (!failures.has(field)) failures.set(field, { field, code, message });
  };
  for (const rule of rules) rule(subject, report, formats);
  return [...failures.values()];
}

export { fieldErrorCodes } from './checks.ts';

const identity: readonly string[] = ['cid', 'uid'];

export function isIdentity(field: string): boolean {
  return identity.includes(field);
}

/**
 * All reasons why the app or the service would refuse the edit. A change of the status only is not refused for other
 * fields.
 */
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

/** The new status if the change affects only the status. Null for any other change. */
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

/**
 * Refuses a status that no member may set (contract §3): Pending, and any status of a pending campaign. Null if the
 * status is allowed.
 */
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
