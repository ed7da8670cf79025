import type { Journal } from '../lifecycle/journal/journal.ts';
import type { SettledWaiter, UnfinishedWork } from '../lifecycle/lifecycle.ts';
import { latestId, loadProposal } from '../operations/load-proposal.ts';
import { outcomeView, outcomeWith } from '../operations/outcome.ts';
import { answerIn } from '../operations/tool-call/send.ts';
import type { AgentCallSuccession } from '../proposing/propose-again.ts';
import type { Proposing } from '../proposing/proposing.ts';
import type { ToolCallRequest } from '../operations/tool-call/prepare/prepare.ts';
import type { Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Profiles } from '#core/profiles/index.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { AppError, type ErrorCode } from '#shared/errors/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { createAbandonedCalls } from './abandoned-calls.ts';
import { createCallProposals } from './call-proposals.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { sentence, type Sentence } from '#shared/lib/sentence.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

/**
 * The gate from the side of the agents: they propose, wait, leave. Nothing here decides. Where a person had a proposal prepared again,
 * its id stands for the proposal that took its place.
 */
export interface AgentGate {
  /**
   * Makes the call a proposal. The same agent's same idempotency key joins the proposal that there is, and fails with
   * `idempotency_conflict` where it was another call. Fails as the guard does, and with `too_many_waiting`,
   * `campaign_locked`, `prepared_differs`, `duplicate…` of strict JSON, or as the reads do.
   */
  propose(request: ToolCallRequest): Promise<ProposalView>;
  /**
   * Resolves when the proposal has settled, or with its current state when the signal fires. Fails with
   * `proposal_not_found`.
   */
  untilSettled(id: string, signal: AbortSignal): Promise<ProposalStatus>;
  /** The proposal, where it is this agent's. Fails with `proposal_not_found`, as for one that does not exist. */
  find(agentId: string, id: string): ProposalStatus;
  /** The service's answer to the call, as it came; null while there is none. */
  answerOf(id: string): JsonObject | null;
  /** Records that the agent got a receipt: the proposal then outlives the call. */
  giveReceipt(id: string): void;
  /**
   * The call ended before its answer: its proposal is withdrawn in a moment, and before any decision, where it waits and no receipt
   * was given.
   */
  abandon(id: string): void;
  /** Withdraws what waits of this session, as `leave` does, receipts or not. */
  endSession(sessionId: string): void;
  /** Withdraws what waits of one agent, or of all of them. */
  withdrawAll(agentId: string | null, because: ErrorCode): void;
}

/** Status of a proposal for its agent. It contains no words: a flood of calls asks for a hundred at once. */
export type ProposalStatus = Pick<
  ProposalView,
  'id' | 'state' | 'rebase' | 'conflict' | 'verdicts' | 'outcome' | 'reason'
>;

/** Returns the status of a proposal for its agent. */
function statusOf(stored: StoredProposal): ProposalStatus {
  const { id, state, rebase, conflict, verdicts, outcome, reason } = stored;
  return { id, state, rebase, conflict, verdicts, outcome: outcomeView(outcome), reason };
}

export interface AgentCallsOptions {
  store: AppStore;
  connections: Pick<Connections, 'of'>;
  propose: Proposing['propose'];
  run: UnfinishedWork['run'];
  journal: Journal;
  /** Hides the showing of a proposal that is withdrawn. */
  hide(id: string): void;
  settled: SettledWaiter;
  profiles: Pick<Profiles, 'originsOf'>;
  clock: Clock;
  logger: Logger;
  view(proposal: StoredProposal): ProposalView;
  /** Ends the waits of writes that are not wanted any more. */
  endUnwantedPauses(): void;
  /** How numbers and moments are written at this time. */
  formats(): Formats;
}

export interface AgentCalls extends AgentGate, AgentCallSuccession {
  /** Withdraws now the proposals whose agents have gone: before a person decides on anything, and before the store closes. */
  settleAbandoned(): void;
  /** Withdraws at the start the proposals of calls that were open when the program ended. A proposal whose agent has a receipt stays. */
  recover(): void;
}

export function createAgentCalls(options: AgentCallsOptions): AgentCalls {
  const { store, connections, propose, run, profiles, journal, settled, clock, logger, view, formats } =
    options;
  const { agentCalls } = store;
  const latest = (id: string): string => latestId(store, id);
  const open = createOpenCalls();
  const abandoned = createAbandonedCalls({
    store,
    logger,
    takeBack: (id) => withdraw(loadProposal(store, id), 'proposal_withdrawn', agentLeft),
  });

  const proposeCall = createCallProposals({ store, connections, propose, clock, formats }, (proposal) => {
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

  function withdrawAll(agentId: string | null, because: ErrorCode): void {
    const waiting = store.proposals.undecided(agentId ?? undefined);
    const theirs = waiting
      .filter(({ proposedBy }) => proposedBy.agentId !== null)
      .map(({ id }) => loadProposal(store, id));
    try {
      store.transaction(() => theirs.forEach((proposal) => withdraw(proposal, because)));
    } catch (failure) {
      // If one cannot be withdrawn, the others still are.
      for (const proposal of theirs) withdrawAlone(proposal, because);
      throw failure;
    }
  }

  /** Waits for what a proposal became, through every successor. */
  async function untilSettled(id: string, signal: AbortSignal): Promise<StoredProposal> {
    const proposal = await settled.untilSettled(latest(id), signal);
    return proposal.replacedBy === null ? proposal : untilSettled(proposal.replacedBy, signal);
  }

  return {
    propose: (request) => run(async () => view(await proposeCall(request))),
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
      try {
        withdrawAll(agentId, because);
      } finally {
        options.endUnwantedPauses();
      }
    },
    recover() {
      for (const { proposalId, receiptAtMs } of agentCalls.undecided()) {
        if (receiptAtMs !== null) continue;
        const outcome = outcomeWith('proposal_withdrawn', callEnded);
        try {
          journal.move(loadProposal(store, proposalId), 'withdrawn', { set: { outcome } });
        } catch (failure) {
          if (!(failure instanceof AppError)) throw failure;
          logger.error({ failure, proposal: proposalId }, 'What an agent left could not be withdrawn');
        }
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
