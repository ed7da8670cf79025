import { dateOfDay, dayNumber, decodeSchedule } from '../campaign/index.ts';
import { assertNever } from '../lib/assert-never.ts';
import { type Decimal, exactText, toDecimal } from '../lib/decimal.ts';
import { type JsonObject, type JsonValue, isJsonObject, jsonEqual, own } from '../lib/json/json-value.ts';
import {
  type ChangedList,
  type Member,
  addMembers,
  listOf,
  maxMembers,
  membersOf,
  removeMembers,
} from './lists.ts';
import type { CampaignDraft, FieldDraft, FieldOperation } from './operation.ts';

export type AppliedNote =
  { kind: 'rounded'; exact: string } | { kind: 'ineffective'; count: number; of: 'add' | 'remove' };

export type ProblemCode =
  'not_a_number' | 'not_a_list' | 'not_a_schedule' | 'not_a_date' | 'not_text' | 'no_such_control';

export type ApplyResult =
  { kind: 'value'; value: JsonValue; notes: AppliedNote[] } | { kind: 'problem'; code: ProblemCode };

export function applyOperations(
  field: string,
  value: JsonValue,
  operations: readonly FieldOperation[],
): ApplyResult {
  let current: ApplyResult = { kind: 'value', value, notes: [] };
  for (const operation of operations) {
    const next = applyOperation({ field, stored: value }, current.value, operation);
    if (next.kind === 'problem') return next;
    current = { ...next, notes: [...current.notes, ...next.notes] };
  }
  return current;
}

/**
 * A campaign with its drafts applied, and the result of each field's draft. Drafts of fields that the campaign does not have
 * are omitted.
 */
export interface AppliedCampaign {
  payload: JsonObject;
  applied: ReadonlyMap<string, ApplyResult>;
}

export function applyDraft(campaign: JsonObject, draft: CampaignDraft): AppliedCampaign {
  const applied = new Map<string, ApplyResult>();
  const payload: JsonObject = { ...campaign };
  for (const [field, { operations }] of Object.entries(draft)) {
    const value = own(campaign, field);
    if (value === undefined) continue;
    const result = applyOperations(field, value, operations);
    applied.set(field, result);
    if (result.kind === 'value') payload[field] = result.value;
  }
  return { payload, applied };
}

function applyOperation(
  { field, stored }: { field: string; stored: JsonValue },
  value: JsonValue,
  operation: FieldOperation,
): ApplyResult {
  switch (operation.kind) {
    case 'set':
      return valueResult(operation.value);
    case 'add':
    case 'subtract':
    case 'percent':
    case 'floor':
    case 'cap': {
      if (typeof value !== 'number' || !Number.isFinite(value)) return problemResult('not_a_number');
      const { value: result, exact } = applyAmount(value, operation, decimalsOf(field));
      return valueResult(result, exact === null ? [] : [{ kind: 'rounded', exact }]);
    }
    case 'replaceText':
      return replaceText(value, operation);
    case 'addMembers':
      return listResult(addMembers(field, value, operation.members, stored), 'add');
    case 'removeMembers':
      return listResult(removeMembers(field, value, operation.members), 'remove');
    case 'addHours':
      return withHours(value, operation.hours, 1);
    case 'removeHours':
      return withHours(value, operation.hours, 0);
    case 'shiftDays': {
      const day = typeof value === 'string' ? dayNumber(value) : null;
      return day === null ? problemResult('not_a_date') : valueResult(dateOfDay(day + operation.days));
    }
    case 'setBidControl':
      return withBidControl(value, operation);
    default:
      return assertNever(operation);
  }
}

function valueResult(value: JsonValue, notes: AppliedNote[] = []): ApplyResult {
  return { kind: 'value', value, notes };
}

function problemResult(code: ProblemCode): ApplyResult {
  return { kind: 'problem', code };
}

