import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { AppStore, ListedProposal, StoredProposal } from '#core/store/app/index.ts';
import type { ProposalView, TargetPage, UndoView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type {
  Confirmer,
  ConfirmationPort,
  Decision,
  DecisionResult,
  Seen,
  Showing,
  Turn,
  Turned,
} from '#shared/host-api/index.ts';
import {
  createAnnouncing,
  assertArmed,
  assertSameChange,
  type LivingShowing,
  type Showings,
} from './showings.ts';
import { createBatchMembers, type Followed } from './batch-members.ts';
import type { Approved } from '../delivery/approved-writes.ts';
import { assertUntouched } from '../operations/fingerprint.ts';
import type { Journal } from '../lifecycle/journal.ts';
import { createReviewSessions, type ReviewedDecision, sealOf } from './review.ts';
import type { Review } from './review-order.ts';
import type { Formats, ShownFormats } from '#shared/lib/formats.ts';
import { isOpen, isUndecided } from '#shared/proposals/states.ts';
import { outcomeOf } from '../operations/outcome.ts';
import { loadProposal } from '../operations/stored-proposals.ts';
import { assertNotWithheld } from '../operations/locks.ts';
import { assertApprovalLives } from '../operations/tool-call/stored-parts.ts';

interface ConfirmationsOptions {
  store: AppStore;
  journal: Journal;
  showings: Showings;
  endDue(id: string): void;
  clock: Clock;
  logger: Logger;
  confirmer: Confirmer;
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  onProposalChanged(listener: (id: string) => void): void;
  view(proposal: StoredProposal): ProposalView;
  targets(page: { id: string; from: number }): TargetPage;
  delivery: {
    deliver(approved: Approved): Promise<{ proposal: StoredProposal; successor: StoredProposal | null }>;
    deliverBatch(id: string, members: readonly Approved[]): Promise<StoredProposal>;
  };
  preparing: {
    again(id: string): Promise<{ id: string }>;
    ready(id: string): Promise<{ id: string }>;
  };
  proposeTogether(ids: readonly string[]): Promise<ProposalView>;
  waitingByRisk(): readonly ListedProposal[];
  undo(id: string): Promise<StoredProposal>;
  undoOf(proposal: StoredProposal): UndoView | null;
  settleAbandoned(): void;
  formats(): Formats;
  shownFormats(): ShownFormats;
}

export function createConfirmations(options: ConfirmationsOptions) {
  const { store, journal, showings, endDue, clock, logger, confirmer, run, view, shownFormats } = options;
  const { delivery, preparing, proposeTogether, waitingByRisk, onProposalChanged, formats } = options;
  const members = createBatchMembers({ store, journal, hide: showings.hide, clock, logger });
  onProposalChanged(members.look);
  const byPerson = { actor: 'You', via: confirmer.via };
  const reviews = createReviewSessions({
    store,
    showings,
    clock,
    logger,
    proposeTogether,
    waitingByRisk,
    withdraw: (id) => void journal.move(loadProposal(store, id), 'withdrawn', { by: byPerson }),
    undo: options.undo,
    undoOf: options.undoOf,
    formats,
  });

  function show(id: string, review?: Review): { living: LivingShowing; showing: Showing } {
    endDue(id);
    const proposal = loadProposal(store, id);
    assertUndecided(proposal);
    assertUntouched(proposal);
    members.assertAsks(proposal);
    const living = showings.open(proposal);
    if (review !== undefined) reviews.carry(living, review);
    return { living, showing: showingOf(living, proposal) };
  }

  /** Requires the nonce, which only a window that loaded the showing knows: an address that was never opened has shown nothing. */
  function witness(seen: Seen): { showing: LivingShowing; proposal: StoredProposal } {
    const showing = showings.require(seen);
    const proposal = loadProposal(store, showing.proposalId);
    if (showing.recorded || !isUndecided(proposal.state)) return { showing, proposal };
    const how = { by: { via: confirmer.via } };
    const shown = store.transaction(() => {
      members.follow(proposal, 'shown', how);
      return journal.move(proposal, 'shown', how);
    });
    showing.recorded = true;
    return { showing, proposal: shown };
  }

  function showingOf(living: LivingShowing, proposal: StoredProposal): Showing {
    const { showingId, nonce, fingerprint } = living;
    const review = reviews.progress(living);
    const formats = shownFormats();
    return { showingId, nonce, fingerprint, proposal: view(proposal), formats, ...(review && { review }) };
  }

  function approve(showing: LivingShowing, proposal: StoredProposal, { typed }: Decision): Followed[] {
    assertArmed(showing, clock.monotonicMs());
    assertUntouched({ ...proposal, fingerprint: showing.fingerprint });
    members.assertAsks(proposal);
    assertApprovalLives(proposal, clock.nowMs());
    assertTyped(view(proposal), typed);
    const isBatch = proposal.operation === 'batch';
    if (!isBatch) assertNotWithheld(store, proposal);
    return store.transaction(() => {
      const approved = members.follow(proposal, 'approved', { by: byPerson });
      // Every member is locked or must be prepared again.
      if (isBatch && approved.length === 0) throw new AppError('campaign_locked', { message: noneApproved });
      journal.move(proposal, 'approved', { by: byPerson });
      return approved;
    });
  }

  async function deny(
    showing: LivingShowing,
    proposal: StoredProposal,
    { reason, continueReview }: Decision,
  ): Promise<DecisionResult> {
    const how = { by: byPerson, set: { reason } };
    const { denied, followed } = store.transaction(() => ({
      followed: members.follow(proposal, 'denied', how),
      denied: journal.move(proposal, 'denied', how),
    }));
    for (const { id } of [proposal, ...followed]) showings.end(id);
    const result = settled(showing, denied, { fate: 'denied', ...countOf(proposal, followed) });
    return continueReview === true && result.review !== undefined ? continueFrom(showing, result) : result;
  }

  /** Shows the next change of the review. The decision counts even if that fails. */
  async function continueFrom(
    { showingId, nonce, proposalId }: LivingShowing,
    result: DecisionResult,
  ): Promise<DecisionResult> {
    try {
      return { ...result, next: await turn({ showingId, nonce, to: 'next' }) };
    } catch (failure) {
      if (!(failure instanceof AppError)) throw failure;
      logger.warn({ failure, proposal: proposalId }, 'A review could not go on after a decision');
      return result;
    }
  }

  async function turn(asked: Turn): Promise<Turned> {
    const turned = await reviews.turn(asked, (id, review) => show(id, review).showing);
    // A person who reviews all changes must not be interrupted by the announcement of any of them.
    announcing.postpone();
    return turned;
  }

  function settled(
    showing: LivingShowing,
    proposal: StoredProposal,
    decision: ReviewedDecision,
  ): DecisionResult {
    const review = reviews.decided(showing, decision);
    const seal = isOpen(proposal.state) ? {} : sealOf(store);
    return { proposal: view(proposal), again: null, ...(review && { review }), ...seal };
  }

  async function decide(decision: Decision): Promise<DecisionResult> {
    const showing = showings.require(decision);
    assertSameChange(showing, decision);
    endDue(showing.proposalId);
    assertUndecided(loadProposal(store, showing.proposalId));
    const { proposal } = witness(decision);
    if (decision.decision === 'deny') return deny(showing, proposal, decision);
    const continues = decision.continueReview === true && reviews.progress(showing) !== undefined;
    const followed = approve(showing, proposal, decision);
    const approvedAtMs = clock.monotonicMs();
    for (const { id } of followed) showings.end(id);
    const members = followed.map((member) => ({ ...member, approvedAtMs }));
    const isBatch = proposal.operation === 'batch';
    if (continues) {
      const { proposalId: id, fingerprint } = showing;
      const deliver = isBatch
        ? () => delivery.deliverBatch(id, members)
        : async () => (await delivery.deliver({ id, fingerprint, approvedAtMs })).proposal;
      void run(() => deliverMeanwhile(id, deliver));
      const how = { fate: 'approved' as const, ...countOf(proposal, followed) };
      return continueFrom(showing, settled(showing, loadProposal(store, id), how));
    }
    const ended = await (isBatch ? executeBatch(showing, members) : send(showing, approvedAtMs));
    if (ended.proposal.undo?.canUndo === true) showings.offerUndo(showing);
    return ended;
  }

  async function deliverMeanwhile(id: string, deliver: () => Promise<StoredProposal>): Promise<void> {
    showings.end(id);
    try {
      reviews.ended(id, await deliver());
    } catch (failure) {
      logger.error({ failure, proposal: id }, 'An approved change could not be delivered');
      reviews.ended(id, { state: 'unknown', outcome: outcomeOf(failure) });
    }
  }

  async function send(showing: LivingShowing, approvedAtMs: number): Promise<DecisionResult> {
    const { proposalId: id, fingerprint } = showing;
    showings.end(id);
    const { proposal, successor } = await delivery.deliver({ id, fingerprint, approvedAtMs });
    const again = successor && showAgain(successor.id, reviews.reviewWith(showing, successor.id));
    return again === null
      ? settled(showing, proposal, { fate: 'approved' })
      : { proposal: view(proposal), again };
  }

  /** Keeps the showing until the end, so that its page can follow the members. Nothing can be decided on it any more. */
  async function executeBatch(
    showing: LivingShowing,
    approved: readonly Approved[],
  ): Promise<DecisionResult> {
    const { proposalId: batchId } = showing;
    try {
      const batch = await delivery.deliverBatch(batchId, approved);
      return settled(showing, batch, { fate: 'approved', ...countOf(batch, approved) });
    } finally {
      showings.end(batchId);
    }
  }

  /** Returns null if the successor cannot be shown now: the decision was executed, and the successor is in the list. */
  function showAgain(id: string, review: Review): Showing | null {
    try {
      return show(id, review).showing;
    } catch (failure) {
      if (!(failure instanceof AppError)) throw failure;
      logger.warn({ failure, proposal: id }, 'An outdated change could not be shown again');
      return null;
    }
  }

  async function prepareAgain(seen: Seen): Promise<Showing> {
    const shown = showings.require(seen);
    const { id } = await preparing.again(shown.proposalId);
    return show(id, reviews.reviewWith(shown, id)).showing;
  }

  async function undo(seen: Seen): Promise<Showing> {
    const { id } = await options.undo(showings.requireUndo(seen).proposalId);
    showings.endUndo(seen.showingId);
    return show(id, reviews.reviewAfter(seen, id)).showing;
  }

  function announce(id: string): boolean {
    try {
      confirmer.announce?.(show(id).showing);
      return true;
    } catch (failure) {
      logger.warn({ failure, proposal: id }, 'A proposal could not be brought forward');
      return false;
    }
  }

  const announcing = createAnnouncing({ proposals: store.proposals, isShown: showings.has, announce });
  if (confirmer.announce !== undefined) onProposalChanged(announcing.look);

  return {
    /** For the host of the confirmation only. Fails with `shutting_down` after the end of the core has begun. */
    port: {
      seen(seen) {
        witness(seen).showing.seenAtMs = clock.monotonicMs();
      },
      look(seen) {
        const { showing, proposal } = witness(seen);
        return showingOf(showing, proposal);
      },
      targets: ({ from, ...seen }) => options.targets({ id: showings.require(seen).proposalId, from }),
      prepareAgain: (seen) => run(() => prepareAgain(seen)),
      undo: (seen) => run(() => undo(seen)),
      decide: (decision) =>
        run(() => {
          options.settleAbandoned();
          return decide(decision);
        }),
      turn: (asked) => run(() => turn(asked)),
      progress: reviews.progressAtEnd,
      postpone(seen) {
        showings.drop(showings.require(seen));
        announcing.postpone();
      },
    } satisfies Omit<ConfirmationPort, 'picture'>,
    /** Fails with `proposal_expired`, `proposal_not_waiting` or `fingerprint_mismatch`, or as the preparation and the host do. */
    async review(asked: string): Promise<{ id?: string; address: string | null }> {
      const { id } = await preparing.ready(asked);
      const { living, showing } = show(id);
      try {
        return { ...(await confirmer.show(showing)), ...(id === asked ? {} : { id }) };
      } catch (failure) {
        showings.drop(living);
        throw failure;
      }
    },
    dispose(): void {
      announcing.dispose();
      members.dispose();
    },
  };
}

function countOf({ operation }: StoredProposal, followed: readonly Followed[]): { changes?: number } {
  return operation === 'batch' ? { changes: followed.length } : {};
}

const noneApproved =
  'None of these changes can be sent now: another change to the campaign is under way, or it has to be prepared again.';

function assertUndecided({ state }: StoredProposal): void {
  if (state === 'expired') throw new AppError('proposal_expired');
  if (!isUndecided(state)) throw new AppError('proposal_not_waiting');
}

function assertTyped({ typeToConfirm }: ProposalView, typed: string | null): void {
  if (typeToConfirm !== null && typed !== typeToConfirm.value) throw new AppError('typed_value_wrong');
}
