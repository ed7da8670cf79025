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
  Display,
  Step,
  Stepped,
} from '#shared/host-api/index.ts';
import {
  createAnnouncing,
  assertArmed,
  assertSameChange,
  type OpenDisplay,
  type Displays,
} from './displays.ts';
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
  displays: Displays;
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
  const { store, journal, displays, endDue, clock, logger, confirmer, run, view, shownFormats } = options;
  const { delivery, preparing, proposeTogether, waitingByRisk, onProposalChanged, formats } = options;
  const members = createBatchMembers({ store, journal, hide: displays.hide, clock, logger });
  onProposalChanged(members.look);
  const byPerson = { actor: 'You', via: confirmer.via };
  const reviews = createReviewSessions({
    store,
    displays,
    clock,
    logger,
    proposeTogether,
    waitingByRisk,
    withdraw: (id) => void journal.move(loadProposal(store, id), 'withdrawn', { by: byPerson }),
    undo: options.undo,
    undoOf: options.undoOf,
    formats,
  });

  function show(id: string, review?: Review): { living: OpenDisplay; display: Display } {
    endDue(id);
    const proposal = loadProposal(store, id);
    assertUndecided(proposal);
    assertUntouched(proposal);
    members.assertAsks(proposal);
    const living = displays.open(proposal);
    if (review !== undefined) reviews.carry(living, review);
    return { living, display: displayOf(living, proposal) };
  }

  /** Requires the nonce, which only a window that loaded the display knows: an address that was never opened has shown nothing. */
  function witness(seen: Seen): { display: OpenDisplay; proposal: StoredProposal } {
    const display = displays.require(seen);
    endDue(display.proposalId);
    const proposal = loadProposal(store, display.proposalId);
    if (display.recorded || !isUndecided(proposal.state)) return { display, proposal };
    const how = { by: { via: confirmer.via } };
    const shown = store.transaction(() => {
      members.show(proposal, how);
      return journal.move(proposal, 'shown', how);
    });
    display.recorded = true;
    return { display, proposal: shown };
  }

  function displayOf(living: OpenDisplay, proposal: StoredProposal): Display {
    const { displayId, nonce, fingerprint } = living;
    const review = reviews.progress(living);
    const formats = shownFormats();
    return { displayId, nonce, fingerprint, proposal: view(proposal), formats, ...(review && { review }) };
  }

  function approve(display: OpenDisplay, proposal: StoredProposal, { typed }: Decision): Followed[] {
    assertArmed(display, clock.monotonicMs());
    assertUntouched({ ...proposal, fingerprint: display.fingerprint });
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
    display: OpenDisplay,
    proposal: StoredProposal,
    { reason, continueReview }: Decision,
  ): Promise<DecisionResult> {
    const how = { by: byPerson, set: { reason } };
    const { denied, followed } = store.transaction(() => ({
      followed: members.follow(proposal, 'denied', how),
      denied: journal.move(proposal, 'denied', how),
    }));
    for (const { id } of [proposal, ...followed]) displays.end(id);
    const result = settled(display, denied, { fate: 'denied', ...countOf(proposal, followed) });
    return continueReview === true && result.review !== undefined ? continueFrom(display, result) : result;
  }

  /** Shows the next change of the review. The decision counts even if that fails. */
  async function continueFrom(
    { displayId, nonce, proposalId }: OpenDisplay,
    result: DecisionResult,
  ): Promise<DecisionResult> {
    try {
      return { ...result, next: await step({ displayId, nonce, to: 'next' }) };
    } catch (failure) {
      if (!(failure instanceof AppError)) throw failure;
      logger.warn({ failure, proposal: proposalId }, 'A review could not go on after a decision');
      return result;
    }
  }

  async function step(asked: Step): Promise<Stepped> {
    const stepped = await reviews.step(asked, (id, review) => show(id, review).display);
    // A person who reviews all changes must not be interrupted by the announcement of any of them.
    announcing.postpone();
    return stepped;
  }

  function settled(
    display: OpenDisplay,
    proposal: StoredProposal,
    decision: ReviewedDecision,
  ): DecisionResult {
    const review = reviews.decided(display, decision);
    const seal = isOpen(proposal.state) ? {} : sealOf(store);
    return { proposal: view(proposal), again: null, ...(review && { review }), ...seal };
  }

  async function decide(decision: Decision): Promise<DecisionResult> {
    const display = displays.require(decision);
    assertSameChange(display, decision);
    const { proposal } = witness(decision);
    assertUndecided(proposal);
    if (decision.decision === 'deny') return deny(display, proposal, decision);
    const continues = decision.continueReview === true && reviews.progress(display) !== undefined;
    const followed = approve(display, proposal, decision);
    const approvedAtMs = clock.monotonicMs();
    for (const { id } of followed) displays.end(id);
    const members = followed.map((member) => ({ ...member, approvedAtMs }));
    const isBatch = proposal.operation === 'batch';
    if (continues) {
      const { proposalId: id, fingerprint } = display;
      const deliver = isBatch
        ? () => delivery.deliverBatch(id, members)
        : async () => (await delivery.deliver({ id, fingerprint, approvedAtMs })).proposal;
      void run(() => deliverMeanwhile(id, deliver));
      const how = { fate: 'approved' as const, ...countOf(proposal, followed) };
      return continueFrom(display, settled(display, loadProposal(store, id), how));
    }
    const ended = await (isBatch ? executeBatch(display, members) : send(display, approvedAtMs));
    if (ended.proposal.undo?.canUndo === true) displays.offerUndo(display);
    return ended;
  }

  async function deliverMeanwhile(id: string, deliver: () => Promise<StoredProposal>): Promise<void> {
    displays.end(id);
    try {
      reviews.ended(id, await deliver());
    } catch (failure) {
      logger.error({ failure, proposal: id }, 'An approved change could not be delivered');
      reviews.ended(id, { state: 'unknown', outcome: outcomeOf(failure) });
    }
  }

  async function send(display: OpenDisplay, approvedAtMs: number): Promise<DecisionResult> {
    const { proposalId: id, fingerprint } = display;
    displays.end(id);
    const { proposal, successor } = await delivery.deliver({ id, fingerprint, approvedAtMs });
    const again = successor && showAgain(successor.id, reviews.reviewWith(display, successor.id));
    return again === null
      ? settled(display, proposal, { fate: 'approved' })
      : { proposal: view(proposal), again };
  }

  /** Keeps the display until the end, so that its page can follow the members. Nothing can be decided on it any more. */
  async function executeBatch(display: OpenDisplay, approved: readonly Approved[]): Promise<DecisionResult> {
    const { proposalId: batchId } = display;
    try {
      const batch = await delivery.deliverBatch(batchId, approved);
      return settled(display, batch, { fate: 'approved', ...countOf(batch, approved) });
    } finally {
      displays.end(batchId);
    }
  }

  /** Returns null if the successor cannot be shown now: the decision was executed, and the successor is in the list. */
  function showAgain(id: string, review: Review): Display | null {
    try {
      return show(id, review).display;
    } catch (failure) {
      if (!(failure instanceof AppError)) throw failure;
      logger.warn({ failure, proposal: id }, 'An outdated change could not be shown again');
      return null;
    }
  }

  async function prepareAgain(seen: Seen): Promise<Display> {
    const shown = displays.require(seen);
    const { id } = await preparing.again(shown.proposalId);
    return show(id, reviews.reviewWith(shown, id)).display;
  }

  async function undo(seen: Seen): Promise<Display> {
    const { id } = await options.undo(displays.requireUndo(seen).proposalId);
    displays.endUndo(seen.displayId);
    return show(id, reviews.reviewAfter(seen, id)).display;
  }

  function announce(id: string): boolean {
    try {
      confirmer.announce?.(show(id).display);
      return true;
    } catch (failure) {
      logger.warn({ failure, proposal: id }, 'A proposal could not be brought forward');
      return false;
    }
  }

  const announcing = createAnnouncing({ proposals: store.proposals, isShown: displays.has, announce });
  if (confirmer.announce !== undefined) onProposalChanged(announcing.look);

  return {
    /** For the host of the confirmation only. Fails with `shutting_down` after the end of the core has begun. */
    port: {
      seen(seen) {
        witness(seen).display.seenAtMs = clock.monotonicMs();
      },
      look(seen) {
        const { display, proposal } = witness(seen);
        const shown = displayOf(display, proposal);
        if (!isOpen(proposal.state)) reviews.keepPlace(display);
        return shown;
      },
      targets: ({ from, ...seen }) => options.targets({ id: displays.require(seen).proposalId, from }),
      prepareAgain: (seen) => run(() => prepareAgain(seen)),
      undo: (seen) => run(() => undo(seen)),
      decide: (decision) =>
        run(() => {
          options.settleAbandoned();
          return decide(decision);
        }),
      step: (asked) => run(() => step(asked)),
      progress: reviews.progressAtEnd,
      postpone(seen) {
        displays.drop(displays.require(seen));
        announcing.postpone();
      },
    } satisfies Omit<ConfirmationPort, 'picture'>,
    /** Fails with `proposal_expired`, `proposal_not_waiting` or `fingerprint_mismatch`, or as the preparation and the host do. */
    async review(asked: string): Promise<{ id?: string; address: string | null }> {
      const { id } = await preparing.ready(asked);
      const { living, display } = show(id);
      try {
        return { ...(await confirmer.show(display)), ...(id === asked ? {} : { id }) };
      } catch (failure) {
        displays.drop(living);
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
