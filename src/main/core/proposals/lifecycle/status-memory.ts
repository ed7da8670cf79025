import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { runs, statusOriginOf, suspended, type Suspension } from '#shared/campaign/index.ts';
import type { ProposalState } from '#shared/app-api/index.ts';
import { askedStatusMoves, writtenStatusMoves } from '../operations/written-effects.ts';
import { statusParts } from '../operations/status/base.ts';

type Memory = Pick<AppStore, 'statusChanges'>;

/** States in which a write was read back. */
const readBack: ReadonlySet<ProposalState> = new Set(['verified', 'differs', 'done']);

/**
 * Records, in the transaction of the move, each campaign's change of status that the write made or may have made. Does nothing for a
 * proposal in another state.
 */
export function recordStatusMoves({ statusChanges }: Memory, proposal: StoredProposal): void {
  if (!readBack.has(proposal.state)) return;
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
      returnId: null,
    });
  }
}

/** How the Suspended campaigns that a write makes run were suspended; those of which it is not known are absent. */
export function suspensionsFor(
  store: Memory,
  write: Pick<StoredProposal, 'operation' | 'targets' | 'payload' | 'base' | 'profile'>,
): Suspension[] {
  return askedStatusMoves(write)
    .filter(({ before, after }) => before === suspended && runs(after))
    .flatMap(({ cid }): Suspension[] => {
      const change = store.statusChanges.find(write.profile.id, cid);
      const hasUnknownSince = store.statusChanges.hasUnknownSince(write.profile.id, cid, change?.atMs ?? 0);
      const origin = statusOriginOf(change, { statusNow: suspended, hasUnknownSince });
      if (origin.kind === 'unknown') return [];
      if (origin.kind === 'elsewhere') return [{ cid, by: null, atMs: null }];
      return [{ cid, by: origin.change.by, atMs: origin.change.atMs }];
    });
}

/** A pause of a selection as far as it runs: its return is offered. */
function pausesRunningOnly(proposal: StoredProposal): boolean {
  if (proposal.operation !== 'campaign.status') return false;
  const { meant, payload } = statusParts(proposal);
  return meant === 'running' && payload.status === 3;
}
