import type { Logger } from '#core/platform/logger.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Unrecorded } from './unrecorded.ts';
import { isUndecided } from './state-table.ts';

export interface RecoveryOptions {
  store: AppStore;
  unrecorded: Unrecorded;
  logger: Logger;
}

/**
 * Puts right what a crash left: what was approved and not begun is withdrawn, and of what was begun nobody knows the
 * outcome. Returns the ids that are to be watched: unknown outcomes, and what cannot be recorded yet, which stays locked.
 */
export function recover({ store, unrecorded, logger }: RecoveryOptions): string[] {
  return store.proposals
    .open()
    .filter(({ state }) => !isUndecided(state))
    .filter((proposal) => isUnsettled(proposal, { unrecorded, logger }))
    .map(({ id }) => id);
}

function isUnsettled(
  proposal: StoredProposal,
  { unrecorded, logger }: Pick<RecoveryOptions, 'unrecorded' | 'logger'>,
): boolean {
  if (proposal.state === 'unknown') return true;
  unrecorded.leave(proposal.id, { kind: 'none' });
  try {
    return unrecorded.putRight(proposal).state === 'unknown';
  } catch (failure) {
    if (!(failure instanceof AppError)) throw failure;
    logger.error({ failure, proposal: proposal.id }, 'A proposal could not be recovered');
    return true;
  }
}