function listResult(list: ChangedList | null, of: 'add' | 'remove'): ApplyResult {
  if (list === null) return problemResult('not_a_list');
  const { value, ineffective } = list;
  return valueResult(value, ineffective === 0 ? [] : [{ kind: 'ineffective', count: ineffective, of }]);
}

function withHours(value: JsonValue, hours: readonly number[], to: 0 | 1): ApplyResult {
  const week = decodeSchedule(value);
  if (week === null) return problemResult('not_a_schedule');
  const chosen = new Set(hours);
  return valueResult(week.map((hour, index) => (chosen.has(index) ? to : hour)));
}

type ReplaceText = Extract<FieldOperation, { kind: 'replaceText' }>;

/** Limits the result of a replacement, because a short pattern can produce gigabytes of text. */
export const maxTextLength = 20_000;

function replaceText(value: JsonValue, { find, replacement, matchesCase }: ReplaceText): ApplyResult {
  if (typeof value !== 'string') return problemResult('not_text');
  const escaped = find.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
  return valueResult(value.replace(new RegExp(escaped, flagsOf(matchesCase)), () => replacement));
}

/**
 * Compiles a regular expression; null if it is invalid. Use it only in threads that are stopped at a deadline: matching
 * may never end.
 */
export function compilePattern({ find, matchesCase }: { find: string; matchesCase: boolean }): RegExp | null {
  try {
    return new RegExp(find, flagsOf(matchesCase));
  } catch {
    return null;
  }
}

function flagsOf(matchesCase: boolean): string {
  return `gu${matchesCase ? '' : 'i'}`;
}

type SetBidControl = Extract<FieldOperation, { kind: 'setBidControl' }>;

function withBidControl(value: JsonValue, { control, member, value: number }: SetBidControl): ApplyResult {
  if (!Array.isArray(value)) return problemResult('no_such_control');
  const index = value.findIndex((item) => jsonEqual(item, control));
  const found = value[index];
  // A control with more keys than source and bid is the service's own object, which is never edited.
  if (!isJsonObject(found) || Object.keys(found).length !== 2 || typeof own(found, member) !== 'number')
    return problemResult('no_such_control');
  return valueResult(value.toSpliced(index, 1, { ...found, [member]: number }));
}

type AmountOperation = Extract<FieldOperation, { kind: 'add' | 'subtract' | 'percent' | 'floor' | 'cap' }>;

/** A number after an operation. `exact` is the decimal text before rounding, or null if nothing was rounded. */
interface Amount {
  value: number;
  exact: string | null;
}

export function isBudget(field: string): boolean {
  return field === 'd_revenue' || field === 't_revenue';
}

/** Decimals to which the result of a calculation is rounded, half away from zero. Counts must stay integers. */
function decimalsOf(field: string): number {
  if (field === 'payout') return 6;
  return isBudget(field) ? 2 : 0;
}

function applyAmount(value: number, operation: AmountOperation, decimals: number): Amount {
  const before = toDecimal(value);
  switch (operation.kind) {
    case 'add':
      return roundTo(sum(before, decimalOf(operation.amount)), decimals);
    case 'subtract':
      return roundTo(sum(before, negate(decimalOf(operation.amount))), decimals);
    case 'percent':
      return roundTo(product(before, percentFactor(operation.percent)), decimals);
    case 'floor':
      return { value: Math.max(value, Number(operation.amount)), exact: null };
    case 'cap':
      return { value: Math.min(value, Number(operation.amount)), exact: null };
  }
}

function decimalOf(text: string): Decimal {
  const [whole = '', fraction = ''] = text.split('.');
  return { digits: BigInt(whole + fraction), exponent: -fraction.length };
}

function percentFactor(percent: string): Decimal {
  const { digits, exponent } = sum(decimalOf(percent), { digits: 100n, exponent: 0 });
  return { digits, exponent: exponent - 2 };
}

function negate({ digits, exponent }: Decimal): Decimal {
  return { digits: -digits, exponent };
}

