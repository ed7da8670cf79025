import { fieldLabel, targetingDimensions } from '../../campaign/index.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { type JsonObject, type JsonValue, own } from '../../lib/json/json-value.ts';
import { addMembers, type Member, membersOf } from '../lists.ts';
import type { FieldOperation } from '../operation.ts';
import type { BulkEdit } from './bulk-edit.ts';
import { pastedFields } from './bulk-fields.ts';

/** Operations that an edit adds to one field of one campaign. */
export interface FieldChange {
  field: string;
  operations: FieldOperation[];
}

/** Effect of an edit on one campaign: changes of its fields, none of them, or the reason why it cannot be done there. */
export type BulkPlan = { kind: 'changes'; changes: FieldChange[] } | { kind: 'problem'; message: string };

/** The parts of an edit that do not come from the campaign itself. */
export interface PlanParts {
  /** The texts of this campaign after a regular expression, by field, without those that are too long; it runs elsewhere, with a deadline. */
  replaced: ReadonlyMap<string, string> | undefined;
  /** The campaign whose sections are pasted. */
  source: JsonObject | undefined;
}

/** Makes the operations of an edit for a campaign with its present drafts applied. */
export function planBulkEdit(edit: BulkEdit, campaign: JsonObject, parts: PlanParts): BulkPlan {
  switch (edit.kind) {
    case 'amount':
      return planAmount(edit, campaign);
    case 'text':
      return planText(edit, campaign, parts.replaced);
    case 'members':
      return planMembers(edit, campaign);
    case 'targetAll':
      return changes([set(flagOf(edit.list) ?? edit.list, 1), set(edit.list, [])]);
    case 'schedule':
      return planSchedule(edit, campaign);
    case 'shiftEnd':
      return hasEnd(campaign)
        ? changes([{ field: 'expire', operations: [{ kind: 'shiftDays', days: edit.days }] }])
        : problem('It has no end date that could be moved.');
    case 'endOn':
      return changes([
        set('enable_time', 1),
        set('expire', edit.date),
        ...(textIn(campaign, 'expire_time') === '' ? [set('expire_time', '23:59')] : []),
      ]);
    case 'noEnd':
      // The start stays: a flight that has not begun does not begin earlier.
      return changes(hasEnd(campaign) ? [set('expire', ''), set('expire_time', '')] : []);
    case 'status':
      return changes([set('status', edit.status)]);
    case 'paste':
      return planPaste(edit, parts.source);
    default:
      return assertNever(edit);
  }
}

type EditOf<K extends BulkEdit['kind']> = Extract<BulkEdit, { kind: K }>;

/** A budget of 0 is unlimited: it is neither calculated nor reached by a calculation. */
function planAmount(
  { field, change, floor, cap, turnsOn }: EditOf<'amount'>,
  campaign: JsonObject,
): BulkPlan {
  const isBudget = field !== 'payout';
  const isOff = isBudget && own(campaign, 'enable_budget') !== 1;
  if (isOff && !turnsOn) return problem('Budget limits are off, so the budget would have no effect.');
  if (isBudget && change.kind !== 'set' && own(campaign, field) === 0)
    return problem(`${fieldLabel(field)} is unlimited, so nothing can be calculated. Set an amount instead.`);
  const operations: FieldOperation[] = [
    change,
    ...(floor === null ? [] : [{ kind: 'floor' as const, amount: floor }]),
    ...(cap === null ? [] : [{ kind: 'cap' as const, amount: cap }]),
  ];
  return changes([{ field, operations }, ...(isOff ? [set('enable_budget', 1)] : [])]);
}

function planText(
  { fields, find, replacement, isPattern, matchesCase }: EditOf<'text'>,
  campaign: JsonObject,
  replaced: PlanParts['replaced'],
): BulkPlan {
  const filled = fields.filter((field) => textIn(campaign, field) !== '');
  if (!isPattern) {
    const operation = { kind: 'replaceText', find, replacement, matchesCase } as const;
    return changes(filled.map((field) => ({ field, operations: [operation] })));
  }
  // A draft is applied to values that are not known yet, on the core's own thread: it holds the result, not the pattern.
  const results = filled.map((field) => ({ field, result: replaced?.get(field) }));
  const tooLong = results.find(({ result }) => result === undefined);
  if (tooLong !== undefined) return problem(`${fieldLabel(tooLong.field)} would be too long.`);
  return changes(results.map(({ field, result = '' }) => set(field, result)));
}

