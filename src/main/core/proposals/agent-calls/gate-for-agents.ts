import type { StoredProposal } from '#core/store/app/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import type { ErrorCode } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { outcomeView } from '../operations/outcome.ts';
import type { ToolCallRequest } from '../operations/tool-call/prepare/prepare.ts';

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
export function statusOf(stored: StoredProposal): ProposalStatus {
  const { id, state, rebase, conflict, verdicts, outcome, reason } = stored;
  return { id, state, rebase, conflict, verdicts, outcome: outcomeView(outcome), reason };
}