function sum(a: Decimal, b: Decimal): Decimal {
  const exponent = Math.min(a.exponent, b.exponent);
  return { digits: digitsAt(a, exponent) + digitsAt(b, exponent), exponent };
}

function product(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, exponent: a.exponent + b.exponent };
}

function digitsAt({ digits, exponent }: Decimal, minExponent: number): bigint {
  return digits * 10n ** BigInt(exponent - minExponent);
}

function roundTo(exact: Decimal, decimals: number): Amount {
  const surplus = -decimals - exact.exponent;
  if (surplus <= 0) return { value: Number(exactText(exact)), exact: null };
  const unit = 10n ** BigInt(surplus);
  const half = exact.digits < 0n ? -unit / 2n : unit / 2n;
  const digits = (exact.digits + half) / unit;
  const value = Number(exactText({ digits, exponent: -decimals }));
  return { value, exact: exact.digits % unit === 0n ? null : exactText(exact) };
}

export interface DraftedField {
  field: string;
  stored: JsonValue;
  draft: FieldDraft | undefined;
}

/** Creates a draft with these operations; null if they change nothing. Keeps `from` of an existing draft. */
export function draftOf(
  { field, stored, draft }: DraftedField,
  operations: readonly FieldOperation[],
): FieldDraft | null {
  const applied = applyOperations(field, stored, operations);
  if (applied.kind === 'value' && jsonEqual(applied.value, stored)) return null;
  return { from: draft === undefined ? stored : draft.from, operations: [...operations] };
}

export function draftToSet(drafted: DraftedField, value: JsonValue): FieldDraft | null {
  return draftOf(drafted, [{ kind: 'set', value }]);
}

/**
 * Creates the draft that results in these members. Uses removals and additions, or the complete list if the order would
 * differ or the changes are too many.
 */
export function draftOfMembers(drafted: DraftedField, members: readonly Member[]): FieldDraft | null {
  const { field, stored } = drafted;
  const there = membersOf(stored);
  if (there !== null && jsonEqual(there.map(String), members.map(String))) return null;
  const next = listOf(members, stored);
  if (there === null || hasSetOperation(drafted)) return draftToSet(drafted, next);
  const [known, wanted] = [new Set(there.map(String)), new Set(members.map(String))];
  const removed = there.filter((member) => !wanted.has(String(member)));
  const added = members.filter((member) => !known.has(String(member)));
  const operations: FieldOperation[] = [
    ...(removed.length > 0 ? [{ kind: 'removeMembers' as const, members: removed }] : []),
    ...(added.length > 0 ? [{ kind: 'addMembers' as const, members: added }] : []),
  ];
  if (removed.length > maxMembers || added.length > maxMembers) return draftToSet(drafted, next);
  const applied = operations.length > 0 ? applyOperations(field, stored, operations) : null;
  const result = applied?.kind === 'value' ? membersOf(applied.value) : null;
  return result !== null && jsonEqual(result, [...members])
    ? draftOf(drafted, operations)
    : draftToSet(drafted, next);
}

export function draftOfHours(drafted: DraftedField, week: readonly number[]): FieldDraft | null {
  const there = decodeSchedule(drafted.stored);
  if (there === null || hasSetOperation(drafted)) return draftToSet(drafted, [...week]);
  const hours = (from: number, to: number): number[] =>
    week.flatMap((hour, index) => (there[index] === from && hour === to ? [index] : []));
  const [off, on] = [hours(1, 0), hours(0, 1)];
  const operations: FieldOperation[] = [
    ...(off.length > 0 ? [{ kind: 'removeHours' as const, hours: off }] : []),
    ...(on.length > 0 ? [{ kind: 'addHours' as const, hours: on }] : []),
  ];
  return operations.length === 0 ? null : draftOf(drafted, operations);
}

function hasSetOperation({ draft }: DraftedField): boolean {
  return draft?.operations.some(({ kind }) => kind === 'set') ?? false;
}
