import { z } from 'zod';
import {
  askerSchema,
  proposalSchema,
  type ProposalState,
  type ProposalSummary,
  proposalSummarySchema,
  type ProposalView,
  statusGroupSchema,
  sentenceSchema,
} from '#shared/app-api/index.ts';
import { fieldLabel, type StatusGroup } from '#shared/campaign/index.ts';
import { type WarningCode, warningCodes } from '#shared/wording/index.ts';
import { type ErrorCode, errorCodes, type FieldError } from '#shared/errors/index.ts';
import { packBeside, packText, unpackBeside, unpackText } from '../packed-text.ts';
import type { Sentence } from '#shared/lib/sentence.ts';

export interface StoredProposal {
  id: string;
  operation: ProposalView['operation'];
  state: ProposalState;
  profile: ProposalView['profile'];
  proposedBy: ProposalView['proposedBy'];
  quotation: string | null;
  createdAtMs: number;
  /** Uptime of the machine at creation; absent if an earlier build stored the proposal. */
  createdUptimeMs?: number;
  expiresAtMs: number;
  updatedAtMs: number;
  /** Set before the request is sent. */
  intentAtMs: number | null;
  targets: number[];
  /** The exact canonical JSON text that is sent. */
  payload: string;
  /** The campaign from which the payload was made, as canonical JSON text. */
  base: string;
  nonce: string;
  fingerprint: string;
  headline: Headline;
  rebase: ProposalView['rebase'];
  /** Null unless the change undoes another change. */
  undoes: { id: string; skipped: { what: Sentence; because: Sentence }[] } | null;
  /** How the campaigns that the change resumes were stopped. */
  stoppedAs?: StatusGroup[];
  conflict: ProposalView['conflict'];
  replacedBy: string | null;
  verdicts: ProposalView['verdicts'];
  /** `fields` are the fields that the service refused: untrusted text. */
  outcome: { code: ErrorCode; message: Sentence; fields?: Record<keyof FieldError, string>[] } | null;
  reason: string | null;
  prunedAtMs: number | null;
}

export type ListedProposal = Omit<StoredProposal, 'payload' | 'base' | 'verdicts'>;

export type Headline = Pick<
  ProposalSummary,
  'title' | 'perDay' | 'worstWarning' | 'askedBy' | 'approvalEndsAtMs'
> & {
  /** Sorted by field; null for a change that must be decided alone. */
  comparable: ComparedField[] | null;
  /** The operand that explains all members of a batch; null for any other proposal. */
  operand: FieldOperand[] | null;
  /** Kept when the details are removed. Absent if an earlier build stored the proposal. */
  warningCodes?: WarningCode[];
};

const micros = z.string();
const unit = z.enum(['money', 'count']);
const value = z.json().exactOptional();

const comparedFieldSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('amount'),
    field: z.string(),
    unit,
    before: micros,
    after: micros,
    value,
    text: z.string(),
  }),
  z.object({ kind: z.literal('value'), field: z.string(), value, text: z.string() }),
  z.object({ kind: z.literal('host'), field: z.string(), before: z.string(), after: z.string() }),
]);

/** `text` describes the new value for display. */
export type ComparedField = z.infer<typeof comparedFieldSchema>;

const fieldOperandSchema = z.discriminatedUnion('by', [
  z.object({ by: z.literal('ratio'), field: z.string(), unit, over: z.string(), under: z.string() }),
  z.object({ by: z.literal('set'), field: z.string(), value, text: z.string() }),
  z.object({ by: z.literal('add'), field: z.string(), unit, micros }),
  /** Adds `tenths` tenths of a percent and rounds half up to `decimals` decimals. */
  z.object({ by: z.literal('percent'), field: z.string(), unit, tenths: z.int(), decimals: z.int() }),
  z.object({ by: z.literal('host'), field: z.string(), before: z.string(), after: z.string() }),
]);

export type FieldOperand = z.infer<typeof fieldOperandSchema>;

