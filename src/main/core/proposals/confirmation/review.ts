import type { ReviewProgress } from '#shared/host-api/index.ts';

export interface WaitingChange {
  id: string;
  changes: number;
}

export type Fate = 'open' | 'putAway' | 'approved' | 'denied';

/** A person's path through the waiting changes, each with its place and fate. Never stored. */
export type Review = readonly (WaitingChange & { fate: Fate })[];

export type ReviewPlace = Omit<ReviewProgress, 'identical'>;

/** Adds arrived changes at the end and removes those that no longer wait. Decided and shown changes keep their place. */
export function refreshed(review: Review, waiting: readonly WaitingChange[], shownId: string | null): Review {
  const byId = new Map(waiting.map((change) => [change.id, change]));
  const remaining = review.flatMap((entry) => {
    if (isDecided(entry) || entry.id === shownId) return [entry];
    const { changes } = byId.get(entry.id) ?? {};
    return changes === undefined ? [] : [{ ...entry, changes }];
  });
  const known = new Set(review.map(({ id }) => id));
  const arrived = waiting.filter(({ id }) => !known.has(id));
  return [...remaining, ...arrived.map(({ id, changes }) => ({ id, changes, fate: 'open' as const }))];
}

export function withFate(
  review: Review,
  { id, fate, changes }: Partial<WaitingChange> & { fate: Fate },
): Review {
  return review.map((entry) =>
    entry.id === id ? { ...entry, fate, changes: changes ?? entry.changes } : entry,
  );
}

export function replacedBy(review: Review, id: string, successorId: string): Review {
  return review
    .filter((entry) => entry.id !== successorId)
    .map((entry) => (entry.id === id ? { ...entry, id: successorId } : entry));
}

/** Puts a batch in the place of the shown change, and removes its other members. */
export function joined(
  review: Review,
  shownId: string,
  batch: WaitingChange & { members: readonly string[] },
): Review {
  const { id, changes, members } = batch;
  return review.flatMap((entry) => {
    if (entry.id === shownId) return [{ id, changes, fate: 'open' as const }];
    return members.includes(entry.id) ? [] : [entry];
  });
}

export function withNext(review: Review, shownId: string | null, nextId: string): Review {
  const others = review.filter(({ id }) => id !== nextId);
  const at = others.findIndex(({ id }) => id === shownId);
  return others.toSpliced(at + 1, 0, { id: nextId, changes: 1, fate: 'open' });
}

/** Opens what was put away once more. */
export function begunAgain(review: Review): Review {
  return review.map((entry) => (entry.fate === 'putAway' ? { ...entry, fate: 'open' } : entry));
}

/** The next open change, from the beginning if none is shown; null at the end. */
export function following(review: Review, shownId: string | null): string | null {
  const after = review.slice(review.findIndex(({ id }) => id === shownId) + 1);
  return after.find(({ fate }) => fate === 'open')?.id ?? null;
}

/** The last undecided change before this one; null at the beginning. */
export function preceding(review: Review, shownId: string | null): string | null {
  const at = review.findIndex(({ id }) => id === shownId);
  return review.slice(0, Math.max(0, at)).findLast((entry) => !isDecided(entry))?.id ?? null;
}

export function placeIn(review: Review, shownId: string | null): ReviewPlace {
  const at = review.findIndex(({ id }) => id === shownId);
  const before = sum(review.slice(0, Math.max(0, at)));
  const of = (fate: Fate): number => sum(review.filter((entry) => entry.fate === fate));
  return {
    from: before + 1,
    to: before + Math.max(1, review[at]?.changes ?? 1),
    total: sum(review),
    approved: of('approved'),
    denied: of('denied'),
    putAway: of('putAway'),
    waiting: of('open'),
    hasPrevious: preceding(review, shownId) !== null,
    hasNext: following(review, shownId) !== null,
  };
}

function isDecided({ fate }: { fate: Fate }): boolean {
  return fate === 'approved' || fate === 'denied';
}

function sum(entries: Review): number {
  return entries.reduce((total, { changes }) => total + changes, 0);
}
