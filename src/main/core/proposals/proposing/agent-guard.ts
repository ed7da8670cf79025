import type { Proposer } from '../lifecycle/journal.ts';
import type { Draft, ProposalWords } from '../operations/operation.ts';

/** What an agent wants, and what its limits look at. */
export interface Guarded {
  proposer: Proposer;
  draft: Pick<Draft, 'operation' | 'targets' | 'payload' | 'rebase'>;
  words: ProposalWords;
}

/** What an agent may propose at all, and whether it may leave. It only refuses. */
export interface AgentGuard {
  /**
   * Asked before anything is written down. Fails with `agents_frozen`, `agent_unknown` or `guardrail`, naming the rule and what
   * would pass.
   */
  assertAllowed(asked: Guarded): void;
  /**
   * Asked again before what a person approved then leaves: the agent may have ended meanwhile, or been frozen, and limits may be others. How much
   * it may propose is not asked again. An admission may leave while nothing is frozen. Fails as `assertAllowed`.
   */
  assertMayLeave(asked: Guarded & { approvedAtMs: number }): void;
}
