import type { Clock } from '#core/platform/clock.ts';
import { createTokenFinder, credentialInside, textsOf } from '#core/platform/credentials.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { shapeIn } from '#shared/lib/credential-shapes.ts';
import type { Describe, PreparedWrite, Proposer, ProposalWords } from '../operations/operation.ts';

export interface Guarded {
  proposer: Proposer;
  draft: Pick<PreparedWrite, 'operation' | 'targets' | 'payload' | 'rebase'>;
  words: ProposalWords;
}

/** Limits on what an agent may propose and what may be sent for it. It only refuses. */
export interface AgentGuard {
  /** Fails with `agents_frozen`, `agent_unknown`, or `guardrail` with the rule and what would pass. */
  assertAllowed(asked: Guarded): void;
  /**
   * Checked again before an approved change is sent, without the limits on pace; an admission passes unless agents are frozen. `approvedAtMs` is
   * a moment of the monotonic clock. Fails as `assertAllowed`.
   */
  assertMaySend(asked: Guarded & { approvedAtMs: number }): void;
}

/** A change that its agent's limits refused. */
export class RefusedChange extends AppError {
  readonly asked: { title: string; cids: readonly number[] };

  constructor(refusal: AppError, asked: RefusedChange['asked']) {
    const { code, message, fields, data } = refusal;
    super(code, { message, fields, data, cause: refusal });
    this.asked = asked;
  }
}

/** Passes what a person or a schedule wants. */
export interface AgentLimits {
  /** Fails with `dlp_denied` for a credential inside, or with a {@link RefusedChange}. */
  assertMayPropose(draft: PreparedWrite, proposer: Proposer): void;
  /** Fails as {@link AgentGuard.assertMaySend}. */
  assertMaySend(proposal: StoredProposal, approvedAtMs: number): void;
}

export interface AgentLimitsOptions {
  guard: AgentGuard;
  store: Pick<AppStore, 'oauth'>;
  describe: Describe;
  clock: Pick<Clock, 'nowMs'>;
}

export function createAgentLimits({ guard, store, describe, clock }: AgentLimitsOptions): AgentLimits {
  /** No valid token of an agent anywhere in the change, and nothing that looks like a credential in what it stores anew. */
  function refuseCredentials({ payload, base }: PreparedWrite, { title, changes }: ProposalWords): void {
    const findToken = createTokenFinder(store.oauth, clock);
    const anew = changes.flatMap(({ after, added }) => [after, ...added]);
    const found = findToken([payload, base, title, ...anew]) ?? shapeIn(textsOf(anew));
    if (found !== null) throw credentialInside('payload', found);
  }

  return {
    assertMayPropose(draft, proposer) {
      const { profile, proposedBy } = proposer;
      if (proposedBy.agentId === null) return;
      const words = describe({ ...draft, profile, proposedBy, createdAtMs: clock.nowMs() });
      refuseCredentials(draft, words);
      try {
        guard.assertAllowed({ proposer, draft, words });
      } catch (failure) {
        if (!(failure instanceof AppError)) throw failure;
        throw new RefusedChange(failure, { title: words.title, cids: draft.targets });
      }
    },
    assertMaySend(proposal, approvedAtMs) {
      if (proposal.proposedBy.kind !== 'agent') return;
      const words = describe(proposal);
      guard.assertMaySend({ proposer: proposal, draft: proposal, words, approvedAtMs });
    },
  };
}
