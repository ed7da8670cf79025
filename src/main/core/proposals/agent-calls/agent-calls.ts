import type { Journal } from '../lifecycle/journal/journal.ts';
import type { SettledWaiter } from '../lifecycle/wait-until-settled.ts';
import { latestId, loadProposal } from '../operations/load-proposal.ts';
import { outcomeWith } from '../operations/outcome.ts';
import { answerIn } from '../operations/tool-call/read-back.ts';
import type { AgentCallSuccession } from '../proposing/propose-again.ts';
import type { Profiles } from '#core/profiles/index.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { AppError, type ErrorCode } from '#shared/errors/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { createAbandonedCalls } from './abandoned-calls.ts';
import { type AgentGate, statusOf } from './gate-for-agents.ts';
import { type CallProposalsOptions, createCallProposals } from './call-proposals.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { sentence, type Sentence } from '#shared/lib/sentence.ts';

export interface AgentCallsOptions extends CallProposalsOptions {
  journal: Journal;
  /** Hides the showing of a proposal that is withdrawn. */
  hide(id: string): void;
  settled: SettledWaiter;
  profiles: Pick<Profiles, 'originsOf'>;
  logger: Logger;
  view(proposal: StoredProposal): ProposalView;
  /** How numbers and moments are written at this time. */
  formats(): Formats;
}

/** Proposals whose agent has gone, which are withdrawn a moment later. */
export interface SettlesAbandoned {
  /** Takes it back now: before a person decides on anything, and before the store closes. */
  settleAbandoned(): void;
}

/** The gate from the side of the agents, beside the {@link recoverAgentCalls} of a start. */
export function createAgentCalls(
  options: AgentCallsOptions,
): AgentGate & SettlesAbandoned & AgentCallSuccession {
  const { store, profiles, journal, settled, clock, logger, view } = options;
  const { agentCalls } = store;
  const latest = (id: string): string => latestId(store, id);
  const open = createOpenCalls();
  const abandoned = createAbandonedCalls({
    store,
    logger,
    takeBack: (id) => withdraw(loadProposal(store, id), 'proposal_withdrawn', agentLeft),
  });

  const proposeCall = createCallProposals(options, (proposal) => {
    if (!isUndecided(proposal.state)) return;
    open.add(proposal.id);
    abandoned.resume(proposal.id);
  });

  function withdraw(proposal: StoredProposal, because: ErrorCode, message?: Sentence): void {
    if (!isUndecided(proposal.state)) return;
    store.transaction(() => {
      journal.move(proposal, 'withdrawn', { set: { outcome: outcomeWith(because, message) } });
      store.afterCommit(() => {
        open.forget(proposal.id);
        options.hide(proposal.id);
      });
    });
  }

  function withdrawAlone(proposal: StoredProposal, because: ErrorCode): void {
    try {
      withdraw(proposal, because);
    } catch (failure) {
      logger.error({ failure, proposal: proposal.id }, 'What an agent has waiting could not be withdrawn');
    }
  }

  /** Waits for what a proposal became, through every successor. */
  async function untilSettled(id: string, signal: AbortSignal): Promise<StoredProposal> {
    const proposal = await settled.untilSettled(latest(id), signal);
    return proposal.replacedBy === null ? proposal : untilSettled(proposal.replacedBy, signal);
  }

  return {
    propose: async (request) => view(await proposeCall(request)),
    async untilSettled(id, signal) {
      const proposal = await untilSettled(id, signal);
      if (!isUndecided(proposal.state)) open.forget(proposal.id);
      return statusOf(proposal);
    },
    find(agentId, id) {
      const proposal = loadProposal(store, latest(id));
      if (proposal.proposedBy.agentId !== agentId) throw new AppError('proposal_not_found');
      return statusOf(proposal);
    },
    answerOf(id) {
      const proposal = latest(id);
      const text = agentCalls.find(proposal)?.answer ?? null;
      if (text === null) return null;
      return answerIn(atOriginNow(text, profiles.originsOf(loadProposal(store, proposal).profile.id)));
    },
    giveReceipt(asked) {
      const id = latest(asked);
      agentCalls.giveReceipt(id, clock.nowMs());
      open.release(id);
    },
    succeed(id, successor) {
      if (agentCalls.find(id) === null) return;
      agentCalls.succeed(id, successor.id);
      // Its call has been answered: from now on only the end of its session, or of its agent, takes it back.
      if (!open.has(id)) return agentCalls.giveReceipt(successor.id, clock.nowMs());
      store.afterCommit(() => open.move(id, successor.id));
    },
    abandon(asked) {
      const id = latest(asked);
      const isSessionOver = open.release(id);
      if (open.has(id)) return;
      if (isSessionOver || agentCalls.find(id)?.receiptAtMs === null) abandoned.abandon(id);
    },
    endSession(sessionId) {
      for (const call of agentCalls.undecided()) {
        if (call.sessionId !== sessionId) continue;
        // A call that is open still takes it along when it ends; one of another session keeps it.
        if (!open.endSession(call.proposalId)) abandoned.abandon(call.proposalId);
      }
    },
    settleAbandoned: abandoned.flush,
    withdrawAll(agentId, because) {
      const waiting = store.proposals.undecided(agentId ?? undefined);
      const theirs = waiting
        .filter(({ proposedBy }) => proposedBy.agentId !== null)
        .map(({ id }) => loadProposal(store, id));
      try {
        store.transaction(() => theirs.forEach((proposal) => withdraw(proposal, because)));
      } catch (failure) {
        // One that cannot be taken back keeps none of the others waiting.
        for (const proposal of theirs) withdrawAlone(proposal, because);
        throw failure;
      }
    },
  };
}

