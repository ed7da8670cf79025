import type { Journal } from '../lifecycle/journal.ts';
import type { SettledWaiter } from '../lifecycle/unfinished-work.ts';
import { latestId, loadProposal } from '../operations/stored-proposals.ts';
import { outcomeView, outcomeWith } from '../operations/outcome.ts';
import { sha256 } from '../operations/fingerprint.ts';
import { cidsIn, keyIn } from '../operations/tool-call/call-arguments.ts';
import {
  assertExact,
  assertReadable,
  prepareToolCall,
  sentArguments,
  type ToolCallRequest,
  createComparisonsOf,
} from '../operations/tool-call/prepare.ts';
import { answerIn, readStoredCall } from '../operations/tool-call/stored-parts.ts';
import type { AgentCallSuccession } from '../proposing/propose-again.ts';
import type { Proposition } from '../proposing/proposing.ts';
import type { Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { createKeyedQueue } from '#core/platform/work-queues.ts';
import { viewOf } from '#core/profiles/index.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { AgentCall, AppStore, StoredProposal } from '#core/store/app/index.ts';
import { everyRow, type ProposalView } from '#shared/app-api/index.ts';
import { AppError, type ErrorCode } from '#shared/errors/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { createAbandonedCalls, createOpenCalls } from './abandoned-calls.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { sentence, type Sentence } from '#shared/lib/sentence.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

/** The gate for agents. When a person had a proposal prepared again, the id of the earlier proposal refers to its successor. */
export interface AgentGate {
  /**
   * Makes the call a proposal. A call with an idempotency key that the agent used before joins the earlier proposal,
   * or fails with `idempotency_conflict` if its content differs. Fails as the agent's guard and the reads do, with
   * `too_many_waiting`, `campaign_locked` or `prepared_differs`, or with a `duplicate…` code of strict JSON.
   */
  propose(request: ToolCallRequest): Promise<ProposalView>;
  /** Resolves with the settled proposal, or with its current state when the signal fires. Fails with `proposal_not_found`. */
  untilSettled(id: string, signal: AbortSignal): Promise<ProposalStatus>;
  /** Fails with `proposal_not_found` also for a proposal of another agent, so that an agent cannot probe for ids. */
  find(agentId: string, id: string): ProposalStatus;
  /** Like `find`, with the tool and the times that a task of the agent reports. */
  task(agentId: string, id: string): AgentTask;
  /** Withdraws this agent's proposal unless it has been decided. Fails as `find` does. */
  withdraw(agentId: string, id: string): void;
  answerOf(id: string): JsonObject | null;
  /** The number of the newest ledger row about the proposal. */
  ledgerRowOf(id: string): number | null;
  giveReceipt(id: string): void;
  /**
   * Reports the end of a call without an answer. Withdraws its proposal
   * soon, and before any decision, unless the agent has a receipt.
   */
  abandon(id: string): void;
  endSession(sessionId: string): void;
  withdrawAll(agentId: string | null, because: ErrorCode): void;
}

/** Status of a proposal for its agent. It contains no descriptions, because a hundred calls may ask at once. */
export type ProposalStatus = Pick<
  ProposalView,
  'id' | 'state' | 'rebase' | 'conflict' | 'verdicts' | 'outcome' | 'reason' | 'expiresAtMs'
>;

export interface AgentTask {
  view: ProposalStatus;
  /** Null after the details of the proposal were removed. */
  tool: string | null;
  createdAtMs: number;
  updatedAtMs: number;
}

function statusOf(stored: StoredProposal): ProposalStatus {
  const { id, state, rebase, conflict, verdicts, outcome, reason, expiresAtMs } = stored;
  return { id, state, rebase, conflict, verdicts, outcome: outcomeView(outcome), reason, expiresAtMs };
}

interface AgentCallsOptions {
  store: AppStore;
  connections: Pick<Connections, 'of'>;
  propose(proposition: Proposition): Promise<StoredProposal>;
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  journal: Journal;
  hide(id: string): void;
  settled: SettledWaiter;
  originsOf(profileId: string): readonly string[];
  clock: Clock;
  logger: Logger;
  view(proposal: StoredProposal): ProposalView;
  endUnwantedPauses(): void;
  formats(): Formats;
}

interface AgentCalls extends AgentGate, AgentCallSuccession {
  /** Withdraws abandoned proposals now. Must run before any decision and before the store closes. */
  settleAbandoned(): void;
  /** Withdraws the proposals whose calls were open when the program ended, unless the agent has a receipt. */
  recover(): void;
}

type Call = Pick<AgentCall, 'idempotencyKey' | 'requestHash' | 'sessionId'>;

export function createAgentCalls(options: AgentCallsOptions): AgentCalls {
  const { store, connections, propose, run, originsOf, journal, settled, clock, logger, view, formats } =
    options;
  const { agentCalls } = store;
  const latest = (id: string): string => latestId(store, id);
  const open = createOpenCalls();
  const inTurnOfKey = createKeyedQueue();
  const abandoned = createAbandonedCalls({ store, logger }, (id) =>
    withdraw(loadProposal(store, id), 'proposal_withdrawn', agentLeft),
  );

  function attend({ id, state }: StoredProposal): void {
    if (!isUndecided(state)) return;
    open.add(id);
    abandoned.resume(id);
  }

  function joined(agentId: string, call: Call): StoredProposal | null {
    const earlier = call.idempotencyKey === null ? null : agentCalls.byKey(agentId, call.idempotencyKey);
    if (earlier === null) return null;
    if (earlier.requestHash !== call.requestHash) throw new AppError('idempotency_conflict');
    if (earlier.sessionId !== call.sessionId) agentCalls.setSession(earlier.proposalId, call.sessionId);
    return loadProposal(store, earlier.proposalId);
  }

  function proposeNew(request: ToolCallRequest, args: JsonObject, call: Call): Promise<StoredProposal> {
    const { agent, quotation } = request;
    const connection = connections.of(agent.profileId);
    const { campaigns: client, profile } = connection;
    const proposedBy = {
      kind: 'agent',
      name: agent.name,
      sinceMs: agent.sinceMs,
      agentId: agent.id,
    } as const;
    return propose({
      connection,
      proposer: { profile: viewOf(profile), proposedBy, quotation },
      cids: cidsIn(args),
      prepare: () => {
        const nowMs = clock.nowMs();
        const comparisonsOf = createComparisonsOf(store, profile.id, nowMs);
        const preparation = { client, today: connection.today() };
        return prepareToolCall(preparation, { request, args, nowMs, comparisonsOf }, formats());
      },
      record: ({ id: proposalId }) =>
        agentCalls.insert({ ...call, proposalId, agentId: agent.id, receiptAtMs: null, answer: null }),
    });
  }

  async function proposeCall(request: ToolCallRequest): Promise<StoredProposal> {
    const { agent, sessionId, tool } = request;
    assertReadable(request.args);
    assertExact(request.args);
    const args = sentArguments(request);
    const requestHash = sha256(canonicalJson({ name: tool.name, arguments: args }));
    const call = { idempotencyKey: keyIn(args), requestHash, sessionId };
    const make = async (): Promise<StoredProposal> => {
      const proposal = joined(agent.id, call) ?? (await proposeNew(request, args, call));
      attend(proposal);
      return proposal;
    };
    return call.idempotencyKey === null ? make() : inTurnOfKey(`${agent.id} ${call.idempotencyKey}`, make);
  }

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
      // A proposal that cannot be withdrawn must not keep the others.
      for (const proposal of theirs) withdrawAlone(proposal, because);
      throw failure;
    }
  }

  async function untilSettled(id: string, signal: AbortSignal): Promise<StoredProposal> {
    const proposal = await settled.untilSettled(latest(id), signal);
    return proposal.replacedBy === null ? proposal : untilSettled(proposal.replacedBy, signal);
  }

  function findOwn(agentId: string, id: string): StoredProposal {
    const proposal = loadProposal(store, latest(id));
    if (proposal.proposedBy.agentId !== agentId) throw new AppError('proposal_not_found');
    return proposal;
  }

  return {
    propose: (request) => run(async () => view(await proposeCall(request))),
    async untilSettled(id, signal) {
      const proposal = await untilSettled(id, signal);
      if (!isUndecided(proposal.state)) open.forget(proposal.id);
      return statusOf(proposal);
    },
    find: (agentId, id) => statusOf(findOwn(agentId, id)),
    task(agentId, id) {
      const proposal = findOwn(agentId, id);
      const { createdAtMs, updatedAtMs, prunedAtMs } = proposal;
      const tool = prunedAtMs === null ? readStoredCall(proposal).call.name : null;
      return { view: statusOf(proposal), tool, createdAtMs, updatedAtMs };
    },
    withdraw: (agentId, id) => withdraw(findOwn(agentId, id), 'proposal_withdrawn', cancelledByAgent),
    answerOf(id) {
      const proposal = latest(id);
      const text = agentCalls.find(proposal)?.answer ?? null;
      if (text === null) return null;
      return answerIn(atOriginNow(text, originsOf(loadProposal(store, proposal).profile.id)));
    },
    ledgerRowOf(id) {
      const filter = { ...everyRow, proposalId: latest(id) };
      return store.ledger.page({ beforeSeq: null, limit: 1, filter }).rows[0]?.seq ?? null;
    },
    giveReceipt(asked) {
      const id = latest(asked);
      agentCalls.giveReceipt(id, clock.nowMs());
      open.release(id);
    },
    succeed(id, successor) {
      if (agentCalls.find(id) === null) return;
      agentCalls.moveToSuccessor(id, successor.id);
      // The call of this proposal has been answered, so only the end of its session or agent withdraws the successor.
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
        // An open call withdraws its proposal when the call ends. A call of another session keeps the proposal.
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

/** The origin of an uploaded picture on any loopback port, because an embedded service chooses its port at each start. */
const localPicture = /http:\/\/127\.0\.0\.1:\d{1,5}(?=\/uploads\/[0-9a-f]{64}\.)/g;

function atOriginNow(text: string, [origin]: readonly string[]): string {
  return origin?.startsWith('http://127.0.0.1:') === true ? text.replace(localPicture, origin) : text;
}

const callEnded = sentence`The call of the agent was open when Countersign ended. Nothing was sent.`;
const cancelledByAgent = sentence`The agent cancelled its call before a decision. Nothing was sent.`;
const agentLeft = sentence`The agent left before a decision. Nothing was sent.`;
