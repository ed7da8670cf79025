import { exactFactor, toMicros } from '../../lib/decimal.ts';
import { canonicalJson } from '../../lib/json/canonical.ts';
import { isJsonObject, jsonEqual, type JsonObject, type JsonValue, own } from '../../lib/json/json-value.ts';
import { unlimited } from '../exposure/index.ts';
import { contractFields, isEntryList, isListName } from '../fields/fields.ts';
import { decodeSchedule } from '../time/calendar.ts';
import { dimensionOfFlag, targetingDimensions } from '../fields/targeting.ts';
import type { FieldEffect, Measure, Money, Ratio, FieldVerdict } from '../types.ts';

/** Effects on fields that differ by {@link isSameValue}: the fields of `before` in their order, then new fields. */
export function diffCampaigns(before: JsonObject, after: JsonObject): FieldEffect[] {
  const added = Object.keys(after).filter((field) => !Object.hasOwn(before, field));
  const fields = [...Object.keys(before), ...added];
  const changes: FieldEffect[] = [];
  for (const field of fields) {
    const old = own(before, field);
    const now = own(after, field);
    if (!isSameValue(old, now)) changes.push(changeOf(field, { old, now, before, after }));
  }
  return changes;
}

/** True for equal values. Also true for one picture of the embedded service at two ports, because its path is its hash. */
export function isSameValue(old: JsonValue | undefined, now: JsonValue | undefined): boolean {
  if (jsonEqual(old, now)) return true;
  const [one, other] = [old, now].map(withoutPort);
  return one !== undefined && other !== undefined && jsonEqual(one, other);
}

const pictureAtAnyPort = /^http:\/\/127\.0\.0\.1:\d{1,5}(\/uploads\/[0-9a-f]{64}\.[a-z]{3,4})$/;

function withoutPort(value: JsonValue | undefined): JsonObject | undefined {
  if (value === undefined || !isJsonObject(value) || typeof value['url'] !== 'string') return undefined;
  const path = pictureAtAnyPort.exec(value['url'])?.[1];
  return path === undefined ? undefined : { ...value, url: path };
}

interface Sides {
  old: JsonValue | undefined;
  now: JsonValue | undefined;
  before: JsonObject;
  after: JsonObject;
}

function changeOf(field: string, { old, now, before, after }: Sides): FieldEffect {
  const sides = { field, before: old, after: now, members: membersOf(old, now) };
  const change = { ...sides, isKnown: isKnown(sides), measure: measureOf(sides) };
  const dimension = dimensionOfFlag(field);
  if (dimension === undefined) return change;
  return { ...change, selection: { before: own(before, dimension.list), after: own(after, dimension.list) } };
}

/** A number or an object under a list's name is not known: it may decide a bid. */
function isKnown({ field, before, after }: Pick<FieldEffect, 'field' | 'before' | 'after'>): boolean {
  if (contractFields.includes(field)) return true;
  return isListName(field) && [before, after].every((value) => value === null || isEntryList(field, value));
}

interface Unmatched {
  times: number;
}

function membersOf(old: JsonValue | undefined, now: JsonValue | undefined): FieldEffect['members'] {
  if (!Array.isArray(old) || !Array.isArray(now)) return null;
  const byKey = new Map<JsonValue, Unmatched>();
  const entries = old.map((item) => countIn(byKey, keyOf(item)));
  const added = now.filter((item) => !takesOne(byKey.get(keyOf(item))));
  const removed = old.filter((_item, index) => takesOne(entries[index]));
  return { added, removed };
}

function countIn(byKey: Map<JsonValue, Unmatched>, key: JsonValue): Unmatched {
  const entry = byKey.get(key) ?? { times: 0 };
  if (entry.times === 0) byKey.set(key, entry);
  entry.times += 1;
  return entry;
}

function takesOne(entry: Unmatched | undefined): boolean {
  if (entry === undefined || entry.times === 0) return false;
  entry.times -= 1;
  return true;
}

/**
 * Scalars stay unchanged. Lists and objects become their canonical form behind a mark that no well-formed text contains, so
 * that the two cannot be confused.
 */
function keyOf(item: JsonValue): JsonValue {
  return typeof item === 'object' && item !== null ? `\uD800${canonicalJson(item)}` : item;
}

const budgets: ReadonlySet<string> = new Set(['d_revenue', 't_revenue']);
const counts: ReadonlySet<string> = new Set(['freq_counter', 'traffic_speed_counter']);

