import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';

/** The proposal by its id. Fails with `proposal_not_found`. */
export function loadProposal(store: AppStore, id: string): StoredProposal {
  const proposal = store.proposals.find(id);
  if (proposal === null) throw new AppError('proposal_not_found');
  return proposal;
}

/** The id of the proposal that took the place of this one, through every successor; its own where none did. */
export function latestId(store: AppStore, id: string): string {
  let latest = id;
  for (;;) {
    const next = store.proposals.findListed(latest)?.replacedBy ?? null;
    if (next === null) return latest;
    latest = next;
  }
}

/**
 * Passes when no write to any of the campaigns is under way or has an unknown outcome. Fails with `campaign_locked`, naming
 * the campaign and the proposal that locks it.
 */
export function assertUnlocked(
  store: AppStore,
  { profile, targets }: Pick<StoredProposal, 'profile' | 'targets'>,
): void {
  for (const cid of targets) {
    const proposal = store.proposals.lockOf(profile.id, cid);
    if (proposal === null) continue;
    const message =
      loadProposal(store, proposal).state === 'unknown'
        ? `An earlier change to campaign ${cid} has an unknown outcome.`
        : `Another change to campaign ${cid} is being sent.`;
    throw new AppError('campaign_locked', { message, data: { cid, proposal } });
  }
}
