import type { ProposalState, ProposalSummary, ProposalView } from '#shared/app-api/index.ts';
import type { ErrorCode } from '#shared/errors/index.ts';

/**
 * A proposal at rest. What a person reads is made from `payload`, `base` and `createdAtMs` whenever it is asked for;
 * only what a list needs is kept in words (`headline`).
 */
export interface StoredProposal {
  id: string;
  operation: ProposalView['operation'];
  state: ProposalState;
  profile: ProposalView['profile'];
  proposedBy: ProposalView['proposedBy'];
  quotation: string | null;
  createdAtMs: number;
  expiresAtMs: number;
  updatedAtMs: number;
  /** When the intent was on the disk; the request left after it. Null before. */
  intentAtMs: number | null;
  /** Campaign ids in the order they are shown. */
  targets: number[];
  /** The exact canonical JSON text that is sent. */
  payload: string;
  /** Canonical JSON text of the read that the payload was made from; its shape belongs to the operation. */
  base: string;
  /** 256 random bits, so that no two proposals share a fingerprint. */
  nonce: string;
  fingerprint: string;
  headline: Headline;
  rebase: ProposalView['rebase'];
  conflict: ProposalView['conflict'];
  replacedBy: string | null;
  verdicts: ProposalView['verdicts'];
  outcome: { code: ErrorCode; message: string } | null;
  reason: string | null;
  /** When payload, base and the verdicts of fields stored as asked were removed; null while they are there. */
  prunedAtMs: number | null;
}

/** What the list of proposals shows besides the state. */
export type Headline = Pick<
  ProposalSummary,
  'title' | 'perDay' | 'worstWarning' | 'groupKey' | 'groupTitle' | 'askedBy'
>;

/** What a move may change besides the state and `updatedAtMs`. Everything else is fixed at creation. */
export type ProposalPatch = Partial<
  Pick<StoredProposal, 'intentAtMs' | 'conflict' | 'replacedBy' | 'verdicts' | 'outcome' | 'reason'>
>;
