import { decimalText, toMicros } from '../../lib/decimal.ts';
import { factorText } from '../../lib/factor.ts';
import type { JsonValue } from '../../lib/json/json-value.ts';
import { decodeSchedule } from '../schedule.ts';
import type { FieldChange } from '../types.ts';

/** Numbers whose difference and ratio mean something, with the decimals that they keep. */
const measured: ReadonlyMap<string, number> = new Map([
  ['payout', 3],
  ['d_revenue', 2],
  ['t_revenue', 2],
  ['freq_counter', 0],
  ['traffic_speed_counter', 0],
]);

/** The difference in words: `+0.405`, `+12 h / −3 h`, `+2 / −1`; null when there is none that makes sense. */
export function deltaOf({ field, before, after, members }: FieldChange): string | null {
  if (field === 'shedule') return scheduleDelta(before, after);
  if (members !== null)
    return members.added.length + members.removed.length === 0 ? null : membersDelta(members);
  if (!isMeasured(field, before) || !isMeasured(field, after)) return null;
  const difference = toMicros(after) - toMicros(before);
  const text = decimalText(difference, measured.get(field) ?? 0);
  return difference > 0n ? `+${text}` : text;
}

/** The ratio in words, such as `×10`; null when there is none. */
export function factorOf({ field, before, after }: FieldChange): string | null {
  return isMeasured(field, before) && isMeasured(field, after) ? factorText(before, after) : null;
}

const budgets = ['d_revenue', 't_revenue'];

/** A budget of 0 is no amount: it limits nothing. */
function isMeasured(field: string, value: JsonValue | undefined): value is number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  return measured.has(field) && !(budgets.includes(field) && value === 0);
}

function scheduleDelta(before: JsonValue | undefined, after: JsonValue | undefined): string | null {
  const old = decodeSchedule(before);
  const now = decodeSchedule(after);
  if (old === null || now === null) return null;
  const added = now.filter((hour, index) => hour === 1 && old[index] === 0).length;
  const removed = old.filter((hour, index) => hour === 1 && now[index] === 0).length;
  return signed(added, removed, ' h');
}

function membersDelta({ added, removed }: NonNullable<FieldChange['members']>): string {
  return signed(added.length, removed.length, '');
}

function signed(added: number, removed: number, unit: string): string {
  const parts = [
    ...(added > 0 ? [`+${added.toLocaleString('en-US')}${unit}`] : []),
    ...(removed > 0 ? [`−${removed.toLocaleString('en-US')}${unit}`] : []),
  ];
  return parts.join(' / ');
}
