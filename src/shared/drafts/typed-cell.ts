import { statusNames } from '../contract/index.ts';
import { assertNever } from '../lib/assert-never.ts';
import { codePointLength } from '../lib/inert-text.ts';
import type { CellEdit } from './bulk/bulk-edit.ts';
import type { CellField } from './cell-fields.ts';
import { readTypedAmount } from './typed-amount.ts';
import { readTypedDate } from './typed-date.ts';

export type TypedCell = { kind: 'edit'; edit: CellEdit } | { kind: 'wrong'; message: string };

/** Statuses that a member can set, in the order of choices. The service alone sets Pending. */
export const settableStatuses = [1, 3, 4, 2] as const;

/**
 * Reads what a person typed or pasted into a cell: `+10%`, `1.2k`, `Unlimited`, `+14d`, `Paused`, or a name. `today` is
 * YYYY-MM-DD.
 */
export function readTypedCell(field: CellField, typed: string, today: string): TypedCell {
  switch (field) {
    case 'name':
      return readName(typed);
    case 'status':
      return readStatus(typed);
    case 'payout':
    case 'd_revenue':
    case 't_revenue':
      return readAmount(field, typed);
    case 'create':
    case 'expire':
      return readDate(field, typed, today);
    default:
      return assertNever(field);
  }
}

const maxNameLength = 2_000;

function readName(typed: string): TypedCell {
  const value = typed.trim();
  if (value === '') return wrong('Enter a name.');
  if (codePointLength(value) > maxNameLength) return wrong('Enter a shorter name.');
  return edit({ kind: 'set', field: 'name', value });
}

function readStatus(typed: string): TypedCell {
  const status = statusByPrefix(typed.trim());
  if (status === null) return wrong('Enter Active, Paused, Scheduled or Suspended.');
  return edit({ kind: 'status', status });
}

/** The only status whose name begins with this text. Null for none or several. */
export function statusByPrefix(text: string): (typeof settableStatuses)[number] | null {
  const start = text.toLowerCase();
  const [status, ...more] = settableStatuses.filter((code) =>
    statusNames[code].toLowerCase().startsWith(start),
  );
  return text === '' || more.length > 0 ? null : (status ?? null);
}

function readAmount(field: 'payout' | 'd_revenue' | 't_revenue', typed: string): TypedCell {
  const isUnlimited = field !== 'payout' && /^(?:unlimited|no limit|none)$/iu.test(typed.trim());
  const read = readTypedAmount(isUnlimited ? '0' : typed);
  if (read.kind === 'wrong') return wrong(read.message);
  if (read.kind === 'ask') return wrong(`This can be read in two ways. Enter ${read.readings.join(' or ')}.`);
  const { operation: change } = read;
  // Setting 0 needs no switch: a budget that is off is unlimited.
  const turnsOn = !(change.kind === 'set' && change.value === 0);
  return edit({ kind: 'amount', field, change, floor: null, cap: null, turnsOn });
}

function readDate(field: 'create' | 'expire', typed: string, today: string): TypedCell {
  const isStart = field === 'create';
  const isEmpty = !isStart && /^(?:none|no end)$/iu.test(typed.trim());
  const read = readTypedDate(isEmpty ? '' : typed, today);
  switch (read.kind) {
    case 'wrong':
      return wrong(read.message);
    case 'empty':
      return isStart ? wrong('Enter a start date, for example 2026-12-31.') : edit({ kind: 'noEnd' });
    case 'shift':
      return edit({ kind: isStart ? 'shiftStart' : 'shiftEnd', days: read.days });
    case 'date':
      return edit({ kind: isStart ? 'startOn' : 'endOn', date: read.date });
    default:
      return assertNever(read);
  }
}

function edit(value: CellEdit): TypedCell {
  return { kind: 'edit', edit: value };
}

function wrong(message: string): TypedCell {
  return { kind: 'wrong', message };
}
