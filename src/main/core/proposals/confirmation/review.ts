import type { Clock } from '#core/platform/clock.ts';
import { isSameSecret } from '#core/platform/credentials.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { AppStore, ListedProposal, StoredProposal } from '#core/store/app/index.ts';
import type { ProposalView, UndoView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type {
  DecidedChange,
  LedgerSeal,
  ReviewProgress,
  Seen,
  Display,
  Step,
  Stepped,
} from '#shared/host-api/index.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { isOpen, isUndecided } from '#shared/proposals/states.ts';
import { groupsOf } from '../operations/batch/groups.ts';
import { outcomeView } from '../operations/outcome.ts';
import { listedMembersOf, loadProposal, readBatch } from '../operations/stored-proposals.ts';
import {
  begunAgain,
  following,
  isDecided,
  joined,
  parted,
  placeIn,
  preceding,
  refreshed,
  replacedBy,
  type Review,
  type ReviewEntry,
  type WaitingChange,
  withFate,
  withNext,
} from './review-order.ts';
import { assertArmed, type OpenDisplay, type Displays } from './displays.ts';

type ShowInReview = (id: string, review: Review) => Display;

export interface ReviewedDecision {
  fate: 'approved' | 'denied';
  changes?: number;
}

interface ReviewSessionsOptions {
  store: AppStore;
  displays: Displays;
  clock: Clock;
  logger: Logger;
  proposeTogether(ids: readonly string[]): Promise<ProposalView>;
  waitingByRisk(): readonly ListedProposal[];
  withdraw(id: string): void;
  undo(id: string): Promise<StoredProposal>;
  undoOf(proposal: StoredProposal): UndoView | null;
  formats(): Formats;
}

type Ended = Pick<StoredProposal, 'state' | 'outcome'>;

interface ReviewPlace {
  nonce: string;
  scopeOf: string;
  shownId: string | null;
  review: Review;
}

const maxPlaces = 16;

const latestDecisions = 3;

/**
 * Tracks the reviews of open displays in memory and decides nothing. A review covers one account, so that Demo and Live never
 * mix.
 */
export function createReviewSessions(options: ReviewSessionsOptions) {
  const { store, displays, clock, logger, proposeTogether, waitingByRisk } = options;
  const { withdraw, undo, undoOf, formats } = options;
  const reviews = new WeakMap<OpenDisplay, Review>();
  const places = new Map<string, ReviewPlace>();
  /** Results of deliveries by proposal id, kept here because the disk refused to store them. */
  const ends = new Map<string, Ended>();

  function waitingBeside(id: string): ListedProposal[] {
    const shown = store.proposals.findListed(id);
    const isSame = ({ profile }: ListedProposal): boolean =>
      profile.id === shown?.profile.id && profile.account === shown.profile.account;
    const open = waitingByRisk().filter((one) => isUndecided(one.state) && isSame(one));
    const isListed = shown === null || !isUndecided(shown.state) || open.some((one) => one.id === id);
    return isListed ? open : [shown, ...open];
  }

  function changeOf({ id, operation, rebase, headline }: ListedProposal): WaitingChange {
    const change = { id, isSafe: headline.worstWarning === null, repeats: rebase?.of ?? null };
    return { ...change, changes: operation === 'batch' ? waitingMembersOf(id).length : 1 };
  }

  function waitingMembersOf(id: string): ListedProposal[] {
    return listedMembersOf(store, loadProposal(store, id)).filter(({ state }) => isUndecided(state));
  }

  function decidedIn(review: Review, limit: number): DecidedChange[] {
    return review
      .filter(isDecided)
      .toSorted((one, other) => (other.decision ?? 0) - (one.decision ?? 0))
      .slice(0, limit)
      .map(({ id }) => decidedView(loadProposal(store, id)));
  }

  function decidedView(stored: StoredProposal): DecidedChange {
    const { id, operation, headline, replacedBy } = stored;
    const { state, outcome } = isOpen(stored.state) ? (ends.get(id) ?? stored) : stored;
    const undone = undoOf(stored);
    return {
      id,
      operation,
      state,
      title: headline.title,
      outcome: outcomeView(outcome),
      replacedBy,
      canUndo: undone?.canUndo === true && undone.undoneBy === null,
      members: listedMembersOf(store, stored).map((member) => ({ state: member.state })),
    };
  }

  function progressAtEnd(review: Review): ReviewProgress {
    const decided = decidedIn(review, review.length);
    return { ...placeIn(review, null), ...noGroup, decided, ...sealOf(store) };
  }

  function reviewNow(review: Review, scopeOf: string, shownId: string | null): Review {
    return refreshed(review, waitingBeside(scopeOf).map(changeOf), shownId);
  }

  function remember(displayId: string, place: ReviewPlace): void {
    places.set(displayId, place);
    const [oldest] = places.keys();
    if (places.size > maxPlaces && oldest !== undefined) places.delete(oldest);
  }

  function placeOf(seen: Seen): ReviewPlace & { living: OpenDisplay | null } {
    const settled = places.get(seen.displayId);
    if (settled !== undefined && isSameSecret(settled.nonce, seen.nonce)) return { ...settled, living: null };
    const living = displays.require(seen);
    if (!isUndecided(loadProposal(store, living.proposalId).state))
      throw new AppError('proposal_not_waiting');
    assertArmed(living, clock.monotonicMs());
    const { nonce, proposalId: shownId } = living;
    return { nonce, scopeOf: shownId, shownId, review: reviews.get(living) ?? [], living };
  }

  function leave({ displayId }: Seen, living: OpenDisplay | null): void {
    places.delete(displayId);
    if (living !== null) displays.drop(living);
  }

  async function showTogether(seen: Seen, show: ShowInReview): Promise<Stepped> {
    const { living, shownId } = placeOf(seen);
    if (living === null || shownId === null) throw new AppError('proposal_not_waiting');
    const batch = await proposeTogether(identicalTo(waitingBeside(shownId), shownId, formats()));
    const { review } = placeOf(seen);
    const members = batch.detail.kind === 'batch' ? batch.detail.members.map(({ id }) => id) : [];
    const display = show(batch.id, joined(review, shownId, { id: batch.id, members }));
    leave(seen, living);
    return { display, review: display.review ?? alone };
  }

  function showSingly(seen: Seen, show: ShowInReview): Stepped {
    const { living, shownId, review } = placeOf(seen);
    const members = shownId === null ? [] : waitingMembersOf(shownId).map(({ id }) => id);
    const [first] = members;
    if (living === null || shownId === null || first === undefined || !canPart(shownId))
      throw new AppError('proposal_not_waiting');
    withdraw(shownId);
    const display = show(first, parted(review, shownId, members));
    leave(seen, living);
    return { display, review: display.review ?? alone };
  }

  /** A batch that the app made as one change, such as an undo, must not be split. */
  function canPart(id: string): boolean {
    const shown = loadProposal(store, id);
    return shown.operation === 'batch' && shown.undoes === null && readBatch(shown).asOne === undefined;
  }

  async function groupAt(id: string, review: Review): Promise<{ id: string; members: string[] } | null> {
    const open = new Set(
      review.filter(({ fate, isSingle }) => fate === 'open' && isSingle !== true).map((entry) => entry.id),
    );
    const members = identicalTo(waitingBeside(id), id, formats()).filter((one) => open.has(one));
    if (members.length < 2 || !members.includes(id)) return null;
    try {
      const batch = await proposeTogether(members);
      return { id: batch.id, members };
    } catch (failure) {
      if (!(failure instanceof AppError)) throw failure;
      logger.warn({ failure, proposal: id }, 'Identical changes could not be joined in a review');
      return null;
    }
  }

  async function stepToUndo(seen: Seen, proposalId: string, show: ShowInReview): Promise<Stepped> {
    const isOfReview = ({ id, fate }: ReviewEntry): boolean => id === proposalId && fate === 'approved';
    if (!placeOf(seen).review.some(isOfReview)) throw new AppError('undo_impossible');
    const { id } = await undo(proposalId);
    const { living, shownId, review } = placeOf(seen);
    const display = show(id, withNext(review, shownId, id));
    leave(seen, living);
    return { display, review: display.review ?? alone };
  }

  async function stepTo(to: 'next' | 'previous' | 'later', seen: Seen, show: ShowInReview): Promise<Stepped> {
    const { living, scopeOf, shownId, review: before, nonce } = placeOf(seen);
    const marked =
      to === 'later' && shownId !== null ? withFate(before, { id: shownId, fate: 'postponed' }) : before;
    let review = reviewNow(marked, scopeOf, shownId);
    if (shownId === null) review = begunAgain(review);
    for (;;) {
      const id = to === 'previous' ? preceding(review, shownId) : following(review, shownId);
      if (id === null) break;
      const group = await groupAt(id, review);
      // The display may have ended while the group was made.
      if (group !== null) placeOf(seen);
      const reached = group === null ? withFate(review, { id, fate: 'open' }) : joined(review, id, group);
      const display = shownIfPossible(group?.id ?? id, reached, show);
      if (display !== null) {
        leave(seen, living);
        return { display, review: display.review ?? alone };
      }
      review = review.filter((entry) => entry.id !== id);
    }
    if (to === 'previous') throw new AppError('proposal_not_waiting');
    leave(seen, living);
    const ended = reviewNow(review, scopeOf, null);
    remember(seen.displayId, { nonce, scopeOf, shownId: null, review: ended });
    return { display: null, review: progressAtEnd(ended) };
  }

  function shownIfPossible(id: string, review: Review, show: ShowInReview): Display | null {
    try {
      return show(id, review);
    } catch (failure) {
      if (!(failure instanceof AppError)) throw failure;
      logger.warn({ failure, proposal: id }, 'A change could not be shown in a review');
      return null;
    }
  }

  return {
    carry: (display: OpenDisplay, review: Review): void => void reviews.set(display, review),
    reviewWith: (display: OpenDisplay, successorId: string): Review =>
      replacedBy(reviews.get(display) ?? [], display.proposalId, successorId),
    progress(display: OpenDisplay): ReviewProgress | undefined {
      const { proposalId: id } = display;
      const waiting = waitingBeside(id);
      const review = refreshed(reviews.get(display) ?? [], waiting.map(changeOf), id);
      reviews.set(display, review);
      if (review.length < 2) return undefined;
      const group = { identical: identicalTo(waiting, id, formats()).length, canPart: canPart(id) };
      return { ...placeIn(review, id), ...group, decided: decidedIn(review, latestDecisions) };
    },
    /** The progress of a review that has ended at a summary. Fails with `display_unknown`. */
    progressAtEnd(seen: Seen): ReviewProgress {
      const place = places.get(seen.displayId);
      if (place === undefined || place.shownId !== null || !isSameSecret(place.nonce, seen.nonce))
        throw new AppError('display_unknown');
      const review = reviewNow(place.review, place.scopeOf, null);
      places.set(seen.displayId, { ...place, review });
      return progressAtEnd(review);
    },
    /** Remembers the result of a delivery that the disk refused to store, so that the review can still show it. */
    ended(id: string, { state, outcome }: Ended): void {
      if (isOpen(store.proposals.findListed(id)?.state ?? state)) ends.set(id, { state, outcome });
    },
    /** Counts a decision and remembers its display, so that the review can continue from the outcome. */
    decided(display: OpenDisplay, decision: ReviewedDecision): ReviewProgress | undefined {
      const { displayId, nonce, proposalId: id } = display;
      const review = reviewNow(withFate(reviews.get(display) ?? [], { id, ...decision }), id, id);
      if (review.length < 2) return undefined;
      remember(displayId, { nonce, scopeOf: id, shownId: id, review });
      return { ...placeIn(review, id), ...noGroup, decided: decidedIn(review, latestDecisions) };
    },
    /** Remembers the display of a change that ended without a decision, so that the review can continue from there. */
    keepPlace(display: OpenDisplay): void {
      const { displayId, nonce, proposalId: id } = display;
      remember(displayId, { nonce, scopeOf: id, shownId: id, review: reviews.get(display) ?? [] });
    },
    reviewAfter(seen: Seen, nextId: string): Review | undefined {
      const place = places.get(seen.displayId);
      if (place === undefined || !isSameSecret(place.nonce, seen.nonce)) return undefined;
      places.delete(seen.displayId);
      return withNext(place.review, place.shownId, nextId);
    },
    async step(step: Step, show: ShowInReview): Promise<Stepped> {
      if (step.to === 'together') return showTogether(step, show);
      if (step.to === 'singly') return showSingly(step, show);
      return step.to === 'undo' ? stepToUndo(step, step.proposalId, show) : stepTo(step.to, step, show);
    },
  };
}

/** A person can compare the seal with the ledger later. */
export function sealOf({ ledger }: Pick<AppStore, 'ledger'>): { seal?: LedgerSeal } {
  const last = ledger.last();
  return last === null ? {} : { seal: { seq: last.seq, hash: last.hash } };
}

const noGroup = { identical: 0, canPart: false };

const alone: ReviewProgress = { ...placeIn([], null), ...noGroup, decided: [] };

/** The waiting changes that one operand explains together with this change; empty if this change must be decided alone. */
function identicalTo(waiting: readonly ListedProposal[], id: string, formats: Formats): string[] {
  const groups = groupsOf(waiting, formats);
  const key = groups.get(id)?.groupKey ?? null;
  if (key === null) return [];
  const members = waiting.filter((one) => one.operation !== 'batch' && groups.get(one.id)?.groupKey === key);
  return members.length < 2 || members.every((one) => one.id !== id) ? [] : members.map((one) => one.id);
}
