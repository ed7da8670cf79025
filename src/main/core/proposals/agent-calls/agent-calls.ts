import type { Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import { viewOf } from '#core/profiles/index.ts';
import type { AgentCall, AppStore, StoredProposal } from '#core/store/app/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { AppError, type ErrorCode } from '#shared/errors/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { AgentGate } from './agent-gate.ts';
import { createAbandonedCalls } from './abandoned-calls.ts';
import { sha256 } from '../confirmation/fingerprint.ts';
import { type Journal, type Proposer } from '../lifecycle/journal.ts';
import { createKeyedQueue } from '#core/platform/serial-queue.ts';
import { outcomeWith } from '../lifecycle/outcome.ts';
import type { Proposing } from '../proposing/proposing.ts';
import type { SettledWaiter } from '../lifecycle/settled-waiter.ts';
import type { Showings } from '../confirmation/showings.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { answerIn } from '../operations/tool-call/read-back.ts';
import {
  assertExact,
  assertReadable,
  prepareToolCall,
  sentArguments,
  type CallingAgent,
  type ToolCallRequest,
} from '../operations/tool-call/prepare.ts';
import { cidsIn, keyIn } from '../operations/tool-call/call-arguments.ts';
import { rememberedMs } from '../operations/tool-call/reread.ts';
import { statusOf } from '../confirmation/proposal-view.ts';
import { latestId, loadProposal } from '../lifecycle/lookup.ts';

export interface AgentCallsOptions {
  store: AppStore;
  connections: Pick<Connections, 'of'>;
  journal: Journal;
  showings: Pick<Showings, 'hide'>;
  propose: Proposing['propose'];
  settled: SettledWaiter;
  clock: Clock;
  logger: Logger;
  view(proposal: StoredProposal): ProposalView;
}

/** Proposals whose agent has gone, which are withdrawn a moment later. */
export interface SettlesAbandoned {
  /** Takes it back now: before a person decides on anything, and before the store closes. */
  settleAbandoned(): void;
}

/** Calls whose proposal another one has taken the place of. */
export interface AgentCallsMoved {
  /**
   * Inside a transaction: the call behind a proposal, with its key and those who wait for it, belongs to its successor from then on.
   * Does nothing for a proposal without a call.
   */
  succeed(id: string, successor: StoredProposal): void;
}

/** The gate from the side of the agents, beside the {@link recoverAgentCalls} of a start. */
export function createAgentCalls(options: AgentCallsOptions): AgentGate & SettlesAbandoned & AgentCallsMoved {
  const { store, connections, journal, propose, settled, clock, logger, view } = options;
  const { agentCalls } = store;
  const inTurnOfKey = createKeyedQueue();
  const latest = (id: string): string => latestId(store, id);
  /**
   * Number of open calls for each proposal: calls with one key share it. No receipt keeps the proposal after its
   * session ended.
   */
  const open = new Map<string, { calls: number; isSessionOver: boolean }>();
  const abandoned = createAbandonedCalls({
    store,
    logger,
    takeBack: (id) => withdraw(loadProposal(store, id), 'proposal_withdrawn', agentLeft),
  });

  function attend(proposal: StoredProposal): StoredProposal {
    if (!isUndecided(proposal.state)) return proposal;
    open.set(proposal.id, { calls: (open.get(proposal.id)?.calls ?? 0) + 1, isSessionOver: false });
    abandoned.resume(proposal.id);
    return proposal;
  }

  /** One of the open calls waits no longer. Returns whether the session ended meanwhile. */
  function release(id: string): boolean {
    const { calls, isSessionOver } = open.get(id) ?? { calls: 1, isSessionOver: false };
    if (calls > 1) open.set(id, { calls: calls - 1, isSessionOver });
    else open.delete(id);
    return isSessionOver;
  }

  /** The proposal that this agent's key belongs to; null where it is new. Fails with `idempotency_conflict`. */
  function joined(
    agentId: string,
    call: Pick<AgentCall, 'idempotencyKey' | 'requestHash' | 'sessionId'>,
  ): StoredProposal | null {
    const earlier = call.idempotencyKey === null ? null : agentCalls.byKey(agentId, call.idempotencyKey);
    if (earlier === null) return null;
    if (earlier.requestHash !== call.requestHash) throw new AppError('idempotency_conflict');
    if (earlier.sessionId !== call.sessionId) agentCalls.moveTo(earlier.proposalId, call.sessionId);
    return loadProposal(store, earlier.proposalId);
  }

  async function proposeCall(request: ToolCallRequest): Promise<StoredProposal> {
    const { agent, sessionId, tool } = request;
    assertReadable(request.args);
    assertExact(request.args);
    const args = sentArguments(request);
    const call = { idempotencyKey: keyIn(args), requestHash: requestHashOf(tool.name, args), sessionId };
    const make = async (): Promise<StoredProposal> =>
      attend(joined(agent.id, call) ?? (await proposeNew(request, args, call)));
    return call.idempotencyKey === null ? make() : inTurnOfKey(`${agent.id} ${call.idempotencyKey}`, make);
  }

  function proposeNew(
    request: ToolCallRequest,
    args: JsonObject,
    call: Pick<AgentCall, 'idempotencyKey' | 'requestHash' | 'sessionId'>,
  ): Promise<StoredProposal> {
    const { agent, quotation } = request;
    const connection = connections.of(agent.profileId);
    const { campaigns: client, profile } = connection;
    return propose({
      connection,
      proposer: { profile: viewOf(profile), proposedBy: proposerOf(agent), quotation },
      cids: cidsIn(args),
      prepare: () => {
        const nowMs = clock.nowMs();
        const preparation = { client, today: connection.today() };
        const comparisonsOf = (cid: number) =>
          store.proposals.comparisonsOf({ profileId: profile.id, cid, afterMs: nowMs - rememberedMs });
        return prepareToolCall(preparation, { request, args, nowMs, comparisonsOf });
      },
      record: ({ id: proposalId }) =>
        agentCalls.insert({ ...call, proposalId, agentId: agent.id, receiptAtMs: null, answer: null }),
    });
  }

  function withdraw(proposal: StoredProposal, because: ErrorCode, message?: string): void {
    if (!isUndecided(proposal.state)) return;
    store.transaction(() => {
      journal.move(proposal, 'withdrawn', { set: { outcome: outcomeWith(because, message) } });
      store.afterCommit(() => {
        open.delete(proposal.id);
        options.showings.hide(proposal.id);
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
      if (!isUndecided(proposal.state)) open.delete(proposal.id);
      return statusOf(proposal);
    },
    find(agentId, id) {
      const proposal = loadProposal(store, latest(id));
      if (proposal.proposedBy.agentId !== agentId) throw new AppError('proposal_not_found');
      return statusOf(proposal);
    },
    answerOf(id) {
      const text = agentCalls.find(latest(id))?.answer ?? null;
      return text === null ? null : answerIn(text);
    },
    giveReceipt(asked) {
      const id = latest(asked);
      agentCalls.giveReceipt(id, clock.nowMs());
      release(id);
    },
    succeed(id, successor) {
      if (agentCalls.find(id) === null) return;
      agentCalls.succeed(id, successor.id);
      const waiting = open.get(id);
      // Its call has been answered: from now on only the end of its session, or of its agent, takes it back.
      if (waiting === undefined) agentCalls.giveReceipt(successor.id, clock.nowMs());
      store.afterCommit(() => {
        if (waiting === undefined) return;
        open.delete(id);
        open.set(successor.id, waiting);
      });
    },
    abandon(asked) {
      const id = latest(asked);
      const isSessionOver = release(id);
      if (open.has(id)) return;
      if (isSessionOver || agentCalls.find(id)?.receiptAtMs === null) abandoned.abandon(id);
    },
    endSession(sessionId) {
      for (const call of agentCalls.undecided()) {
        if (call.sessionId !== sessionId) continue;
        const waiting = open.get(call.proposalId);
        // A call that is open still takes it along when it ends; one of another session keeps it.
        if (waiting === undefined) abandoned.abandon(call.proposalId);
        else waiting.isSessionOver = true;
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

/** Distinguishes calls under the same idempotency key: SHA-256 over RFC 8785. */
function requestHashOf(name: string, args: JsonObject): string {
  return sha256(canonicalJson({ name, arguments: args }));
}

const callEnded = 'The call of the agent was open when Countersign ended. Nothing was sent.';
const agentLeft = 'The agent left before a decision. Nothing was sent.';

function proposerOf({ id, name, sinceMs }: CallingAgent): Proposer['proposedBy'] {
  return { kind: 'agent', name, sinceMs, agentId: id };
}

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