export type ProposalPatch = Partial<
  Pick<StoredProposal, 'intentAtMs' | 'conflict' | 'replacedBy' | 'verdicts' | 'outcome' | 'reason'>
>;

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
  /** Payload and base, compressed. Null if they were removed, and for a batch, because queries read its payload. */
  details: Buffer | null;
  nonce: string;
  fingerprint: string;
  /** JSON text that never changes. */
  origin: string;
  progress: string;
  verdicts: Buffer | null;
  pruned_at_ms: number | null;
}

const { shape } = proposalSchema;

export const originSchema = z.object({
  profile: shape.profile.omit({ id: true }),
  proposedBy: shape.proposedBy.omit({ agentId: true }),
  quotation: shape.quotation,
  // One check for all campaigns: an array schema takes four times as long for the tens of thousands of a large batch.
  targets: z.custom<number[]>((value) => Array.isArray(value) && value.every(Number.isSafeInteger)),
  headline: proposalSummarySchema
    .pick({ title: true, perDay: true, worstWarning: true, approvalEndsAtMs: true })
    .extend({
      askedBy: z.array(askerSchema).nullable().default(null),
      comparable: z.array(comparedFieldSchema).nullable().default(null),
      operand: z.array(fieldOperandSchema).nullable().default(null),
      warningCodes: z.array(z.enum(warningCodes)).exactOptional(),
    }),
  rebase: shape.rebase,
  undoes: z
    .object({ id: z.string(), skipped: z.array(z.object({ what: sentenceSchema, because: sentenceSchema })) })
    .nullable()
    .default(null),
  stoppedAs: z.array(statusGroupSchema).exactOptional(),
  createdUptimeMs: z.number().exactOptional(),
});

/** Field, text of both sides, and a label only if it differs from the usual label. */
const storedVerdict = z.tuple([z.string(), z.string(), z.string().optional()]);

