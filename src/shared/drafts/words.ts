import { valueInWords, type WordsContext, statusVerb } from '../wording/index.ts';
import { assertNever } from '../lib/assert-never.ts';
import { toMicros } from '../lib/decimal.ts';
import { inertStart, quotedStart } from '../lib/inert-text.ts';
import type { JsonValue } from '../lib/json/json-value.ts';
import { applyOperations, isBudget } from './apply.ts';
import { membersOf } from './lists.ts';
import type { FieldDraft, FieldOperation } from './operation.ts';
import type { Formats } from '../lib/formats.ts';
import { fieldLabel } from '../campaign/index.ts';
import { fullDateText } from '../lib/date-text.ts';
import type { BulkEdit } from './bulk/bulk-edit.ts';
import { pasteSectionTitles, setKinds } from './bulk/bulk-fields.ts';

const maxValueLength = 120;

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
      return `replace ${quotedStart(operation.find, maxValueLength)} with ${quotedStart(operation.replacement, maxValueLength)}`;
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
      return `${inertStart(operation.member, maxValueLength)} of one control set to ${formats.bid(toMicros(operation.value))}`;
    default:
      return assertNever(operation);
  }
}

/** For example `14 days later`. */
export function shiftInWords(days: number, formats: Formats): string {
  return `${formats.counted(Math.abs(days), 'day')} ${days < 0 ? 'earlier' : 'later'}`;
}

/** Formats an operand like its field: `$0.045` for a bid, `$50.00` for a budget, `25,000` for a count. */
function amountInWords(field: string, amount: string | number, formats: Formats): string {
  const value = Number(amount);
  if (field === 'payout') return formats.bid(toMicros(value));
  if (isBudget(field)) return formats.money(toMicros(value));
  return formats.count(value);
}

function membersText(members: readonly (string | number)[], formats: Formats): string {
  if (members.length > 5) return formats.counted(members.length, 'entry', 'entries');
  return members.map((member) => inertStart(String(member), maxValueLength)).join(', ');
}

const unquotedFields: readonly string[] = [
  'create',
  'create_time',
  'expire',
  'expire_time',
  'shedule_timezone',
];

function valueText(field: string, value: JsonValue, context: WordsContext, formats: Formats): string {
  if (value === '') return 'nothing';
  if (typeof value === 'string' && !unquotedFields.includes(field)) return quotedStart(value, maxValueLength);
  const isStructureList = field !== 'shedule' && Array.isArray(value) && membersOf(value) === null;
  if (isStructureList) return formats.counted(value.length, 'entry', 'entries');
  return inertStart(valueInWords(field, value, context, formats), maxValueLength);
}

const maxTitleTextLength = 40;

/**
 * Describes an edit of `count` campaigns in one line for the history of drafts: `Bid +10% in 187 campaigns`. At most
 * 200 characters.
 */
export function bulkTitle(edit: BulkEdit, count: number, formats: Formats): string {
  const campaigns = formats.counted(count, 'campaign');
  switch (edit.kind) {
    case 'amount':
      return `${fieldLabel(edit.field)} ${amountWords(edit, formats)} in ${campaigns}`;
    case 'set':
      return `${setWords(edit)} in ${campaigns}`;
    case 'text':
      return `Replace ${quotedStart(edit.find, maxTitleTextLength)} with ${quotedStart(edit.replacement, maxTitleTextLength)} in ${campaigns}`;
    case 'members': {
      const entries = formats.counted(edit.members.length, 'entry', 'entries');
      const list = listLabel(edit.list);
      if (edit.change === 'add') return `Add ${entries} to ${list} of ${campaigns}`;
      if (edit.change === 'remove') return `Remove ${entries} from ${list} of ${campaigns}`;
      return `Replace ${list} of ${campaigns}`;
    }
    case 'targetAll':
      return `Target all values of ${listLabel(edit.list)} in ${campaigns}`;
    case 'schedule': {
      const hours = formats.counted(edit.hours.length, 'hour');
      if (edit.change === 'replace') return `Run ${hours} a week in ${campaigns}`;
      return `${edit.change === 'add' ? 'Add' : 'Remove'} ${hours} a week in ${campaigns}`;
    }
    case 'shiftStart':
      return `Start ${shiftInWords(edit.days, formats)} in ${campaigns}`;
    case 'shiftEnd':
      return `End ${shiftInWords(edit.days, formats)} in ${campaigns}`;
    case 'shiftFlight':
      return `Start and end ${shiftInWords(edit.days, formats)} in ${campaigns}`;
    case 'startOn':
      return `Start on ${fullDateText(edit.date)} in ${campaigns}`;
    case 'endOn':
      return `End on ${fullDateText(edit.date)} in ${campaigns}`;
    case 'noEnd':
      return `No end date in ${campaigns}`;
    case 'status':
      return `${statusVerb(edit.status)} ${campaigns}`;
    case 'paste': {
      const sections = edit.sections.map((section) => pasteSectionTitles[section].toLowerCase()).join(', ');
      const named = edit.sections.length > 3 ? formats.counted(edit.sections.length, 'section') : sections;
      return `Paste ${named} of campaign ${edit.source} into ${campaigns}`;
    }
    default:
      return assertNever(edit);
  }
}

function listLabel(list: string): string {
  return inertStart(fieldLabel(list), maxTitleTextLength);
}

/** For example `Pacing on`. A type is named in the preview rows only, because this code does not have the account's types. */
function setWords({ field, value }: Extract<BulkEdit, { kind: 'set' }>): string {
  const label = fieldLabel(field);
  if (typeof value === 'string') return `${label} ${quotedStart(value, maxTitleTextLength)}`;
  return setKinds[field] === 'switch'
    ? `${label} ${value === 1 ? 'on' : 'off'}`
    : `Another ${label.toLowerCase()}`;
}

function amountWords(
  { field, change, floor, cap }: Extract<BulkEdit, { kind: 'amount' }>,
  formats: Formats,
): string {
  const limits = [
    ...(floor === null ? [] : [`at least ${amountInWords(field, floor, formats)}`]),
    ...(cap === null ? [] : [`at most ${amountInWords(field, cap, formats)}`]),
  ];
  const limitsText = limits.length === 0 ? '' : `, ${limits.join(', ')},`;
  switch (change.kind) {
    case 'percent':
      return `${change.percent.startsWith('-') ? `−${change.percent.slice(1)}` : `+${change.percent}`}%${limitsText}`;
    case 'add':
      return `+${amountInWords(field, change.amount, formats)}${limitsText}`;
    case 'subtract':
      return `−${amountInWords(field, change.amount, formats)}${limitsText}`;
    default:
      return `${change.kind === 'set' ? valueInWords(field, change.value, { types: {} }, formats) : ''}${limitsText}`;
  }
}