function planMembers(
  { list, change, members, limitsAll }: EditOf<'members'>,
  campaign: JsonObject,
): BulkPlan {
  const flag = flagOf(list);
  const targetsAll = flag !== undefined && own(campaign, flag) === 1;
  const custom = targetsAll && flag !== undefined ? [set(flag, 0)] : [];
  const value = own(campaign, list);
  if (change === 'remove') {
    if (targetsAll) return problem('It targets all of them, so none can be removed from a list.');
    return changes([{ field: list, operations: [{ kind: 'removeMembers', members }] }]);
  }
  if (change === 'replace') {
    const replaced = replacedList(value, members);
    return replaced === null
      ? problem(`${fieldLabel(list)} is not a list here.`)
      : changes([...custom, set(list, replaced)]);
  }
  if (targetsAll && !limitsAll) return changes([]);
  return changes([...custom, { field: list, operations: [{ kind: 'addMembers', members }] }]);
}

/** The list with exactly these members. Those that are there keep their writing; an equal list keeps its order, too. */
function replacedList(value: JsonValue | undefined, members: readonly Member[]): JsonValue | null {
  if (value === undefined || membersOf(value) === null) return null;
  const key = (item: Member): string => String(item).trim().toLowerCase();
  const all = new Map((membersOf(addMembers(value, members)?.value) ?? []).map((item) => [key(item), item]));
  const wanted = new Map(members.map((item) => [key(item), all.get(key(item)) ?? item]));
  const there = (membersOf(value) ?? []).map(key);
  if (there.length === wanted.size && there.every((item) => wanted.has(item))) return value;
  const list = [...wanted.values()];
  return Array.isArray(value) ? list : (addMembers('', list)?.value ?? null);
}

const everyHour = Array.from({ length: 168 }, () => 1);

/** Without a schedule every hour is on, so hours are taken away from a full week. */
function planSchedule({ change, hours, zone }: EditOf<'schedule'>, campaign: JsonObject): BulkPlan {
  const isOn = own(campaign, 'enable_shedule') === 1;
  const inZone = zone === null ? [] : [set('shedule_timezone', zone)];
  const chosen = new Set(hours);
  if (change === 'replace') {
    const week = everyHour.map((_, hour) => (chosen.has(hour) ? 1 : 0));
    return changes([set('enable_shedule', 1), set('shedule', week), ...inZone]);
  }
  if (change === 'add')
    return changes(isOn ? [{ field: 'shedule', operations: [{ kind: 'addHours', hours }] }, ...inZone] : []);
  if (isOn) return changes([{ field: 'shedule', operations: [{ kind: 'removeHours', hours }] }, ...inZone]);
  const rest = everyHour.map((_, hour) => (chosen.has(hour) ? 0 : 1));
  return changes([set('enable_shedule', 1), set('shedule', rest), ...inZone]);
}

function planPaste({ sections }: EditOf<'paste'>, source: JsonObject | undefined): BulkPlan {
  if (source === undefined) return problem('The campaign to copy from could not be read.');
  return changes(
    pastedFields(source, sections).flatMap((field) => {
      const value = own(source, field);
      return value === undefined ? [] : [set(field, value)];
    }),
  );
}

function flagOf(list: string): string | undefined {
  return targetingDimensions.find((dimension) => dimension.list === list)?.flag;
}

function textIn(campaign: JsonObject, field: string): string {
  const value = own(campaign, field);
  return typeof value === 'string' ? value : '';
}

function hasEnd(campaign: JsonObject): boolean {
  return own(campaign, 'enable_time') === 1 && textIn(campaign, 'expire') !== '';
}

function set(field: string, value: JsonValue): FieldChange {
  return { field, operations: [{ kind: 'set', value }] };
}

function changes(list: FieldChange[]): BulkPlan {
  return { kind: 'changes', changes: list };
}

function problem(message: string): BulkPlan {
  return { kind: 'problem', message };
}