function measureOf({
  field,
  before,
  after,
  members,
}: Pick<FieldEffect, 'field' | 'before' | 'after' | 'members'>): Measure {
  if (field === 'shedule') return hoursOf(before, after);
  if (members !== null)
    return { kind: 'entries', added: members.added.length, removed: members.removed.length };
  if (!isFinite(before) || !isFinite(after)) return { kind: 'none' };
  if (counts.has(field)) return { kind: 'count', before, after, ratio: ratioOf(before, after) };
  if (field !== 'payout' && !budgets.has(field)) return { kind: 'none' };
  const isLimitless = budgets.has(field) && (before === 0 || after === 0);
  const money = (value: number): Money =>
    isLimitless && value === 0 ? unlimited : { kind: 'amount', micros: toMicros(value) };
  const ratio = isLimitless ? null : ratioOf(before, after);
  return { kind: 'money', before: money(before), after: money(after), ratio };
}

function hoursOf(before: JsonValue | undefined, after: JsonValue | undefined): Measure {
  const old = decodeSchedule(before);
  const now = decodeSchedule(after);
  if (old === null || now === null) return { kind: 'none' };
  return {
    kind: 'hours',
    before: old,
    after: now,
    added: now.filter((hour, index) => hour === 1 && old[index] === 0).length,
    removed: old.filter((hour, index) => hour === 1 && now[index] === 0).length,
  };
}

function ratioOf(before: number, after: number): Ratio | null {
  const exact = exactFactor(before, after);
  return exact === null ? null : { exact, isRaise: after > before };
}

function isFinite(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

export function judgeFields(sent: JsonObject, found: JsonObject): Map<string, Verdict> {
  const expected = normaliseCampaign(sent);
  const verdicts = Object.keys(sent).map((field): [string, Verdict] => {
    const finding = { asked: own(sent, field), expected: own(expected, field), now: own(found, field) };
    return [field, verdictOf({ ...finding, isOrdered: field === 'shedule' })];
  });
  return new Map(verdicts);
}

type Verdict = Exclude<FieldVerdict['verdict'], 'unknown'>;

interface Finding {
  asked: JsonValue | undefined;
  expected: JsonValue | undefined;
  now: JsonValue | undefined;
  isOrdered: boolean;
}

function verdictOf({ asked, expected, now, isOrdered }: Finding): Verdict {
  if (now !== undefined && isSameValue(asked, now)) return 'stored';
  if (now !== undefined && jsonEqual(expected, now)) return 'normalised';
  if (typeof asked === 'string' && typeof now === 'string')
    return asked.trim() === now ? 'normalised' : 'different';
  return !isOrdered && isReordered(asked, now) ? 'normalised' : 'different';
}

function isReordered(asked: JsonValue | undefined, now: JsonValue | undefined): boolean {
  if (!Array.isArray(asked) || !Array.isArray(now)) return false;
  const [change] = diffCampaigns({ list: asked }, { list: now });
  return change?.members?.added.length === 0 && change.members.removed.length === 0;
}

/** Returns a copy of the payload as the service stores it: a targeting flag of 1 empties its list (contract §2.4). */
export function normaliseCampaign(payload: JsonObject): JsonObject {
  const stored = { ...payload };
  for (const { flag, list } of targetingDimensions) {
    if (stored[flag] === 1 && Object.hasOwn(stored, list)) stored[list] = [];
  }
  return stored;
}

export interface Evidence {
  base: JsonObject;
  sent: JsonObject;
  found: JsonObject;
  /** Fields that the service changes by itself. They prove nothing. */
  volatile?: readonly string[];
}

/**
 * Judges by a read whether a write without an answer was executed. `payload`: it was; all fields are stored as sent, and at
 * least one of them has changed. `base`: the campaign is unchanged. `other`: the read proves neither.
 */
export function storedEvidence({ base, sent, found, volatile = [] }: Evidence): 'payload' | 'base' | 'other' {
  const judged = [...judgeFields(sent, found)].filter(([field]) => !volatile.includes(field));
  const isAllThere = judged.every(([, verdict]) => verdict !== 'different');
  const proves = judged.some(
    ([field]) =>
      !isSameValue(own(base, field), own(sent, field)) && !isSameValue(own(base, field), own(found, field)),
  );
  if (isAllThere && proves) return 'payload';
  return diffCampaigns(base, found).every(({ field }) => volatile.includes(field)) ? 'base' : 'other';
}