/** The origin of an uploaded picture at any port of the loopback: an embedded service chooses its port at each start. */
const localPicture = /http:\/\/127\.0\.0\.1:\d{1,5}(?=\/uploads\/[0-9a-f]{64}\.)/g;

/** A stored answer, whose uploaded picture is named where a service on the loopback listens now. */
function atOriginNow(text: string, [origin]: readonly string[]): string {
  return origin?.startsWith('http://127.0.0.1:') === true ? text.replace(localPicture, origin) : text;
}

/** Counts the open calls of each proposal: calls with one key share it. No receipt keeps the proposal after its session ended. */
function createOpenCalls() {
  const open = new Map<string, { calls: number; isSessionOver: boolean }>();
  return {
    has: (id: string): boolean => open.has(id),
    add(id: string): void {
      open.set(id, { calls: (open.get(id)?.calls ?? 0) + 1, isSessionOver: false });
    },
    /** One of the open calls waits no longer. Returns whether the session ended meanwhile. */
    release(id: string): boolean {
      const { calls, isSessionOver } = open.get(id) ?? { calls: 1, isSessionOver: false };
      if (calls > 1) open.set(id, { calls: calls - 1, isSessionOver });
      else open.delete(id);
      return isSessionOver;
    },
    forget: (id: string): void => void open.delete(id),
    /** The calls wait for the successor from now on. */
    move(id: string, successorId: string): void {
      const waiting = open.get(id);
      if (waiting === undefined) return;
      open.delete(id);
      open.set(successorId, waiting);
    },
    /** Notes that the session has ended. False where no call is open. */
    endSession(id: string): boolean {
      const waiting = open.get(id);
      if (waiting !== undefined) waiting.isSessionOver = true;
      return waiting !== undefined;
    },
  };
}

const callEnded = sentence`The call of the agent was open when Countersign ended. Nothing was sent.`;
const agentLeft = sentence`The agent left before a decision. Nothing was sent.`;

/**
 * Withdraws the proposals of calls that were open when the program ended. A proposal whose agent has a receipt
 * stays.
 */
export function recoverAgentCalls({
  store,
  journal,
  logger,
}: Pick<AgentCallsOptions, 'store' | 'journal' | 'logger'>): void {
  for (const { proposalId, receiptAtMs } of store.agentCalls.undecided()) {
    if (receiptAtMs !== null) continue;
    const outcome = outcomeWith('proposal_withdrawn', callEnded);
    try {
      journal.move(loadProposal(store, proposalId), 'withdrawn', { set: { outcome } });
    } catch (failure) {
      if (!(failure instanceof AppError)) throw failure;
      logger.error({ failure, proposal: proposalId }, 'What an agent left could not be withdrawn');
    }
  }
}
