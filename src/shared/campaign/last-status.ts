import { statusNames } from '../contract/index.ts';
import { fullDateText } from '../lib/date-text.ts';
import { quoted } from '../lib/inert-text.ts';
import { serviceDay } from './calendar.ts';
import { amountOf } from './words/value-in-words.ts';

/** The proposer of a change. The name of an agent or a schedule is foreign text. */
export interface Author {
  kind: 'person' | 'agent' | 'schedule';
  name: string;
}

/** The last change of a campaign's status through this app. */
export interface LastStatusChange {
  /** Null if a write may have changed the status and no read told what it became. */
  after: number | null;
  atMs: number;
  by: Author;
}

/** How a campaign got the status that it has, as far as this app can tell. */
export type StatusOrigin<Change extends LastStatusChange = LastStatusChange> =
  { kind: 'app'; change: Change } | { kind: 'elsewhere' } | { kind: 'unknown' };

/**
 * Claims a status for the last change through this app only if that change led to the status now, and no later write may have touched
 * it. `change` is null if the app never changed the campaign's status.
 */
export function statusOriginOf<Change extends LastStatusChange>(
  change: Change | null,
  { statusNow, hasUnknownSince }: { statusNow: number; hasUnknownSince: boolean },
): StatusOrigin<Change> {
  if (hasUnknownSince) return { kind: 'unknown' };
  if (change === null) return { kind: 'elsewhere' };
  if (change.after === null) return { kind: 'unknown' };
  return change.after === statusNow ? { kind: 'app', change } : { kind: 'elsewhere' };
}

/** How a Suspended campaign was suspended, as it was known when its activation was proposed. */
export interface Suspension {
  cid: number;
  /** Null where it was not suspended through this app. */
  by: Author | null;
  /** When it was sent; null without `by`. */
  atMs: number | null;
}

/** The status of a campaign that someone removed: the service's own pages call suspending "remove" (contract §3). */
export const suspended = 2;

/** Sentences on how a single Suspended campaign was suspended; `known` is absent where the app cannot tell. */
export function suspensionInWords(known: Suspension | undefined, zone: string): string {
  if (known === undefined) return `The campaign is ${statusNames[suspended]}: someone removed it.`;
  if (known.by === null) {
    return `The campaign is ${statusNames[suspended]}. It was not suspended through this app.`;
  }
  return `${asSubject(known.by)} suspended it${onDay(known.atMs, zone)}.`;
}

/** The same for several: `3 campaigns are Suspended: 2 by you, 1 not through this app.` */
export function suspensionsInWords(count: number, known: readonly Suspension[]): string {
  const campaigns = amountOf(count, { one: 'campaign is', many: 'campaigns are' });
  const them = count === 1 ? 'it' : 'them';
  if (known.length === 0) return `${campaigns} ${statusNames[suspended]}: someone removed ${them}.`;
  const counts = new Map<string, number>();
  const add = (by: string, more: number): void => void counts.set(by, (counts.get(by) ?? 0) + more);
  for (const { by } of known) add(by === null ? 'not through this app' : `by ${asAgent(by)}`, 1);
  if (count > known.length) add('by someone unknown', count - known.length);
  const parts = [...counts].map(([by, number]) => `${number} ${by}`);
  return `${campaigns} ${statusNames[suspended]}: ${parts.join(', ')}.`;
}

function asSubject(author: Author): string {
  const text = asAgent(author);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function asAgent({ kind, name }: Author): string {
  return kind === 'person' ? 'you' : `${kind} ${quoted(name)}`;
}

function onDay(atMs: number | null, zone: string): string {
  return atMs === null ? '' : ` on ${fullDateText(serviceDay(atMs, zone).date)}`;
}
