import type { ReviewProgress } from '#shared/host-api/index.ts';

/** A change that waits, with the number of changes in it: more than one for a batch. */
export interface WaitingChange {
  id: string;
  changes: number;
}

export type Fate = 'open' | 'putAway' | 'approved' | 'denied';

/** A person's way through the changes that wait: each with its place and what was done with it. Never stored. */
export type Review = readonly (WaitingChange & { fate: Fate })[];

/** The count of a showing's own place, and what lies beside it. */
export type ReviewPlace = Omit<ReviewProgress, 'identical'>;

/**
 * The review with what waits now, in that order: the changes that were decided or are on screen keep their place, others that wait no
 * longer leave it, and what arrived meanwhile follows at the end.
 */
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

/** The review in which a batch has the place of the shown change and of every other member. */
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

/** Everything that was put away is open once more: the person goes through what is left. */
export function begunAgain(review: Review): Review {
  return review.map((entry) => (entry.fate === 'putAway' ? { ...entry, fate: 'open' } : entry));
}

/** The change to show next; of the whole review where none is shown. Null at the end. */
export function following(review: Review, shownId: string | null): string | null {
  const after = review.slice(review.findIndex(({ id }) => id === shownId) + 1);
  return after.find(({ fate }) => fate === 'open')?.id ?? null;
}

/** The last undecided change before this one, put away or not. Null at the beginning. */
export function preceding(review: Review, shownId: string | null): string | null {
  const before = review.slice(
    0,
    Math.max(
      0,
      review.findIndex(({ id }) => id === shownId),
    ),
  );
  return before.findLast((entry) => !isDecided(entry))?.id ?? null;
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
