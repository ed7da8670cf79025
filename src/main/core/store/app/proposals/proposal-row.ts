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
import { packText, unpackText } from '../packed-text.ts';
import type { Sentence } from '#shared/lib/sentence.ts';

/** Words are made from `payload`, `base` and `createdAtMs` on demand; only those that a list needs are stored (`headline`). */
export interface StoredProposal {
  id: string;
  operation: ProposalView['operation'];
  state: ProposalState;
  profile: ProposalView['profile'];
  proposedBy: ProposalView['proposedBy'];
  quotation: string | null;
  createdAtMs: number;
  /** The uptime of the machine at that moment; absent where an earlier build stored it. */
  createdUptimeMs?: number;
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
  /** The proposal whose effect it takes back, with what it leaves as it is and why; null for any other change. */
  undoes: { id: string; skipped: { what: Sentence; because: Sentence }[] } | null;
  /** How the stopped campaigns that it makes run were stopped, as far as it was known then; absent where there are none. */
  stoppedAs?: StatusGroup[];
  conflict: ProposalView['conflict'];
  replacedBy: string | null;
  verdicts: ProposalView['verdicts'];
  /** The reason of its end. `fields` are those that the service refused, foreign text; absent where it named none. */
  outcome: { code: ErrorCode; message: Sentence; fields?: Record<keyof FieldError, string>[] } | null;
  reason: string | null;
  /** When payload, base and the verdicts of fields stored as asked were removed; null while they are there. */
  prunedAtMs: number | null;
}

/** A proposal without its details, which are compressed: what lists of many show. */
export type ListedProposal = Omit<StoredProposal, 'payload' | 'base' | 'verdicts'>;

/** Words that the list of proposals shows besides the state, and the fields by which equal changes are found. */
export type Headline = Pick<
  ProposalSummary,
  'title' | 'perDay' | 'worstWarning' | 'askedBy' | 'approvalEndsAtMs'
> & {
  /** Sorted by field; null for a change that is decided alone. */
  comparable: ComparedField[] | null;
  /** Of a batch: the operand that explains all of its members, sorted by field; null for any other proposal. */
  operand: FieldOperand[] | null;
  /** Of everything that it warned of, also once the details are removed. Absent where an earlier build stored it. */
  warningCodes?: WarningCode[];
};

const micros = z.string();
const unit = z.enum(['money', 'count']);
const value = z.json().exactOptional();

const comparedFieldSchema = z.discriminatedUnion('kind', [
  /** Two amounts that are whole micros. */
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
  /** A destination of which only the host changes; both hosts in ASCII. */
  z.object({ kind: z.literal('host'), field: z.string(), before: z.string(), after: z.string() }),
]);

/** One field that a change sets, as far as an operand has to explain it. `text` is the new value in words. */
export type ComparedField = z.infer<typeof comparedFieldSchema>;

const fieldOperandSchema = z.discriminatedUnion('by', [
  /** Multiplies by a reduced fraction. */
  z.object({ by: z.literal('ratio'), field: z.string(), unit, over: z.string(), under: z.string() }),
  z.object({ by: z.literal('set'), field: z.string(), value, text: z.string() }),
  z.object({ by: z.literal('add'), field: z.string(), unit, micros }),
  /** Adds so many tenths of a percent and rounds half up to so many decimals. */
  z.object({ by: z.literal('percent'), field: z.string(), unit, tenths: z.int(), decimals: z.int() }),
  z.object({ by: z.literal('host'), field: z.string(), before: z.string(), after: z.string() }),
]);

export type FieldOperand = z.infer<typeof fieldOperandSchema>;

/** Fields that a move may change besides the state and `updatedAtMs`. All others are fixed at creation. */
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
  /** Empty where it is in `details`. */
  payload: string;
  base: string;
  /** Payload and base, compressed; null if they were removed, and for a batch, whose payload is queried. */
  details: Buffer | null;
  nonce: string;
  fingerprint: string;
  /** Proposer and request, except what a query filters by: JSON text that never changes. */
  origin: string;
  /** Progress and result, except what a query filters by: JSON text. */
  progress: string;
  /** Compressed; null if there are none. */
  verdicts: Buffer | null;
  pruned_at_ms: number | null;
}

const { shape } = proposalSchema;

// The JSON columns, read by their schemas.
export const originSchema = z.object({
  // Their ids have columns of their own.
  profile: shape.profile.omit({ id: true }),
  proposedBy: shape.proposedBy.omit({ agentId: true }),
  quotation: shape.quotation,
  targets: z.array(z.int()),
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

/** A field that is stored as asked reads the same on both sides: its name, that text, and its label where it is not the usual one. */
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

export function verdictsToBlob(verdicts: StoredProposal['verdicts']): Buffer | null {
  return verdicts.length === 0 ? null : packText(JSON.stringify(verdictsToStore(verdicts)));
}

export function verdictsFromBlob(blob: Buffer | null): StoredProposal['verdicts'] {
  return blob === null ? [] : storedVerdicts.parse(JSON.parse(unpackText(blob)));
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

function storedDetails({ operation, payload, base }: StoredProposal): Details {
  if (operation === 'batch') return { payload, base, details: null };
  return { payload: '', base: '', details: packText(JSON.stringify([payload, base])) };
}

const detailsSchema = z.tuple([z.string(), z.string()]);

function detailsOf({ payload, base, details }: Details): Pick<StoredProposal, 'payload' | 'base'> {
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
  const { conflict, replacedBy, verdicts, outcome, reason } = proposal;
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
    id: proposal.id,
    operation: proposal.operation,
    state: proposal.state,
    profile_id: profileId,
    agent_id: agentId,
    created_at_ms: proposal.createdAtMs,
    expires_at_ms: proposal.expiresAtMs,
    updated_at_ms: proposal.updatedAtMs,
    intent_at_ms: proposal.intentAtMs,
    ...storedDetails(proposal),
    nonce: proposal.nonce,
    fingerprint: proposal.fingerprint,
    origin: JSON.stringify(origin),
    progress: JSON.stringify(storedProgress({ conflict, replacedBy, outcome, reason })),
    verdicts: verdictsToBlob(verdicts),
    pruned_at_ms: proposal.prunedAtMs,
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
  return { ...listedFromRow(row), ...detailsOf(row), verdicts: verdictsFromBlob(row.verdicts) };
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
