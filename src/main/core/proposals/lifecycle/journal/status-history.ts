import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { groupStatuses, isStopped, runs, type StatusGroup, statusOriginOf } from '#shared/campaign/index.ts';
import { isExecuted } from '#shared/proposals/states.ts';
import { askedStatusMoves, writtenStatusMoves } from '../../operations/written-effects.ts';
import { statusParts } from '../../operations/status-change/stored-parts.ts';

type Memory = Pick<AppStore, 'statusChanges'>;

/**
 * Records, in the transaction of the move, each campaign's change of status that the write made or may have made. Does nothing for a
 * proposal in another state.
 */
export function recordStatusMoves({ statusChanges }: Memory, proposal: StoredProposal): void {
  if (!isExecuted(proposal.state)) return;
  const { id, profile, proposedBy, intentAtMs, updatedAtMs } = proposal;
  const isReturnOffered = pausesRunningOnly(proposal);
  for (const { cid, before, after } of writtenStatusMoves(proposal)) {
    statusChanges.put(profile.id, {
      cid,
      before,
      after,
      atMs: intentAtMs ?? updatedAtMs,
      by: { kind: proposedBy.kind, name: proposedBy.name },
      proposalId: id,
      isReturnOffered: isReturnOffered && before !== null && after !== null,
    });
  }
}

/** Groups campaigns by the status that they have, and by how they were stopped if they were, as far as this app knows. */
export function statusGroups(
  { statusChanges }: Memory,
  profileId: string,
  campaigns: readonly { cid: number; status: number }[],
): StatusGroup[] {
  return groupStatuses(
    campaigns.map(({ cid, status }) => {
      if (!isStopped(status)) return { cid, status, origin: null };
      const change = statusChanges.find(profileId, cid);
      const hasUnknownSince = statusChanges.hasUnknownSince(profileId, cid, change?.atMs ?? 0);
      return { cid, status, origin: statusOriginOf(change, { statusNow: status, hasUnknownSince }) };
    }),
  );
}

/** How the stopped campaigns that a write makes run were stopped. */
export function stoppedCampaigns(
  store: Memory,
  write: Pick<StoredProposal, 'operation' | 'targets' | 'payload' | 'base' | 'profile'>,
): StatusGroup[] {
  const stopped = askedStatusMoves(write).flatMap(({ cid, before, after }) =>
    isStopped(before) && runs(after) ? [{ cid, status: before }] : [],
  );
  return statusGroups(store, write.profile.id, stopped);
}

/** A pause of a selection as far as it runs: its return is offered. */
function pausesRunningOnly(proposal: StoredProposal): boolean {
  if (proposal.operation !== 'campaign.status') return false;
  const { meant, payload } = statusParts(proposal);
  return meant === 'running' && payload.status === 3;
}
