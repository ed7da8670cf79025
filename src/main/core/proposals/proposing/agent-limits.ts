import { createTokenFinder, credentialInside, textsOf } from '#core/platform/credentials.ts';
import { shapeIn } from '#shared/lib/credential-shapes.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Describe, PreparedWrite, Proposer, ProposalWords } from '../operations/operation.ts';

/** A change that an agent proposes, as its limits look at it. */
export interface Guarded {
  proposer: Proposer;
  draft: Pick<PreparedWrite, 'operation' | 'targets' | 'payload' | 'rebase'>;
  words: ProposalWords;
}

/** Limits on what an agent may propose and on what may be sent for it. It only refuses. */
export interface AgentGuard {
  /**
   * Asked before anything is written down. Fails with `agents_frozen`, `agent_unknown` or `guardrail`, naming the rule and what
   * would pass.
   */
  assertAllowed(asked: Guarded): void;
  /**
   * Asked again before what a person approved then leaves: the agent may have ended meanwhile, or been frozen, and limits may be others. How much
   * it may propose is not asked again. An admission may leave while nothing is frozen. `approvedAtMs` is a moment of the monotonic
   * clock. Fails as `assertAllowed`.
   */
  assertMaySend(asked: Guarded & { approvedAtMs: number }): void;
}

/** A change that the limits of its agent refused, with what it would have been. */
export class RefusedChange extends AppError {
  readonly asked: { title: string; cids: readonly number[] };

  constructor(refusal: AppError, asked: RefusedChange['asked']) {
    const { code, message, fields, data } = refusal;
    super(code, { message, fields, data, cause: refusal });
    this.asked = asked;
  }
}

export interface Guarding {
  guard: Pick<AgentGuard, 'assertAllowed'>;
  store: Pick<AppStore, 'oauth'>;
  describe: Describe;
  journal: { nowMs(): number };
}

/**
 * Passes for a change without a credential: none of an agent's living tokens anywhere in it, and nothing that looks like a credential
 * in what it would store anew. Fails with `dlp_denied`, before any of it is kept.
 */
function refuseCredentials(
  { store, journal }: Pick<Guarding, 'store' | 'journal'>,
  { payload, base }: Pick<PreparedWrite, 'payload' | 'base'>,
  { title, changes }: ProposalWords,
): void {
  const findToken = createTokenFinder(store.oauth, journal);
  const anew = changes.flatMap(({ after, added }) => [after, ...added]);
  const found = findToken([payload, base, title, ...anew]) ?? shapeIn(textsOf(anew));
  if (found !== null) throw credentialInside('payload', found);
}

/**
 * Passes for what a person wants, and for what the limits of agents let pass now. Fails as {@link AgentGuard} does, with a
 * {@link RefusedChange}.
 */
export function assertAllowed(guarding: Guarding, draft: PreparedWrite, proposer: Proposer): void {
  const { guard, describe, journal } = guarding;
  if (proposer.proposedBy.agentId === null) return;
  const { profile } = proposer;
  const words = describe({
    ...draft,
    profile,
    proposedBy: proposer.proposedBy,
    createdAtMs: journal.nowMs(),
  });
  refuseCredentials(guarding, draft, words);
  try {
    guard.assertAllowed({ proposer, draft, words });
  } catch (failure) {
    if (!(failure instanceof AppError)) throw failure;
    throw new RefusedChange(failure, { title: words.title, cids: draft.targets });
  }
}

/** The same for what was approved and has not left. */
export function assertMaySend(
  { guard, describe }: { guard: Pick<AgentGuard, 'assertMaySend'>; describe: Describe },
  proposal: StoredProposal,
  approvedAtMs: number,
): void {
  if (proposal.proposedBy.kind !== 'agent') return;
  const words = describe(proposal);
  guard.assertMaySend({ proposer: proposal, draft: proposal, words, approvedAtMs });
}
