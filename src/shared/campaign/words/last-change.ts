import { dateText } from '../../lib/date-text.ts';
import { quoted } from '../../lib/inert-text.ts';
import { isStatusCode, type StatusCode } from '../../contract/index.ts';
import { fieldLabel } from '../fields/fields.ts';
import type { FieldEffect } from '../types.ts';
import type { FactView } from './facts-in-words.ts';

/** An earlier write to one campaign. */
export interface LastChange {
  /** As far as they were read back; empty if they are not known. */
  effects: readonly FieldEffect[];
  /** The write in one sentence, for effects that are not known. Foreign names in it are quoted. */
  title: string;
  /** The proposer; the name is foreign text. */
  by: { kind: 'person' | 'agent' | 'schedule'; name: string };
  /** The day on which it was sent, YYYY-MM-DD. */
  date: string;
  /** The reason not to take the write for stored in this campaign; null if there is none. */
  doubt: 'unknown' | 'differs' | null;
}

/** The last change as a fact: `Bid raised by you on 20 Nov`, `Paused by “Claude Code” on 3 Jan 2025`; null means none through this app. */
export function lastChangeInWords(
  change: LastChange | null,
  { currentYear }: { currentYear: number },
): FactView {
  const row = { fact: 'lastChange', label: 'Last change' } as const;
  if (change === null) return { ...row, value: 'None through this app' };
  const { by, date, doubt } = change;
  const author =
    by.kind === 'person' ? 'you' : by.kind === 'agent' ? quoted(by.name) : `schedule ${quoted(by.name)}`;
  const day = dateText(date, currentYear);
  return {
    ...row,
    value: `${actionOf(change)} by ${author} on ${day}${doubt === null ? '' : doubts[doubt]}`,
  };
}

const doubts = { unknown: ', outcome unknown', differs: ', other values stored' } as const;

const pastStatusVerbs: Readonly<Record<StatusCode, string>> = {
  0: 'Set to pending',
  1: 'Activated',
  2: 'Suspended',
  3: 'Paused',
  4: 'Scheduled',
};

/** A new status is named first: it decides whether the campaign spends. */
function actionOf({ effects, title }: LastChange): string {
  const [first, ...others] = effects.toSorted(
    (one, other) => Number(isStatus(other)) - Number(isStatus(one)),
  );
  if (first === undefined) return title;
  const isOnly = others.length === 0;
  const more = others.length === 1 ? 'one more field' : `${others.length} more fields`;
  const status = first.after;
  if (isStatus(first) && isStatusCode(status))
    return isOnly ? pastStatusVerbs[status] : `${pastStatusVerbs[status]}, and ${more} changed,`;
  return isOnly
    ? `${fieldLabel(first.field)} ${verbOf(first)}`
    : `${fieldLabel(first.field)} and ${more} changed`;
}

function isStatus({ field }: FieldEffect): boolean {
  return field === 'status';
}

function verbOf({ measure }: FieldEffect): string {
  if (measure.kind !== 'money' && measure.kind !== 'count') return 'changed';
  if (measure.ratio === null) return 'changed';
  return measure.ratio.isRaise ? 'raised' : 'lowered';
}
