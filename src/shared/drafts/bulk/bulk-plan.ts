import {
  bidsToCopy,
  entryKeyOf,
  fieldApplies,
  fieldLabel,
  kindOf,
  limits,
  targetingDimensions,
  typeOf,
} from '../../campaign/index.ts';
import type { CampaignContext } from '../../contract/index.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { quotedStart } from '../../lib/inert-text.ts';
import { type JsonObject, type JsonValue, own } from '../../lib/json/json-value.ts';
import {
  addMembers,
  convertToKind,
  isSingleEntry,
  listOf,
  type Member,
  type MemberKind,
  memberKindOf,
  membersOf,
} from '../lists.ts';
import { isBudget } from '../apply.ts';
import type { FieldOperation } from '../operation.ts';
import type { BulkEdit } from './bulk-edit.ts';
import { fieldsToPaste, setKinds, switchOf } from './bulk-fields.ts';

export interface FieldChange {
  field: string;
  operations: FieldOperation[];
  /** The exported value that a file import started from. Undefined for other edits. */
  from?: JsonValue;
}

/** Field changes, the reason why an edit is impossible, or a conflict whose exported values are unknown. */
export type BulkPlan =
  { kind: 'changes'; changes: FieldChange[] } | { kind: 'problem' | 'conflict'; message: string };

export interface PlanParts {
  /** Results of a regular expression by field, without results that are too long. A worker with a deadline computes them. */
  replaced: ReadonlyMap<string, string> | undefined;
  source: JsonObject | undefined;
  read: JsonObject;
  context: CampaignContext;
  memberKindOf(list: string): MemberKind | null;
}

export function planBulkEdit(edit: BulkEdit, campaign: JsonObject, parts: PlanParts): BulkPlan {
  switch (edit.kind) {
    case 'amount':
      return planAmount(edit, campaign);
    case 'set':
      return planSet(edit, campaign, parts.context);
    case 'text':
      return planText(edit, campaign, parts.replaced);
    case 'members':
      return planMembers(edit, campaign, parts);
    case 'targetAll':
      return changes([setChange(flagOfList(edit.list) ?? edit.list, 1), setChange(edit.list, [])]);
    case 'schedule':
      return planSchedule(edit, campaign);
    case 'shiftStart':
      return hasFlightDate(campaign, 'create')
        ? changes([shiftChange('create', edit.days)])
        : problem('It has no start date that could be moved. Enter a date instead.');
    case 'shiftEnd':
      return hasEnd(campaign)
        ? changes([shiftChange('expire', edit.days)])
        : problem('It has no end date that could be moved.');
    case 'shiftFlight':
      return planShift(edit, campaign);
    case 'startOn':
      return changes(dateChanges(campaign, 'create', edit.date, '00:00'));
    case 'endOn':
      return changes(dateChanges(campaign, 'expire', edit.date, '23:59'));
    case 'noEnd':
      // The start stays set, so that a flight that has not begun does not begin earlier.
      return changes(hasEnd(campaign) ? [setChange('expire', ''), setChange('expire_time', '')] : []);
    case 'status':
      return changes([setChange('status', edit.status)]);
    case 'paste':
      return planPaste(edit, campaign, parts);
    default:
      return assertNever(edit);
  }
}

type EditOf<K extends BulkEdit['kind']> = Extract<BulkEdit, { kind: K }>;

/** A budget of 0 is unlimited, so no amount can be calculated from it. */
function planAmount(
  { field, change, floor, cap, turnsOn }: EditOf<'amount'>,
  campaign: JsonObject,
): BulkPlan {
  const noEffect = noEffectReason(field, campaign);
  if (noEffect !== null && !turnsOn) return problem(noEffect);
  if (isBudget(field) && change.kind !== 'set' && own(campaign, field) === 0)
    return problem(`${fieldLabel(field)} is unlimited, so nothing can be calculated. Set an amount instead.`);
  const operations: FieldOperation[] = [
    change,
    ...(floor === null ? [] : [{ kind: 'floor' as const, amount: floor }]),
    ...(cap === null ? [] : [{ kind: 'cap' as const, amount: cap }]),
  ];
  const flag = switchOf(field);
  return changes([
    { field, operations },
    ...(noEffect !== null && flag !== undefined ? [setChange(flag, 1)] : []),
  ]);
}

const counters: Readonly<Record<string, { field: string; min: number }>> = {
  freq_cap: { field: 'freq_counter', min: 1 },
  traffic_speed: { field: 'traffic_speed_counter', min: limits.pacingCounter },
};

