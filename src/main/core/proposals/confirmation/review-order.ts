import type { ReviewProgress } from '#shared/host-api/index.ts';

export interface WaitingChange {
  id: string;
  changes: number;
  /** True if nothing warns of the change. */
  isSafe: boolean;
  /** The outdated change that this change repeats; null for any other change. */
  repeats: string | null;
}

type Fate = 'open' | 'postponed' | 'approved' | 'denied';

export interface ReviewEntry extends Omit<WaitingChange, 'repeats'> {
  fate: Fate;
  /** True if the person goes through the members of its group one by one. */
  isSingle?: true;
  /** Numbers the decisions of a review in their order. */
  decision?: number;
}

/** A person's sequence of waiting changes, each with its outcome so far. Never stored. */
export type Review = readonly ReviewEntry[];

/**
 * Adds new changes and removes changes that no longer wait. Decided and shown changes keep their position. A change that
 * repeats an outdated change replaces it and comes next. Of the other changes, those with a warning come first.
 */
export function refreshed(review: Review, waiting: readonly WaitingChange[], shownId: string | null): Review {
  const byId = new Map(waiting.map((change) => [change.id, change]));
  const known = new Set(review.map(({ id }) => id));
  const arrived = waiting.filter(({ id }) => !known.has(id));
  const repeated = new Set(arrived.map(({ repeats }) => repeats));
  const remaining = review.flatMap((entry) => {
    if (isDecided(entry)) return repeated.has(entry.id) ? [] : [entry];
    if (entry.id === shownId) return [entry];
    const { changes } = byId.get(entry.id) ?? {};
    return changes === undefined ? [] : [{ ...entry, changes }];
  });
  if (review.length === 0) return arrived.map(openEntry);
  const at = remaining.findIndex(({ id }) => id === shownId) + 1;
  const later = remaining.slice(at);
  const safeAt = later.findIndex(({ isSafe }) => isSafe);
  const [again, others] = partition(arrived, ({ repeats }) => repeats !== null);
  const [safe, risky] = partition(others, ({ isSafe }) => isSafe);
  return [
    ...remaining.slice(0, at),
    ...again.map(openEntry),
    ...later.toSpliced(safeAt === -1 ? later.length : safeAt, 0, ...risky.map(openEntry)),
    ...safe.map(openEntry),
  ];
}

function partition<T>(all: readonly T[], fits: (one: T) => boolean): [T[], T[]] {
  return [all.filter(fits), all.filter((one) => !fits(one))];
}

const openEntry = ({ id, changes, isSafe }: Omit<ReviewEntry, 'fate'>): ReviewEntry => ({
  id,
  changes,
  isSafe,
  fate: 'open',
});

export function withFate(
  review: Review,
  { id, fate, changes }: Partial<WaitingChange> & { fate: Fate },
): Review {
  const decision = review.filter(isDecided).length;
  return review.map((entry) =>
    entry.id === id ? { ...entry, fate, decision, changes: changes ?? entry.changes } : entry,
  );
}

export function replacedBy(review: Review, id: string, successorId: string): Review {
  return review
    .filter((entry) => entry.id !== successorId)
    .map((entry) => (entry.id === id ? { ...entry, id: successorId } : entry));
}

export function joined(
  review: Review,
  at: string,
  batch: { id: string; members: readonly string[] },
): Review {
  const { id, members } = batch;
  return review.flatMap((entry) => {
    if (entry.id === at) return [openEntry({ ...entry, id, changes: members.length })];
    return members.includes(entry.id) ? [] : [entry];
  });
}

export function parted(review: Review, batchId: string, members: readonly string[]): Review {
  return review.flatMap((entry) =>
    entry.id === batchId
      ? members.map((id) => ({ ...openEntry({ ...entry, id, changes: 1 }), isSingle: true as const }))
      : [entry],
  );
}

export function withNext(review: Review, shownId: string | null, nextId: string): Review {
  const others = review.filter(({ id }) => id !== nextId);
  const at = others.findIndex(({ id }) => id === shownId);
  return others.toSpliced(at + 1, 0, openEntry({ id: nextId, changes: 1, isSafe: false }));
}

export function begunAgain(review: Review): Review {
  return review.map((entry) => (entry.fate === 'postponed' ? { ...entry, fate: 'open' } : entry));
}

export function following(review: Review, shownId: string | null): string | null {
  const after = review.slice(review.findIndex(({ id }) => id === shownId) + 1);
  return after.find(({ fate }) => fate === 'open')?.id ?? null;
}

export function preceding(review: Review, shownId: string | null): string | null {
  const at = review.findIndex(({ id }) => id === shownId);
  return review.slice(0, Math.max(0, at)).findLast((entry) => !isDecided(entry))?.id ?? null;
}

export function placeIn(
  review: Review,
  shownId: string | null,
): Omit<ReviewProgress, 'identical' | 'canPart' | 'decided'> {
  const at = review.findIndex(({ id }) => id === shownId);
  const before = sum(review.slice(0, Math.max(0, at)));
  const of = (fate: Fate): number => sum(review.filter((entry) => entry.fate === fate));
  return {
    from: before + 1,
    to: before + Math.max(1, review[at]?.changes ?? 1),
    total: sum(review),
    approved: of('approved'),
    denied: of('denied'),
    postponed: of('postponed'),
    waiting: of('open'),
    withoutWarning: sum(review.filter(({ fate, isSafe }) => fate === 'open' && isSafe)),
    hasPrevious: preceding(review, shownId) !== null,
    hasNext: following(review, shownId) !== null,
  };
}

export function isDecided({ fate }: { fate: Fate }): boolean {
  return fate === 'approved' || fate === 'denied';
}

function sum(entries: Review): number {
  return entries.reduce((total, { changes }) => total + changes, 0);
}
