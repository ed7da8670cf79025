import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { AppStore, DraftReview, DraftScope, StoredProposal } from '#core/store/app/index.ts';
import { counted } from '#shared/lib/counted.ts';
import type { ErrorCode } from '#shared/errors/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';

/**
 * Ends the review of drafts with their proposals: what was stored needs no draft any more, what was not comes back with the reason.
 * Begins with those that ended while the program did not run.
 */
export interface DraftSettling extends AsyncDisposable {
  /** Some proposal changed. */
  look(proposalId: string): void;
}

export interface DraftSettlingOptions {
  store: AppStore;
  clock: Clock;
  logger: Logger;
  /** Called after drafts of these campaigns changed. */
  onChange(cids: readonly number[]): void;
}

export function createDraftSettling({ store, clock, logger, onChange }: DraftSettlingOptions): DraftSettling {
  const { fields, steps, reviews, disagreements } = store.drafts;

  /** The proposal, or the one that took its place in the end. Null for one that is not on record any more. */
  function latestOf(proposalId: string): StoredProposal | null {
    let found = store.proposals.find(proposalId);
    for (; found !== null && found.replacedBy !== null; found = store.proposals.find(found.replacedBy));
    return found;
  }

  function settle(review: DraftScope & DraftReview, proposal: StoredProposal | null): boolean {
    const { cid } = review;
    if (proposal === null) return putBack(review, 'Its proposal is not on record any more.');
    const isFollowed = proposal.id !== review.proposalId;
    const followed = { ...review, proposalId: proposal.id, returned: isFollowed ? null : review.returned };
    if (isFollowed) reviews.put(review, followed);
    if (followed.returned !== null) return isFollowed;
    switch (proposal.state) {
      case 'verified':
      case 'differs':
      case 'done':
        compare(followed, proposal);
        fields.remove(review, cid);
        steps.dropCampaign(review, cid);
        reviews.remove(review, cid);
        return true;
      case 'refused':
        compare(followed, proposal);
        return putBack(followed, reasonOf(proposal));
      case 'denied':
      case 'expired':
      case 'withdrawn':
      case 'stale':
        return putBack(followed, reasonOf(proposal));
      default:
        return isFollowed;
    }
  }

  function putBack(review: DraftScope & DraftReview, reason: string): boolean {
    reviews.put(review, { ...review, returned: { atMs: clock.nowMs(), reason } });
    return true;
  }

  /** Records where the copy of the service and the service itself disagreed about this write. */
  function compare(
    { rehearsed, ...review }: DraftScope & DraftReview,
    { state, outcome }: StoredProposal,
  ): void {
    const isRefused = state === 'refused';
    const isContrary =
      (rehearsed === 'accepted' && isRefused && outcome !== null && aboutThePayload.has(outcome.code)) ||
      (rehearsed === 'refused' && !isRefused);
    if (rehearsed === null || !isContrary) return;
    disagreements.add(review.profileId, {
      cid: review.cid,
      atMs: clock.nowMs(),
      rehearsed,
      fields: fields.of(review, review.cid).map(({ field }) => field),
      reason: outcome?.message ?? '',
    });
  }

  /** One transaction for all that changed in a burst. */
  function settleAll(proposalIds: readonly string[]): void {
    try {
      const changed = store.transaction(() =>
        proposalIds.flatMap((id) => {
          const affected = reviews.ofProposal(id);
          if (affected.length === 0) return [];
          const proposal = latestOf(id);
          return affected.filter((review) => settle(review, proposal)).map(({ cid }) => cid);
        }),
      );
      if (changed.length > 0) onChange([...new Set(changed)]);
    } catch (failure) {
      logger.error({ failure }, 'Drafts could not follow their proposals');
    }
  }

  const changed = new Set<string>();
  let due: NodeJS.Immediate | null = null;
  function sweep(): void {
    due = null;
    const ids = [...changed];
    changed.clear();
    settleAll(ids);
  }

  settleAll(reviews.proposalIds());
  return {
    look(proposalId) {
      changed.add(proposalId);
      // Never within the transaction of a change.
      due ??= setImmediate(sweep);
    },
    async dispose() {
      if (due !== null) clearImmediate(due);
    },
  };
}

/** Refusals that a rehearsal should have foreseen: they are about the campaign and not about the sign-in or the balance. */
const aboutThePayload: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'validation_failed',
  'operation_refused',
]);

function reasonOf({ state, reason, outcome, conflict }: StoredProposal): string {
  switch (state) {
    case 'denied':
      return reason === null ? 'You denied it.' : `You denied it: ${inertText(reason)}`;
    case 'expired':
      return 'It expired before it was decided. Nothing was sent.';
    case 'withdrawn':
      return outcome?.message ?? 'It was withdrawn. Nothing was sent.';
    case 'stale': {
      const fields = counted(conflict.length, 'field');
      const also = conflict.length === 0 ? '' : ` ${fields} of this draft changed there.`;
      return `${outcome?.message ?? 'The campaign changed before it was sent. Nothing was sent.'}${also}`;
    }
    default:
      return outcome?.message ?? 'The service refused it.';
  }
}