/** Refuses fields that the campaign's type does not use. A type of unknown kind may use any field. */
function planSet({ field, value }: EditOf<'set'>, campaign: JsonObject, context: CampaignContext): BulkPlan {
  const kind = kindOf(typeOf(campaign, context));
  const isSwitch = setKinds[field] === 'switch';
  if (!isSwitch && kind.recognised && !fieldApplies(field, kind, context.settings))
    return problem(`${fieldLabel(field)} is not used by its type.`);
  const noEffect = noEffectReason(field, campaign);
  if (noEffect !== null) return problem(noEffect);
  const counter = value === 1 ? counters[field] : undefined;
  // A mode that is already on keeps its number.
  if (isSwitch && value === 1 && !isOff(field, campaign)) return changes([]);
  const counterChange: FieldChange[] =
    counter === undefined
      ? []
      : [{ field: counter.field, operations: [{ kind: 'floor', amount: String(counter.min) }] }];
  return changes([setChange(field, value), ...counterChange]);
}

export function noEffectReason(field: string, campaign: JsonObject): string | null {
  const flag = switchOf(field);
  if (flag === undefined || own(campaign, flag) === undefined || !isOff(flag, campaign)) return null;
  const verb = flag === 'enable_budget' || flag === 'keywords_enabled' ? 'are' : 'is';
  return `${fieldLabel(flag)} ${verb} off, so ${fieldLabel(field)} would have no effect.`;
}

/** Compares with 0, because frequency cap and pacing have further modes above 1, which are also on. */
function isOff(flag: string, campaign: JsonObject): boolean {
  const value = own(campaign, flag);
  return Object.hasOwn(counters, flag) ? !(typeof value === 'number' && value > 0) : value !== 1;
}

function planShift({ days }: EditOf<'shiftFlight'>, campaign: JsonObject): BulkPlan {
  const dateFields = ['create', 'expire'].filter((field) => textIn(campaign, field) !== '');
  if (own(campaign, 'enable_time') !== 1 || dateFields.length === 0)
    return problem('It has no start or end that could be moved.');
  return changes(dateFields.map((field) => shiftChange(field, days)));
}

function dateChanges(campaign: JsonObject, field: string, date: string, time: string): FieldChange[] {
  const timeField = `${field}_time`;
  return [
    setChange('enable_time', 1),
    setChange(field, date),
    ...(textIn(campaign, timeField) === '' ? [setChange(timeField, time)] : []),
  ];
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
  // Drafts are applied to later reads on the core's own thread, where a pattern could block it. So the draft contains
  // the result.
  const results = filled.map((field) => ({ field, result: replaced?.get(field) }));
  const tooLong = results.find(({ result }) => result === undefined);
  if (tooLong !== undefined) return problem(`${fieldLabel(tooLong.field)} would be too long.`);
  return changes(results.map(({ field, result = '' }) => setChange(field, result)));
}

function planMembers(
  { list, change, members: given, limitsAll }: EditOf<'members'>,
  campaign: JsonObject,
  parts: Pick<PlanParts, 'memberKindOf' | 'read'>,
): BulkPlan {
  const flag = flagOfList(list);
  const targetsAll = flag !== undefined && own(campaign, flag) === 1;
  const flagChange = targetsAll && flag !== undefined ? [setChange(flag, 0)] : [];
  const value = own(campaign, list);
  // An empty list has no kind of its own. It gets the kind that other campaigns have in this list.
  const kind = memberKindOf(membersOf(value) ?? []) ?? parts.memberKindOf(list);
  const members = given.map((member) => convertToKind(member, kind));
  if (change === 'remove') {
    if (targetsAll) return problem('It targets all of them, so none can be removed from a list.');
    return changes([{ field: list, operations: [{ kind: 'removeMembers', members }] }]);
  }
  const nonNumeric = kind === 'numbers' ? members.find((member) => typeof member === 'string') : undefined;
  if (nonNumeric !== undefined)
    return problem(
      `The entries of ${fieldLabel(list)} are numbers; ${quotedStart(nonNumeric, 40)} isn’t one.`,
    );
  const ambiguous = members.find((member) => value !== undefined && !isSingleEntry(value, String(member)));
  if (ambiguous !== undefined)
    return problem(
      `${fieldLabel(list)} would read ${quotedStart(String(ambiguous), 40)} as several entries.`,
    );
  if (change === 'replace') {
    const replaced = replacedList({ list, value, members, stored: own(parts.read, list) });
    return replaced === null
      ? problem(`${fieldLabel(list)} is not a list here.`)
      : changes([...flagChange, setChange(list, replaced)]);
  }
  if (targetsAll && !limitsAll) return changes([]);
  return changes([...flagChange, { field: list, operations: [{ kind: 'addMembers', members }] }]);
}

