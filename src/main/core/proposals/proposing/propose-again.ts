import type { Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Profiles } from '#core/profiles/index.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import type { Journal } from '../lifecycle/journal.ts';
import { latestId, loadProposal, successorsOf, undoesOf } from '../operations/stored-proposals.ts';
import { assertUnlocked } from '../operations/locks.ts';
import { outcomeWith } from '../operations/outcome.ts';
import { assertSameAccount, type Operations } from '../operations/operation.ts';
import type { AgentLimits } from './agent-limits.ts';
import { hasApprovalEnded } from '../operations/tool-call/stored-parts.ts';

export interface AgentCallSuccession {
  /** Moves the call, its key and its waiters to the successor, in the caller's transaction. Does nothing without a call. */
  succeed(id: string, successor: StoredProposal): void;
}

interface PreparingAgainOptions {
  store: AppStore;
  journal: Journal;
  expiry: { endDue(id: string): void; schedule(): void };
  hide(id: string): void;
  connections: Pick<Connections, 'of'>;
  profiles: Pick<Profiles, 'get'>;
  limits: AgentLimits;
  operations: Operations;
  calls: AgentCallSuccession;
  clock: Clock;
}

function isOver(proposal: StoredProposal, nowMs: number): boolean {
  return proposal.state === 'expired' || (isUndecided(proposal.state) && hasApprovalEnded(proposal, nowMs));
}

/**
 * Prepares a change again whose waiting time, or whose approval by the service, has ended. Must only be called when a person
 * asks for it.
 */
export function createPreparingAgain(options: PreparingAgainOptions) {
  const { store, journal, expiry, hide, connections, profiles, limits, operations, calls, clock } = options;
  const underWay = new Map<string, Promise<StoredProposal>>();

  function assertMayPrepare(proposal: StoredProposal): void {
    if (!isOver(proposal, clock.nowMs()) || proposal.replacedBy !== null) {
      throw new AppError('proposal_not_waiting');
    }
    if (proposal.prunedAtMs !== null) {
      throw new AppError('prepare_again_impossible', { message: detailsGone });
    }
    assertSameAccount(proposal, profiles.get(proposal.profile.id).account || null);
    assertUnlocked(store, proposal);
    // Freeze, admission, quiet hours and limits of one change: the service is not asked for a change that they refuse.
    limits.assertMaySend(proposal, clock.monotonicMs());
  }

  async function prepare(id: string): Promise<StoredProposal> {
    const asked = loadProposal(store, id);
    assertMayPrepare(asked);
    const connection = connections.of(asked.profile.id);
    const operation = operations[asked.operation];
    if (operation.prepareAgain === undefined) throw new AppError('prepare_again_impossible');
    const draft = await operation.prepareAgain(asked);
    if (connections.of(asked.profile.id) !== connection) throw new AppError('profile_changed');
    const successor = store.transaction(() => {
      // The proposal may have been decided, withdrawn or replaced during the preparation.
      const now = loadProposal(store, id);
      assertMayPrepare(now);
      assertUnlocked(store, { profile: now.profile, targets: draft.targets });
      limits.assertMayPropose(draft, now);
      const proposed = journal.propose({ ...draft, undoes: undoesOf(store, now) }, now);
      const outcome = outcomeWith('prepared_again');
      journal.move(now, 'expired', { by: { actor: 'You' }, set: { outcome, replacedBy: proposed.id } });
      calls.succeed(now.id, proposed);
      return proposed;
    });
    hide(id);
    expiry.schedule();
    return successor;
  }

  function once(id: string): Promise<StoredProposal> {
    const running = underWay.get(id);
    if (running !== undefined) return running;
    const preparing = prepare(id).finally(() => underWay.delete(id));
    underWay.set(id, preparing);
    return preparing;
  }

  /**
   * Returns the latest waiting successor, or prepares a new successor on the current state. Concurrent calls prepare it once.
   * Fails with `prepare_again_impossible`, `proposal_not_waiting`, `account_changed`, `campaign_locked` or `profile_changed`,
   * or as the agent's limits or the service do; the proposal then stays unchanged.
   */
  async function again(id: string): Promise<StoredProposal> {
    const last = latestId(store, id);
    expiry.endDue(last);
    const latest = loadProposal(store, last);
    const isReady = isUndecided(latest.state) && !isOver(latest, clock.nowMs());
    return isReady ? latest : once(latest.id);
  }

  /** Like `again` if the service's approval has ended or a successor exists. Returns any other proposal unchanged. */
  async function ready(id: string): Promise<StoredProposal> {
    let proposal = loadProposal(store, id);
    for (const { id: next } of successorsOf(store, id)) {
      expiry.endDue(next);
      proposal = loadProposal(store, next);
      if (proposal.state !== 'expired') break;
    }
    const needsIt = isUndecided(proposal.state) && hasApprovalEnded(proposal, clock.nowMs());
    return needsIt ? again(proposal.id) : proposal;
  }

  return { again, ready };
}

const detailsGone = 'The details of this change were removed. Propose it anew.';
