import type { CampaignContext, CampaignType } from '../../contract/index.ts';
import { codePointLength } from '../../lib/inert-text.ts';
import { jsonEqual, type JsonObject, type JsonValue, own } from '../../lib/json/json-value.ts';
import { fieldWords } from '../fields/fields.ts';
import type { CampaignKind } from '../types.ts';
import type { Formats } from '../../lib/formats.ts';
import { type OwnSentence, sentence } from '../../lib/sentence.ts';

export function checkInteger(subject: Subject, field: string, report: Report): number | null {
  const value = valueOf(subject, field);
  if (value === undefined) return required(field, report);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  report(field, 'wrong_type', sentence`${fieldWords(field)} must be a whole number.`);
  return null;
}

export function checkNumber(subject: Subject, field: string, report: Report): number | null {
  const value = valueOf(subject, field);
  if (value === undefined) return required(field, report);
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  report(field, 'wrong_type', sentence`${fieldWords(field)} must be a number.`);
  return null;
}

export function checkFlag(subject: Subject, field: string, report: Report): void {
  const value = valueOf(subject, field);
  if (value === undefined) required(field, report);
  else if (value !== 0 && value !== 1)
    report(field, 'wrong_type', sentence`${fieldWords(field)} must be 0 or 1.`);
}

export function checkText(subject: Subject, field: string, report: Report): string | null {
  const value = valueOf(subject, field);
  if (value === undefined) return required(field, report);
  if (typeof value === 'string') return value;
  report(field, 'wrong_type', sentence`${fieldWords(field)} must be text.`);
  return null;
}

export function checkFilledText(
  subject: Subject,
  field: string,
  { report, max }: { report: Report; max: number },
): void {
  const text = checkText(subject, field, report);
  if (text === null) return;
  if (text.trim() === '') required(field, report);
  const length = codePointLength(text);
  if (length <= max) return;
  report(
    field,
    'too_long',
    sentence`${fieldWords(field)} has ${length} characters; at most ${max} are allowed.`,
  );
}

export function checkTextOrNull(subject: Subject, field: string, report: Report): void {
  const value = valueOf(subject, field);
  if (value === undefined || value === null || typeof value === 'string') return;
  report(field, 'wrong_type', sentence`${fieldWords(field)} must be text.`);
}

export function required(field: string, report: Report): null {
  report(field, 'required', sentence`${fieldWords(field)} is required.`);
  return null;
}

export interface Subject {
  payload: JsonObject;
  base: JsonObject;
  context: CampaignContext;
  type: CampaignType | undefined;
  kind: CampaignKind;
}

/** Reports an invalid field. Only the first failure of a field counts. */
export type Report = <const M extends string>(
  field: string,
  code: FieldErrorCode,
  message: M & OwnSentence<M>,
) => void;

/** A group of rules. Never throws, whatever JSON the payload contains. */
export type Rule = (subject: Subject, report: Report, formats: Formats) => void;

export function valueOf({ payload }: Subject, field: string): JsonValue | undefined {
  return own(payload, field);
}

export function isUnchanged({ payload, base }: Subject, field: string): boolean {
  return jsonEqual(own(payload, field), own(base, field));
}

const formCodes: ReadonlySet<FieldErrorCode> = new Set(['wrong_type', 'invalid_date', 'invalid_time']);

/**
 * Ignores wrong shapes of stored fields that do not change, unless a field that they depend on changes: a service may
 * store another shape.
 */
export function reportOfChanges(
  subject: Subject,
  { with: conditions, absence }: { with: readonly string[]; absence: 'reported' | 'passed over' },
  report: Report,
): Report {
  return (field, code, message) => {
    const isForm = formCodes.has(code) || (code === 'required' && absence === 'passed over');
    if (isForm && [field, ...conditions].every((one) => isUnchanged(subject, one))) return;
    report(field, code, message);
  };
}

export function isOn(subject: Subject, flag: string): boolean {
  return valueOf(subject, flag) === 1;
}

/** All codes of field errors. Branch on codes, never on the message. */
export const fieldErrorCodes = [
  'required',
  'wrong_type',
  'too_long',
  'out_of_range',
  'not_allowed',
  'not_editable',
  'unknown_field',
  'missing_field',
  'needs_value',
  'invalid_url',
  'invalid_date',
  'invalid_time',
  'invalid_time_zone',
  'invalid_schedule',
  'ends_before_start',
  'broken_text',
] as const;

export type FieldErrorCode = (typeof fieldErrorCodes)[number];
