import { z } from 'zod';
import { askerSchema, proposalSchema, proposalSummarySchema } from '#shared/app-api/index.ts';
import { fieldLabel } from '#shared/campaign/index.ts';
import { errorCodes } from '#shared/errors/index.ts';
import type { StoredProposal } from './stored-proposal.ts';

/** A row of the table: texts and numbers only. */
export interface ProposalRow {
  id: string;
  operation: string;
  state: string;
  profile_id: string;
  agent_id: string | null;
  created_at_ms: number;
  expires_at_ms: number;
  updated_at_ms: number;
  intent_at_ms: number | null;
  payload: string;
  base: string;
  nonce: string;
  fingerprint: string;
  /** Who asked for what, as far as no query looks at it: JSON text that never changes. */
  origin: string;
  /** What has become of it, as far as no query looks at it: JSON text. */
  progress: string;
  pruned_at_ms: number | null;
}

const { shape } = proposalSchema;

// The JSON columns; read by their schemas, since a file may have been written by an older version.
export const originSchema = z.object({
  profile: shape.profile,
  proposedBy: shape.proposedBy.extend({ agentId: z.string().nullable().default(null) }),
  quotation: shape.quotation,
  targets: z.array(z.int()),
  headline: proposalSummarySchema.pick({ title: true, perDay: true, worstWarning: true }).extend({
    groupKey: z.string().nullable().default(null),
    groupTitle: z.string().nullable().default(null),
    askedBy: z.array(askerSchema).nullable().default(null),
  }),
  rebase: shape.rebase,
});

/** A field that is stored as asked reads the same on both sides: its name, that text, and its label where it is not the usual one. */
const storedVerdict = z.tuple([z.string(), z.string(), z.string().optional()]);

/** Verdicts at rest. Most fields are stored as asked, so these are kept short; older files have every one as an object. */
export const restingVerdicts = z.array(
  z.union([
    shape.verdicts.element,
    storedVerdict.transform(([field, text, label = fieldLabel(field)]) => ({
      field,
      label,
      verdict: 'stored' as const,
      sent: text,
      found: text,
    })),
  ]),
);

/** Verdicts as they are stored. */
function verdictsToRest(verdicts: StoredProposal['verdicts']): z.input<typeof restingVerdicts> {
  return verdicts.map((one) => {
    const { field, label, verdict, sent, found } = one;
    if (verdict !== 'stored' || sent !== found) return one;
    return label === fieldLabel(field) ? [field, sent] : [field, sent, label];
  });
}

const progressSchema = z.object({
  conflict: shape.conflict,
  replacedBy: shape.replacedBy,
  verdicts: restingVerdicts,
  outcome: z.object({ code: z.enum(errorCodes), message: z.string() }).nullable(),
  reason: shape.reason,
});

/** The money per day of a headline, from its JSON text. */
export function moneyOf(text: string): StoredProposal['headline']['perDay'] {
  return originSchema.shape.headline.shape.perDay.parse(JSON.parse(text));
}

export function toRow(proposal: StoredProposal): ProposalRow {
  const { profile, proposedBy, quotation, targets, headline, rebase } = proposal;
  const { conflict, replacedBy, verdicts, outcome, reason } = proposal;
  const origin: z.input<typeof originSchema> = { profile, proposedBy, quotation, targets, headline, rebase };
  const progress: z.input<typeof progressSchema> = {
    conflict,
    replacedBy,
    verdicts: verdictsToRest(verdicts),
    outcome,
    reason,
  };
  return {
    id: proposal.id,
    operation: proposal.operation,
    state: proposal.state,
    profile_id: profile.id,
    agent_id: proposedBy.agentId,
    created_at_ms: proposal.createdAtMs,
    expires_at_ms: proposal.expiresAtMs,
    updated_at_ms: proposal.updatedAtMs,
    intent_at_ms: proposal.intentAtMs,
    payload: proposal.payload,
    base: proposal.base,
    nonce: proposal.nonce,
    fingerprint: proposal.fingerprint,
    origin: JSON.stringify(origin),
    progress: JSON.stringify(progress),
    pruned_at_ms: proposal.prunedAtMs,
  };
}

export function fromRow(row: ProposalRow): StoredProposal {
  return {
    id: row.id,
    operation: shape.operation.parse(row.operation),
    state: shape.state.parse(row.state),
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    updatedAtMs: row.updated_at_ms,
    intentAtMs: row.intent_at_ms,
    payload: row.payload,
    base: row.base,
    nonce: row.nonce,
    fingerprint: row.fingerprint,
    prunedAtMs: row.pruned_at_ms,
    ...originSchema.parse(JSON.parse(row.origin)),
    ...progressSchema.parse(JSON.parse(row.progress)),
  };
}