/**
 * Returns the list with exactly these members, in the format of the stored list. Existing members keep their spelling and an
 * equal list its order, to avoid needless changes.
 */
function replacedList({
  list: field,
  value,
  members,
  stored = value ?? null,
}: {
  list: string;
  value: JsonValue | undefined;
  members: readonly Member[];
  stored: JsonValue | undefined;
}): JsonValue | null {
  if (value === undefined || membersOf(value) === null) return null;
  const key = entryKeyOf(field);
  const memberByKey = new Map(
    (membersOf(addMembers(field, value, members)?.value) ?? []).map((item) => [key(item), item]),
  );
  const wanted = new Map(members.map((item) => [key(item), memberByKey.get(key(item)) ?? item]));
  const isWanted = (list: JsonValue): boolean => {
    const there = (membersOf(list) ?? []).map(key);
    return there.length === wanted.size && there.every((item) => wanted.has(item));
  };
  return [value, stored].find(isWanted) ?? listOf([...wanted.values()], stored);
}

const everyHour = Array.from({ length: 168 }, () => 1);

/** Without a schedule, hours are removed from a full week. Only a replaced week gets a zone. */
function planSchedule({ change, hours, zone }: EditOf<'schedule'>, campaign: JsonObject): BulkPlan {
  const isOn = own(campaign, 'enable_shedule') === 1;
  const chosen = new Set(hours);
  if (change === 'replace') {
    const week = everyHour.map((_, hour) => (chosen.has(hour) ? 1 : 0));
    const zoneChange = zone === null ? [] : [setChange('shedule_timezone', zone)];
    return changes([setChange('enable_shedule', 1), setChange('shedule', week), ...zoneChange]);
  }
  if (change === 'add')
    return changes(isOn ? [{ field: 'shedule', operations: [{ kind: 'addHours', hours }] }] : []);
  if (isOn) return changes([{ field: 'shedule', operations: [{ kind: 'removeHours', hours }] }]);
  const remaining = everyHour.map((_, hour) => (chosen.has(hour) ? 0 : 1));
  return changes([setChange('enable_shedule', 1), setChange('shedule', remaining)]);
}

/** Pastes values unchanged. Bid controls are objects of the service, so only bids of matching sources are pasted. */
function planPaste(
  { sections }: EditOf<'paste'>,
  campaign: JsonObject,
  { source, context }: PlanParts,
): BulkPlan {
  if (source === undefined) return problem('The campaign to copy from could not be read.');
  const values = fieldsToPaste(source, sections).flatMap((field) => {
    const value = own(source, field);
    return value === undefined ? [] : [setChange(field, value)];
  });
  if (!sections.includes('bidControls')) return changes(values);
  const [there, targetBids] = [source, campaign].map((one) => {
    return { controls: own(one, bidControls), limits: typeOf(one, context) };
  });
  if (there === undefined || targetBids === undefined) return changes(values);
  const operations = bidsToCopy(there, targetBids).map((change) => {
    return { kind: 'setBidControl' as const, ...change };
  });
  return changes(operations.length === 0 ? values : [...values, { field: bidControls, operations }]);
}

const bidControls = 'bidControl';

export function flagOfList(list: string): string | undefined {
  return targetingDimensions.find((dimension) => dimension.list === list)?.flag;
}

function textIn(campaign: JsonObject, field: string): string {
  const value = own(campaign, field);
  return typeof value === 'string' ? value : '';
}

function hasEnd(campaign: JsonObject): boolean {
  return hasFlightDate(campaign, 'expire');
}

function hasFlightDate(campaign: JsonObject, field: 'create' | 'expire'): boolean {
  return own(campaign, 'enable_time') === 1 && textIn(campaign, field) !== '';
}

function shiftChange(field: string, days: number): FieldChange {
  return { field, operations: [{ kind: 'shiftDays', days }] };
}

function setChange(field: string, value: JsonValue): FieldChange {
  return { field, operations: [{ kind: 'set', value }] };
}

function changes(list: FieldChange[]): BulkPlan {
  return { kind: 'changes', changes: list };
}

function problem(message: string): BulkPlan {
  return { kind: 'problem', message };
}
