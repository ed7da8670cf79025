import { toMicros } from '../lib/decimal.ts';
import { exactFactor } from '../lib/factor.ts';
import type { JsonValue } from '../lib/json/json-value.ts';
import { decodeSchedule } from './schedule.ts';
import { unlimited } from './exposure/money.ts';
import type { FieldEffect, Measure, Money, Ratio } from './types.ts';

const budgets: ReadonlySet<string> = new Set(['d_revenue', 't_revenue']);
const counts: ReadonlySet<string> = new Set(['freq_counter', 'traffic_speed_counter']);

/** Counts the difference between both sides of a field, as far as the field is one that can be counted. */
export function measureOf({
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
