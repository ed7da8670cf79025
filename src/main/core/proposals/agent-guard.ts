import type { Draft, ProposalWords } from './operation.ts';
import type { Proposer } from './journal.ts';

/** What an agent may propose at all, and whether it may leave; asked before anything is written. It only refuses. */
export interface AgentGuard {
  /** Fails with `agents_frozen`, `agent_unknown` or `guardrail`, naming the rule and what would pass. */
  assertAllowed(asked: { proposer: Proposer; draft: Draft; words: ProposalWords }): void;
  /** Asked again before what a person has approved leaves. Fails with `agents_frozen`. */
  assertThawed(): void;
}
