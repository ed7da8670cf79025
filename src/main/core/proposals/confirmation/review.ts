import type { Clock } from '#core/platform/clock.ts';
import { isSameSecret } from '#core/platform/credentials.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { AppStore, ListedProposal } from '#core/store/app/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { ReviewProgress, Seen, Showing, Turn, Turned } from '#shared/host-api/index.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { groupsOf } from '../operations/batch/groups.ts';
import { memberIds, loadProposal } from '../operations/stored-proposals.ts';
import { assertArmed, type LivingShowing, type Showings } from './showings.ts';

interface WaitingChange {
  id: string;
  changes: number;
}

type Fate = 'open' | 'putAway' | 'approved' | 'denied';

/** A person's sequence of waiting changes, each with its outcome so far. Never stored. */
export type Review = readonly (WaitingChange & { fate: Fate })[];

/** Appends new changes and removes those that no longer wait. Decided and shown changes keep their position. */
function refreshed(review: Review, waiting: readonly WaitingChange[], shownId: string | null): Review {
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

function withFate(review: Review, { id, fate, changes }: Partial<WaitingChange> & { fate: Fate }): Review {
  return review.map((entry) =>
    entry.id === id ? { ...entry, fate, changes: changes ?? entry.changes } : entry,
  );
}

function replacedBy(review: Review, id: string, successorId: string): Review {
  return review
    .filter((entry) => entry.id !== successorId)
    .map((entry) => (entry.id === id ? { ...entry, id: successorId } : entry));
}

function joined(
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

function withNext(review: Review, shownId: string | null, nextId: string): Review {
  const others = review.filter(({ id }) => id !== nextId);
  const at = others.findIndex(({ id }) => id === shownId);
  return others.toSpliced(at + 1, 0, { id: nextId, changes: 1, fate: 'open' });
}

function begunAgain(review: Review): Review {
  return review.map((entry) => (entry.fate === 'putAway' ? { ...entry, fate: 'open' } : entry));
}

function following(review: Review, shownId: string | null): string | null {
  const after = review.slice(review.findIndex(({ id }) => id === shownId) + 1);
  return after.find(({ fate }) => fate === 'open')?.id ?? null;
}

function preceding(review: Review, shownId: string | null): string | null {
  const at = review.findIndex(({ id }) => id === shownId);
  return review.slice(0, Math.max(0, at)).findLast((entry) => !isDecided(entry))?.id ?? null;
}

function placeIn(review: Review, shownId: string | null): Omit<ReviewProgress, 'identical'> {
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

type ShowInReview = (id: string, review: Review) => Showing;

export interface ReviewedDecision {
  fate: 'approved' | 'denied';
  changes?: number;
}

interface ReviewSessionsOptions {
  store: AppStore;
  showings: Showings;
  clock: Clock;
  logger: Logger;
  proposeTogether(ids: readonly string[]): Promise<ProposalView>;
  waitingByRisk(): readonly ListedProposal[];
  formats(): Formats;
}

interface ReviewPlace {
  nonce: string;
  scopeOf: string;
  /** Null at the end of the review. */
  shownId: string | null;
  review: Review;
}

const maxPlaces = 16;

/** The reviews of open showings, in memory. A review covers one account, so that Demo and Live never mix. It decides nothing. */
export function createReviewSessions(options: ReviewSessionsOptions) {
  const { store, showings, clock, logger, proposeTogether, waitingByRisk, formats } = options;
  const reviews = new WeakMap<LivingShowing, Review>();
  const places = new Map<string, ReviewPlace>();

  function waitingBeside(id: string): ListedProposal[] {
    const shown = store.proposals.findListed(id);
    const isSame = ({ profile }: ListedProposal): boolean =>
      profile.id === shown?.profile.id && profile.account === shown.profile.account;
    const open = waitingByRisk().filter((one) => isUndecided(one.state) && isSame(one));
    const isListed = shown === null || !isUndecided(shown.state) || open.some((one) => one.id === id);
    return isListed ? open : [shown, ...open];
  }

  function changeOf({ id, operation }: ListedProposal): WaitingChange {
    if (operation !== 'batch') return { id, changes: 1 };
    const members = memberIds(loadProposal(store, id)).flatMap(
      (one) => store.proposals.findListed(one) ?? [],
    );
    return { id, changes: members.filter(({ state }) => isUndecided(state)).length };
  }

  function reviewNow(review: Review, scopeOf: string, shownId: string | null): Review {
    return refreshed(review, waitingBeside(scopeOf).map(changeOf), shownId);
  }

  function remember(showingId: string, place: ReviewPlace): void {
    places.set(showingId, place);
    const [oldest] = places.keys();
    if (places.size > maxPlaces && oldest !== undefined) places.delete(oldest);
  }

  function placeOf(seen: Seen): ReviewPlace & { living: LivingShowing | null } {
    const settled = places.get(seen.showingId);
    if (settled !== undefined && isSameSecret(settled.nonce, seen.nonce)) return { ...settled, living: null };
    const living = showings.require(seen);
    if (!isUndecided(loadProposal(store, living.proposalId).state))
      throw new AppError('proposal_not_waiting');
    assertArmed(living, clock.monotonicMs());
    const { nonce, proposalId: shownId } = living;
    return { nonce, scopeOf: shownId, shownId, review: reviews.get(living) ?? [], living };
  }

  function leave({ showingId }: Seen, living: LivingShowing | null): void {
    places.delete(showingId);
    if (living !== null) showings.drop(living);
  }

  async function turnTogether(seen: Seen, show: ShowInReview): Promise<Turned> {
    const { living, shownId } = placeOf(seen);
    if (living === null || shownId === null) throw new AppError('proposal_not_waiting');
    const batch = await proposeTogether(identicalTo(waitingBeside(shownId), shownId, formats()));
    const { review } = placeOf(seen);
    const members = batch.detail.kind === 'batch' ? batch.detail.members.map(({ id }) => id) : [];
    const showing = show(
      batch.id,
      joined(review, shownId, { id: batch.id, changes: members.length, members }),
    );
    leave(seen, living);
    return { showing, review: showing.review ?? alone };
  }

  function turnTo(to: Exclude<Turn['to'], 'together'>, seen: Seen, show: ShowInReview): Turned {
    const { living, scopeOf, shownId, review: before, nonce } = placeOf(seen);
    const marked =
      to === 'later' && shownId !== null ? withFate(before, { id: shownId, fate: 'putAway' }) : before;
    let review = reviewNow(marked, scopeOf, shownId);
    if (shownId === null) review = begunAgain(review);
    for (;;) {
      const id = to === 'previous' ? preceding(review, shownId) : following(review, shownId);
      if (id === null) break;
      const showing = shownIfPossible(id, withFate(review, { id, fate: 'open' }), show);
      if (showing !== null) {
        leave(seen, living);
        return { showing, review: showing.review ?? alone };
      }
      review = review.filter((entry) => entry.id !== id);
    }
    if (to === 'previous') throw new AppError('proposal_not_waiting');
    leave(seen, living);
    const ended = reviewNow(review, scopeOf, null);
    remember(seen.showingId, { nonce, scopeOf, shownId: null, review: ended });
    return { showing: null, review: { ...placeIn(ended, null), identical: 0 } };
  }

  function shownIfPossible(id: string, review: Review, show: ShowInReview): Showing | null {
    try {
      return show(id, review);
    } catch (failure) {
      if (!(failure instanceof AppError)) throw failure;
      logger.warn({ failure, proposal: id }, 'A change could not be shown in a review');
      return null;
    }
  }

  return {
    carry: (showing: LivingShowing, review: Review): void => void reviews.set(showing, review),
    reviewWith: (showing: LivingShowing, successorId: string): Review =>
      replacedBy(reviews.get(showing) ?? [], showing.proposalId, successorId),
    /** The showing's position in its review, which begins with the first call. Undefined if no other change waits. */
    progress(showing: LivingShowing): ReviewProgress | undefined {
      const { proposalId: id } = showing;
      const waiting = waitingBeside(id);
      const review = refreshed(reviews.get(showing) ?? [], waiting.map(changeOf), id);
      reviews.set(showing, review);
      if (review.length < 2) return undefined;
      return { ...placeIn(review, id), identical: identicalTo(waiting, id, formats()).length };
    },
    /** Counts a decision and remembers its showing, so that the review can continue from the outcome. */
    decided(showing: LivingShowing, decision: ReviewedDecision): ReviewProgress | undefined {
      const { showingId, nonce, proposalId: id } = showing;
      const review = reviewNow(withFate(reviews.get(showing) ?? [], { id, ...decision }), id, id);
      if (review.length < 2) return undefined;
      remember(showingId, { nonce, scopeOf: id, shownId: id, review });
      return { ...placeIn(review, id), identical: 0 };
    },
    /** The review to continue after this outcome, with the next proposal as its current change. Undefined without a review. */
    reviewAfter(seen: Seen, nextId: string): Review | undefined {
      const place = places.get(seen.showingId);
      if (place === undefined || !isSameSecret(place.nonce, seen.nonce)) return undefined;
      places.delete(seen.showingId);
      return withNext(place.review, place.shownId, nextId);
    },
    async turn({ to, ...seen }: Turn, show: ShowInReview): Promise<Turned> {
      return to === 'together' ? turnTogether(seen, show) : turnTo(to, seen, show);
    },
  };
}

const alone: ReviewProgress = { ...placeIn([], null), identical: 0 };

/** The waiting changes that one operand explains together with this change; empty if this change must be decided alone. */
function identicalTo(waiting: readonly ListedProposal[], id: string, formats: Formats): string[] {
  const groups = groupsOf(waiting, formats);
  const key = groups.get(id)?.groupKey ?? null;
  if (key === null) return [];
  const members = waiting.filter((one) => one.operation !== 'batch' && groups.get(one.id)?.groupKey === key);
  return members.length < 2 || members.every((one) => one.id !== id) ? [] : members.map((one) => one.id);
}
