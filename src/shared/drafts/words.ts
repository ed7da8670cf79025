import { fieldLabel } from '../campaign/index.ts';
import { assertNever } from '../lib/assert-never.ts';
import { counted } from '../lib/counted.ts';
import { inertStart, quotedStart } from '../lib/inert-text.ts';
import { canonicalJson } from '../lib/json/canonical.ts';
import type { JsonValue } from '../lib/json/json-value.ts';
import type { FieldDraft, FieldOperation } from './operation.ts';

const longest = 120;

/** A draft for people, without the campaign: `Bid +10%`, `Daily budget = 50`, `publisher_blocklist: add 40 entries`. Foreign text. */
export function draftInWords(field: string, { operations }: FieldDraft): string {
  return `${fieldLabel(field)}: ${operations.map(operationInWords).join(', then ')}`;
}

/** One operation in words. Foreign text. */
function operationInWords(operation: FieldOperation): string {
  switch (operation.kind) {
    case 'set':
      return `set to ${valueText(operation.value)}`;
    case 'add':
      return `+${operation.amount}`;
    case 'subtract':
      return `−${operation.amount}`;
    case 'percent':
      return operation.percent.startsWith('-') ? `−${operation.percent.slice(1)}%` : `+${operation.percent}%`;
    case 'floor':
      return `at least ${operation.amount}`;
    case 'cap':
      return `at most ${operation.amount}`;
    case 'replaceText':
      return `replace ${quotedStart(operation.find, longest)} by ${quotedStart(operation.replacement, longest)}`;
    case 'addMembers':
      return `add ${membersText(operation.members)}`;
    case 'removeMembers':
      return `remove ${membersText(operation.members)}`;
    case 'addHours':
      return `switch ${counted(operation.hours.length, 'hour')} on`;
    case 'removeHours':
      return `switch ${counted(operation.hours.length, 'hour')} off`;
    case 'shiftDays':
      return `${counted(Math.abs(operation.days), 'day')} ${operation.days < 0 ? 'earlier' : 'later'}`;
    case 'setBidControl':
      return `${inertStart(operation.member, longest)} of one control set to ${operation.value}`;
    default:
      return assertNever(operation);
  }
}

function membersText(members: readonly (string | number)[]): string {
  if (members.length > 5) return counted(members.length, 'entry', 'entries');
  return members.map((member) => inertStart(String(member), longest)).join(', ');
}

function valueText(value: JsonValue): string {
  if (value === '') return 'nothing';
  if (typeof value === 'string') return quotedStart(value, longest);
  if (Array.isArray(value)) return counted(value.length, 'value');
  return inertStart(canonicalJson(value), longest);
}
