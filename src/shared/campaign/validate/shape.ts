import { isStatusCode } from '../../contract/index.ts';
import type { JsonValue } from '../../lib/json/json-value.ts';
import { nearestNames } from '../../lib/nearest-names.ts';
import { contractFields, fieldLabel, limits } from '../fields/fields.ts';
import {
  checkFilledText,
  checkInteger,
  type FieldErrorCode,
  isUnchanged,
  type Report,
  type Rule,
} from './checks.ts';
import type { Formats } from '../../lib/formats.ts';
import { listed, ownWords, type Sentence, sentence } from '../../lib/sentence.ts';

/** Checks that the changes can be written as JSON with one meaning: no half characters, no NaN. */
export const checkWellFormed: Rule = (subject, report) => {
  for (const [field, value] of Object.entries(subject.payload)) {
    // Nearly every value is the very one that was read; a name of the prototype has no JSON value there.
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

/** The payload has exactly the keys of the stored campaign: a partial body could reset values (contract §4.1, rule 3). */
export const checkKeySet: Rule = ({ payload, base }, report, formats: Formats) => {
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

/** The fields that may be meant: ` Perhaps payout (Bid).` */
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

/** cid, uid, name, type, status (contract §2.4). Whose uid it is and where a status may go is the service's to say. */
export const checkIdentity: Rule = (subject, report) => {
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
