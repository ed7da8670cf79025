import type { Logger } from '#core/platform/logger.ts';
import { viewOf, type Profiles } from '#core/profiles/index.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Journal } from '../lifecycle/journal.ts';
import { outcomeWith } from '../operations/outcome.ts';
import type { AttemptBudget } from './agent-limits.ts';
import type { PreparedWrite, Proposer } from '../operations/operation.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { draftAdmission, type Admission } from '../operations/agent-admission.ts';

interface PendingAdmissionsOptions {
  store: AppStore;
  journal: Journal;
  hide(id: string): void;
  profiles: Pick<Profiles, 'get'>;
  add(drafts: readonly PreparedWrite[], proposer: Proposer): StoredProposal[];
  assertAttemptLeft: AttemptBudget;
  logger: Logger;
}

export function createPendingAdmissions(options: PendingAdmissionsOptions) {
  const { store, journal, hide, profiles, add, assertAttemptLeft, logger } = options;

  function takeBack(proposal: StoredProposal | null): void {
    if (proposal?.operation !== 'agent.admit' || !isUndecided(proposal.state)) return;
    const outcome = outcomeWith('admission_taken_back');
    journal.move(proposal, 'withdrawn', { set: { outcome } });
    hide(proposal.id);
  }

  return {
    /** Fails with `too_many_waiting`, `attempts_spent` or `profile_unknown`, or as the journal does. */
    propose(
      admission: Admission,
      { profileId, endsAtMs }: { profileId: string; endsAtMs: number },
    ): StoredProposal {
      const proposer = {
        profile: viewOf(profiles.get(profileId)),
        // A program has no agent id before it is admitted, so no count by agent includes it.
        proposedBy: { kind: 'agent', name: admission.name, sinceMs: null, agentId: null },
        quotation: null,
      } as const;
      assertAttemptLeft(proposer);
      const [proposal] = add([draftAdmission(admission, endsAtMs)], proposer);
      if (proposal === undefined) throw new Error('An admission was not recorded');
      return proposal;
    },
    /** Fails as the journal does. */
    takeBack: (id: string): void => takeBack(store.proposals.find(id)),
    /**
     * Withdraws all admissions at the start: their browsers waited for
     * the previous process. Does not fail if the store refuses rows.
     */
    takeBackAll(): void {
      for (const { id, operation } of store.proposals.undecided()) {
        if (operation !== 'agent.admit') continue;
        try {
          takeBack(store.proposals.find(id));
        } catch (failure) {
          // The admission expires by itself. A ledger that accepts no rows must not keep the app from starting.
          if (!(failure instanceof AppError)) throw failure;
          logger.error({ failure, proposal: id }, 'An admission could not be taken back');
        }
      }
    },
  };
}
