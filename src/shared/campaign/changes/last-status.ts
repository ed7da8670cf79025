export interface Author {
  kind: 'person' | 'agent' | 'schedule';
  name: string;
}

export interface LastStatusChange {
  /** Null if a write may have changed the status and no read has confirmed the result. */
  after: number | null;
  atMs: number;
  by: Author;
}

export type StatusOrigin<Change extends LastStatusChange = LastStatusChange> =
  { kind: 'app'; change: Change } | { kind: 'elsewhere' } | { kind: 'unknown' };

/** `app` only if this app's last change led to the current status and no later write may have changed it. */
export function statusOriginOf<Change extends LastStatusChange>(
  change: Change | null,
  { statusNow, hasUnknownSince }: { statusNow: number; hasUnknownSince: boolean },
): StatusOrigin<Change> {
  if (hasUnknownSince) return { kind: 'unknown' };
  if (change === null) return { kind: 'elsewhere' };
  if (change.after === null) return { kind: 'unknown' };
  return change.after === statusNow ? { kind: 'app', change } : { kind: 'elsewhere' };
}

/** The status of a removed campaign: the service's own pages call suspending "remove" (contract §3). */
export const suspended = 2;

const paused = 3;

export function isStopped(status: unknown): status is typeof suspended | typeof paused {
  return status === suspended || status === paused;
}

export interface StatusGroup {
  status: number;
  /** Null for a status that stops nothing, because its origin does not matter. */
  origin: { kind: 'app'; by: Author; lastAtMs: number } | { kind: 'elsewhere' } | { kind: 'unknown' } | null;
  cids: number[];
}

export interface OriginOfStatus {
  cid: number;
  status: number;
  origin: StatusOrigin | null;
}

/**
 * Groups campaigns by status and origin. Stopped campaigns come first, Paused before Suspended, and this app's changes
 * before others'.
 */
export function groupStatuses(campaigns: readonly OriginOfStatus[]): StatusGroup[] {
  const groups = new Map<string, StatusGroup>();
  for (const { cid, status, origin } of campaigns) {
    const by = origin?.kind === 'app' ? origin.change.by : null;
    const key = JSON.stringify([status, origin?.kind ?? null, by?.kind ?? null, by?.name ?? null]);
    const group = groups.get(key) ?? { status, origin: originOfGroup(origin), cids: [] };
    group.cids.push(cid);
    if (group.origin?.kind === 'app' && origin?.kind === 'app') {
      group.origin.lastAtMs = Math.max(group.origin.lastAtMs, origin.change.atMs);
    }
    groups.set(key, group);
  }
  return [...groups.values()].toSorted(
    (one, other) => rankOf(one) - rankOf(other) || other.cids.length - one.cids.length,
  );
}

export function isPausedByApp({ status, origin }: Pick<StatusGroup, 'status' | 'origin'>): boolean {
  return status === paused && origin?.kind === 'app';
}

function originOfGroup(origin: StatusOrigin | null): StatusGroup['origin'] {
  if (origin?.kind !== 'app') return origin;
  return { kind: 'app', by: origin.change.by, lastAtMs: origin.change.atMs };
}

function rankOf({ status, origin }: StatusGroup): number {
  const kinds = ['app', 'elsewhere', 'unknown'];
  const byKind = origin === null ? kinds.length : kinds.indexOf(origin.kind);
  return (status === paused ? 0 : status === suspended ? 10 : 20 + status) + byKind;
}