const storedVerdicts = z.array(
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

/** Compresses verdicts with payload and base as a dictionary, because verdicts repeat values of the payload. */
export function verdictsToBlob(
  verdicts: StoredProposal['verdicts'],
  { payload, base }: DetailTexts,
): Buffer | null {
  if (verdicts.length === 0) return null;
  return packBeside(JSON.stringify(verdictsToStore(verdicts)), JSON.stringify([payload, base]));
}

export function verdictsFromBlob(
  blob: Buffer | null,
  { payload, base }: DetailTexts,
): StoredProposal['verdicts'] {
  if (blob === null) return [];
  return storedVerdicts.parse(JSON.parse(unpackBeside(blob, JSON.stringify([payload, base]))));
}

function verdictsToStore(verdicts: StoredProposal['verdicts']): z.input<typeof storedVerdicts> {
  return verdicts.map((one) => {
    const { field, label, verdict, sent, found } = one;
    if (verdict !== 'stored' || sent !== found) return one;
    return label === fieldLabel(field) ? [field, sent] : [field, sent, label];
  });
}

export const progressSchema = z.object({
  conflict: shape.conflict.default([]),
  replacedBy: shape.replacedBy.default(null),
  outcome: z
    .object({
      code: z.enum(errorCodes),
      message: sentenceSchema,
      fields: z.array(z.object({ field: z.string(), code: z.string(), message: z.string() })).exactOptional(),
    })
    .nullable()
    .default(null),
  reason: shape.reason.default(null),
});

type Details = Pick<ProposalRow, 'payload' | 'base' | 'details'>;
type DetailTexts = Pick<StoredProposal, 'payload' | 'base'>;

function storedDetails({ operation, payload, base }: StoredProposal): Details {
  if (operation === 'batch') return { payload, base, details: null };
  return { payload: '', base: '', details: packText(JSON.stringify([payload, base])) };
}

const detailsSchema = z.tuple([z.string(), z.string()]);

export function detailsOf({ payload, base, details }: Details): DetailTexts {
  if (details === null) return { payload, base };
  const [payloadText, baseText] = detailsSchema.parse(JSON.parse(unpackText(details)));
  return { payload: payloadText, base: baseText };
}

export function storedProgress({
  conflict,
  replacedBy,
  outcome,
  reason,
}: Pick<StoredProposal, 'conflict' | 'replacedBy' | 'outcome' | 'reason'>): z.input<typeof progressSchema> {
  return {
    ...(conflict.length === 0 ? {} : { conflict }),
    ...(replacedBy === null ? {} : { replacedBy }),
    ...(outcome === null ? {} : { outcome }),
    ...(reason === null ? {} : { reason }),
  };
}

export function moneyOf(text: string): StoredProposal['headline']['perDay'] {
  return originSchema.shape.headline.shape.perDay.parse(JSON.parse(text));
}

export function toRow(proposal: StoredProposal): ProposalRow {
  const { profile, proposedBy, quotation, targets, headline, rebase, undoes, stoppedAs, createdUptimeMs } =
    proposal;
  const { id: profileId, ...profileWords } = profile;
  const { agentId, ...proposer } = proposedBy;
  const origin: z.input<typeof originSchema> = {
    profile: profileWords,
    proposedBy: proposer,
    quotation,
    targets,
    headline,
    rebase,
    ...(undoes !== null && { undoes }),
    ...(stoppedAs !== undefined && { stoppedAs }),
    ...(createdUptimeMs !== undefined && { createdUptimeMs }),
  };
  return {
    ...changingColumns(proposal),
    operation: proposal.operation,
    profile_id: profileId,
    agent_id: agentId,
    created_at_ms: proposal.createdAtMs,
    expires_at_ms: proposal.expiresAtMs,
    ...storedDetails(proposal),
    nonce: proposal.nonce,
    fingerprint: proposal.fingerprint,
    origin: JSON.stringify(origin),
    pruned_at_ms: proposal.prunedAtMs,
  };
}

/** The columns that a move changes. Details are not among them, because compressing them is slow. */
export function changingColumns(
  proposal: StoredProposal,
): Pick<ProposalRow, 'id' | 'state' | 'updated_at_ms' | 'intent_at_ms' | 'progress' | 'verdicts'> {
  const { conflict, replacedBy, verdicts, outcome, reason } = proposal;
  return {
    id: proposal.id,
    state: proposal.state,
    updated_at_ms: proposal.updatedAtMs,
    intent_at_ms: proposal.intentAtMs,
    progress: JSON.stringify(storedProgress({ conflict, replacedBy, outcome, reason })),
    verdicts: verdictsToBlob(verdicts, proposal),
  };
}

export type ListedRow = Omit<ProposalRow, keyof Details | 'verdicts'>;

export const listedColumns = [
  'id',
  'operation',
  'state',
  'profile_id',
  'agent_id',
  'created_at_ms',
  'expires_at_ms',
  'updated_at_ms',
  'intent_at_ms',
  'nonce',
  'fingerprint',
  'origin',
  'progress',
  'pruned_at_ms',
] as const satisfies (keyof ListedRow)[];

export function fromRow(row: ProposalRow): StoredProposal {
  const details = detailsOf(row);
  return { ...listedFromRow(row), ...details, verdicts: verdictsFromBlob(row.verdicts, details) };
}

export function listedFromRow(row: ListedRow): ListedProposal {
  const { profile, proposedBy, ...origin } = originSchema.parse(JSON.parse(row.origin));
  return {
    id: row.id,
    operation: shape.operation.parse(row.operation),
    state: shape.state.parse(row.state),
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    updatedAtMs: row.updated_at_ms,
    intentAtMs: row.intent_at_ms,
    nonce: row.nonce,
    fingerprint: row.fingerprint,
    prunedAtMs: row.pruned_at_ms,
    ...origin,
    profile: { ...profile, id: row.profile_id },
    proposedBy: { ...proposedBy, agentId: row.agent_id },
    ...progressSchema.parse(JSON.parse(row.progress)),
  };
}
