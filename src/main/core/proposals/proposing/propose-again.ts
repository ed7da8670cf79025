import type { Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Profiles } from '#core/profiles/index.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import type { Journal } from '../lifecycle/journal/journal.ts';
import { latestId, loadProposal, successorsOf, undoesOf } from '../operations/load-proposal.ts';
import { assertUnlocked } from '../operations/locks.ts';
import { outcomeWith } from '../operations/outcome.ts';
import { assertSameAccount, type Operations } from '../operations/operation.ts';
import type { AgentLimits } from './agent-limits.ts';
import { hasApprovalEnded } from '../operations/tool-call/stored-parts.ts';

/** Proposes a change once more whose time, or whose approval by the service, has ended. Asked for by a person's gesture alone. */
export interface PreparingAgain {
  /**
   * The proposal that can be decided in the place of this one: its latest successor where that waits, else a new one, prepared now on
   * the state of now. Nothing is sent. Two gestures at once prepare once. Fails with `prepare_again_impossible`,
   * `proposal_not_waiting`, `account_changed`, `campaign_locked`, `profile_changed`, as the limits of its agent do, or as the service
   * does; the proposal is then as it was.
   */
  again(id: string): Promise<StoredProposal>;
  /** The same if its approval has ended while it waits, or if it was prepared again already; any other is returned as it is. */
  ready(id: string): Promise<StoredProposal>;
}

/** Calls whose proposal another one has taken the place of. */
export interface AgentCallSuccession {
  /**
   * Inside a transaction: the call behind a proposal, with its key and those who wait for it, belongs to its successor from then on.
   * Does nothing for a proposal without a call.
   */
  succeed(id: string, successor: StoredProposal): void;
}

export interface PreparingAgainOptions {
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

/** True for a proposal that ended undecided, or that the service would not take any more. */
function isOver(proposal: StoredProposal, nowMs: number): boolean {
  return proposal.state === 'expired' || (isUndecided(proposal.state) && hasApprovalEnded(proposal, nowMs));
}

export function createPreparingAgain(options: PreparingAgainOptions): PreparingAgain {
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
    // Freeze, admission, quiet hours and the limits of one change: the service is not asked for what they refuse.
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
      // It may have been decided, withdrawn or replaced while the service was asked.
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

  async function again(id: string): Promise<StoredProposal> {
    const last = latestId(store, id);
    expiry.endDue(last);
    const latest = loadProposal(store, last);
    const isReady = isUndecided(latest.state) && !isOver(latest, clock.nowMs());
    return isReady ? latest : once(latest.id);
  }

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
