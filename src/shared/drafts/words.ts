import { valueInWords, type WordsContext } from '../wording/index.ts';
import { assertNever } from '../lib/assert-never.ts';
import { toMicros } from '../lib/decimal.ts';
import { inertStart, quotedStart } from '../lib/inert-text.ts';
import type { JsonValue } from '../lib/json/json-value.ts';
import { applyOperations, isBudget } from './apply.ts';
import { membersOf } from './lists.ts';
import type { FieldDraft, FieldOperation } from './operation.ts';
import type { Formats } from '../lib/formats.ts';

const longest = 120;

/**
 * Start and end value of a draft for display, with the operation if the value alone does not show it: `+10%`. Untrusted
 * text.
 */
export function draftedValuesInWords(
  field: string,
  { from, operations }: FieldDraft,
  context: WordsContext,
  formats: Formats,
): { before: string; after: string } {
  const inWords = (value: JsonValue): string => valueInWords(field, value, context, formats);
  const applied = applyOperations(field, from, operations);
  const before = inWords(from);
  const after = applied.kind === 'value' ? inWords(applied.value) : before;
  if (after !== before) return { before, after };
  const intended = operations.map((operation) => operationInWords(field, operation, context, formats));
  return { before, after: intended.join(', then ') };
}

function operationInWords(
  field: string,
  operation: FieldOperation,
  context: WordsContext,
  formats: Formats,
): string {
  switch (operation.kind) {
    case 'set':
      return `set to ${valueText(field, operation.value, context, formats)}`;
    case 'add':
      return `+${amountInWords(field, operation.amount, formats)}`;
    case 'subtract':
      return `−${amountInWords(field, operation.amount, formats)}`;
    case 'percent':
      return operation.percent.startsWith('-') ? `−${operation.percent.slice(1)}%` : `+${operation.percent}%`;
    case 'floor':
      return `at least ${amountInWords(field, operation.amount, formats)}`;
    case 'cap':
      return `at most ${amountInWords(field, operation.amount, formats)}`;
    case 'replaceText':
      return `replace ${quotedStart(operation.find, longest)} with ${quotedStart(operation.replacement, longest)}`;
    case 'addMembers':
      return `add ${membersText(operation.members, formats)}`;
    case 'removeMembers':
      return `remove ${membersText(operation.members, formats)}`;
    case 'addHours':
      return `switch ${formats.counted(operation.hours.length, 'hour')} on`;
    case 'removeHours':
      return `switch ${formats.counted(operation.hours.length, 'hour')} off`;
    case 'shiftDays':
      return shiftInWords(operation.days, formats);
    case 'setBidControl':
      return `${inertStart(operation.member, longest)} of one control set to ${formats.bid(toMicros(operation.value))}`;
    default:
      return assertNever(operation);
  }
}

/** For example `14 days later`. */
export function shiftInWords(days: number, formats: Formats): string {
  return `${formats.counted(Math.abs(days), 'day')} ${days < 0 ? 'earlier' : 'later'}`;
}

/** Formats an operand like its field: `$0.045` for a bid, `$50.00` for a budget, `25,000` for a count. */
export function amountInWords(field: string, amount: string | number, formats: Formats): string {
  const value = Number(amount);
  if (field === 'payout') return formats.bid(toMicros(value));
  if (isBudget(field)) return formats.money(toMicros(value));
  return formats.count(value);
}

function membersText(members: readonly (string | number)[], formats: Formats): string {
  if (members.length > 5) return formats.counted(members.length, 'entry', 'entries');
  return members.map((member) => inertStart(String(member), longest)).join(', ');
}

const unquoted: readonly string[] = ['create', 'create_time', 'expire', 'expire_time', 'shedule_timezone'];

function valueText(field: string, value: JsonValue, context: WordsContext, formats: Formats): string {
  if (value === '') return 'nothing';
  if (typeof value === 'string' && !unquoted.includes(field)) return quotedStart(value, longest);
  const isOfStructures = field !== 'shedule' && Array.isArray(value) && membersOf(value) === null;
  if (isOfStructures) return formats.counted(value.length, 'entry', 'entries');
  return inertStart(valueInWords(field, value, context, formats), longest);
}
