import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import { latestId, storedStatus } from '#core/proposals/index.ts';
import type { AppStore, DraftReview, AccountScope, StoredProposal } from '#core/store/app/index.ts';
import { fieldLabel } from '#shared/campaign/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import type { Formats } from '#shared/lib/formats.ts';

interface DraftSettlingOptions {
  store: AppStore;
  clock: Clock;
  logger: Logger;
  onChange(cids: readonly number[]): void;
  formats(): Formats;
}

/** Removes drafts whose proposal was stored. Returns other drafts with a reason. Starts with proposals that ended earlier. */
export function createDraftSettling(options: DraftSettlingOptions) {
  const { store, clock, logger, onChange, formats } = options;
  const { fields, steps, reviews } = store.drafts;

  function latestProposal(proposalId: string): StoredProposal | null {
    return store.proposals.find(latestId(store, proposalId));
  }

  function settle(review: AccountScope & DraftReview, proposal: StoredProposal | null): boolean {
    const { cid } = review;
    if (proposal === null) return returnDraft(review, 'Its proposal is not on record any more.');
    const hasNewerProposal = proposal.id !== review.proposalId;
    const updatedReview = {
      ...review,
      proposalId: proposal.id,
      returned: hasNewerProposal ? null : review.returned,
    };
    if (hasNewerProposal) reviews.put(review, updatedReview);
    if (updatedReview.returned !== null) return hasNewerProposal;
    switch (proposal.state) {
      case 'verified':
      case 'done':
        return removeStoredDrafts(updatedReview, []);
      case 'differs':
        return removeStoredDrafts(updatedReview, unstoredFields(proposal, cid));
      case 'refused':
        return returnDraft(updatedReview, reasonOf(proposal, formats()));
      case 'denied':
      case 'expired':
      case 'withdrawn':
      case 'stale':
        return returnDraft(updatedReview, reasonOf(proposal, formats()));
      default:
        return hasNewerProposal || !isUndecided(proposal.state);
    }
  }

  function removeStoredDrafts(review: AccountScope & DraftReview, missed: readonly string[]): boolean {
    const { cid } = review;
    const unstoredDrafts = fields.of(review, cid).filter(({ field }) => missed.includes(field));
    fields.remove(review, cid);
    steps.dropCampaign(review, cid);
    for (const one of unstoredDrafts) fields.put(review, one);
    if (unstoredDrafts.length > 0)
      return returnDraft(review, notStoredWords(unstoredDrafts.map(({ field }) => field)));
    reviews.remove(review, cid);
    return true;
  }

  function returnDraft(review: AccountScope & DraftReview, reason: string): boolean {
    reviews.put(review, { ...review, returned: { atMs: clock.nowMs(), reason } });
    return true;
  }

  function settleAll(proposalIds: readonly string[]): void {
    try {
      const changed = store.transaction(() =>
        proposalIds.flatMap((id) => {
          const affected = reviews.ofProposal(id);
          if (affected.length === 0) return [];
          const proposal = latestProposal(id);
          return affected.filter((review) => settle(review, proposal)).map(({ cid }) => cid);
        }),
      );
      if (changed.length > 0) onChange([...new Set(changed)]);
    } catch (failure) {
      logger.error({ failure }, 'Drafts could not follow their proposals');
    }
  }

  const changed = new Set<string>();
  let pendingSweep: NodeJS.Immediate | null = null;
  function sweep(): void {
    pendingSweep = null;
    const ids = [...changed];
    changed.clear();
    settleAll(ids);
  }

  settleAll(reviews.proposalIds());
  return {
    schedule(proposalId: string): void {
      changed.add(proposalId);
      // Runs after the current transaction, never inside it.
      pendingSweep ??= setImmediate(sweep);
    },
    async dispose(): Promise<void> {
      if (pendingSweep !== null) clearImmediate(pendingSweep);
    },
  };
}

function unstoredFields(proposal: StoredProposal, cid: number): string[] {
  if (proposal.prunedAtMs !== null) return [];
  if (proposal.operation === 'campaign.status') {
    const verdict = storedStatus(proposal, cid);
    return verdict === undefined || verdict === 'stored' ? [] : ['status'];
  }
  return proposal.verdicts.filter(({ verdict }) => verdict === 'different').map(({ field }) => field);
}

const notStoredWords = (missed: readonly string[]): string =>
  `The service did not store what was approved: ${missed.map(fieldLabel).join(', ')}.`;

function reasonOf({ state, reason, outcome, conflict }: StoredProposal, formats: Formats): string {
  switch (state) {
    case 'denied':
      return reason === null ? 'You denied it.' : `You denied it: ${inertText(reason)}`;
    case 'expired':
      return outcome === null || outcome.code === 'proposal_expired'
        ? 'It expired before it was decided. Nothing was sent.'
        : outcome.message;
    case 'withdrawn':
      return outcome?.message ?? 'It was withdrawn. Nothing was sent.';
    case 'stale': {
      const fields = formats.counted(conflict.length, 'field');
      const also = conflict.length === 0 ? '' : ` ${fields} of this draft changed there.`;
      return `${outcome?.message ?? 'The campaign changed before it was sent. Nothing was sent.'}${also}`;
    }
    default:
      return outcome?.message ?? 'The service refused it.';
  }
}
