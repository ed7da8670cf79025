import type { ProposalPatch, StoredProposal } from '#core/store/app/index.ts';
import type { ProposalState } from '#shared/app-api/index.ts';
import type { CampaignBefore, PreparedWrite, Proposer } from '../../operations/operation.ts';

/**
 * The only writer of proposals: every state and its ledger row are one transaction, and pages are notified once both
 * are on disk. Fails with `storage_failed` or `ledger_broken`, and `propose` with `dlp_denied`; then nothing has changed.
 */
export interface Journal {
  propose(draft: PreparedWrite, proposer: Proposer): StoredProposal;
  /** Moves along the table of allowed moves; any other move is a bug and throws. */
  move(proposal: StoredProposal, to: ProposalState, how?: Move): StoredProposal;
  /** The clock by which proposals are dated. */
  nowMs(): number;
}

/** A move of a proposal: its actor, Countersign itself unless said otherwise, and what else of it changes. */
export interface Move {
  by?: Partial<Omit<EntryDetails, 'answer' | 'uncopied'>>;
  set?: ProposalPatch;
  /** The service's answer, kept with the call behind the proposal. */
  answer?: string | null;
  /** With an intent: the campaigns as they were before it, of which the copies of the day are made. */
  before?: readonly CampaignBefore[];
}

/** The actor of a ledger row, and where the decision was given. */
export interface EntryDetails {
  actor: string;
  via: string | null;
  /** The batch under whose decision it was done, or null. */
  batch: string | null;
  /** The service's answer that came with it, or null. */
  answer: string | null;
  /** Campaigns of which the intent keeps no copy, because they could not be read in time. */
  uncopied: readonly number[];
}
