import { z } from 'zod';
import { nothing, request, showingRequest } from '../define.ts';
import { askerKind, changeViewSchema, fieldVerdictSchema } from './proposals.ts';
import { profileSchema } from '../profiles/session.ts';
import { shownProposalSchema } from './targets.ts';
import { riskKinds } from '../../wording/index.ts';

const ledgerProfileSchema = profileSchema
  .pick({ id: true, kind: true })
  .extend({ name: z.string().nullable() });

export type LedgerProfile = z.infer<typeof ledgerProfileSchema>;

export const ledgerEntrySchema = z.object({
  seq: z.int(),
  atMs: z.number(),
  kind: z.string(),
  summary: z.string(),
  proposalId: z.string().nullable(),
  /** Profile whose service and money it concerns; null for a row about Countersign itself. */
  profile: ledgerProfileSchema.nullable(),
  /** The actor: `You`, an agent's name as a quotation, or `Countersign`. */
  actor: z.string(),
  via: z.string().nullable(),
  changes: z.array(changeViewSchema),
  verdicts: z.array(fieldVerdictSchema),
  /** Number of fields read back, if `verdicts` lists only those not stored as asked; else null. */
  verdictCount: z.int().nullable(),
  hash: z.string(),
  previousHash: z.string(),
  keyId: z.string(),
  body: z.string(),
});

const { delta, factor, added, removed, schedule } = changeViewSchema.shape;

/** Changes as the body of a row has them: members that say nothing are left out. */
export const changesInRowSchema = z.array(
  changeViewSchema.extend({
    delta: delta.default(null),
    factor: factor.default(null),
    added: added.default([]),
    removed: removed.default([]),
    schedule: schedule.default(null),
  }),
);

export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

export const ledgerReportSchema = z.object({
  state: z.enum(['verified', 'broken', 'unchecked']),
  rows: z.int(),
  head: z.string(),
  sealedAtMs: z.number().nullable(),
  checkedAtMs: z.number().nullable(),
  anchored: z.int().nullable(),
  /** Since when the anchor could not be written; nothing more is recorded until it can. Null while all is well. */
  anchorFailedSinceMs: z.number().nullable(),
  /** Public keys that signed, oldest first; `endorsed` is false where an earlier key was lost with its session. */
  keys: z.array(z.object({ keyId: z.string(), fromSeq: z.int(), endorsed: z.boolean() })),
  /** Rows after which the ledger continues from a backup; with the end of the ledger that was there before, null if unreadable. */
  restores: z
    .array(
      z.object({
        seq: z.int(),
        atMs: z.number(),
        previous: z.object({ count: z.int(), head: z.string() }).nullable(),
      }),
    )
    .exactOptional(),
  problem: z.object({ seq: z.int().nullable(), code: z.string(), text: z.string() }).nullable(),
});

export type LedgerReport = z.infer<typeof ledgerReportSchema>;

/** A filter of ledger rows; a member that is null matches every row. */
export const ledgerFilterSchema = z.object({
  proposalId: z.string().nullable(),
  /** Rows about this profile. Exports from before it could be asked for have no such member. */
  profileId: z.string().nullable().default(null),
  agentId: z.string().nullable(),
  /** The first word of a kind: `proposal`, `write`, `agent`, `agents`, `tool`, `guardrails`, `emergency-stop`, `reversal`, `details`, `key`, `ledger`. */
  about: z.string().max(40).nullable(),
  cid: z.int().nullable(),
  fromMs: z.number().nullable(),
  untilMs: z.number().nullable(),
});

export type LedgerFilter = z.infer<typeof ledgerFilterSchema>;

export const netChangeSchema = z.object({
  cid: z.int(),
  name: z.string(),
  change: changeViewSchema,
  steps: z.int(),
  agents: z.array(z.string()),
});

export type NetChange = z.infer<typeof netChangeSchema>;

/** After how many days the details of settled changes are removed; null keeps them without end. */
export const retentionDaysSchema = z.union([z.literal([7, 30, 90, 365]), z.null()]);

export type RetentionDays = z.infer<typeof retentionDaysSchema>;

const netQuery = z.object({ agentId: z.string().nullable(), sinceMs: z.number() });

const decided = { approved: z.int(), denied: z.int() };

const decisionsSchema = z.object({
  /** Decisions, a batch counting once; `access` are those of them that let an agent in or refused it. */
  total: z.object({ ...decided, access: z.int() }),
  days: z.array(z.object({ date: z.string(), ...decided })),
  proposers: z.array(
    z.object({
      kind: askerKind,
      name: z.string(),
      agentId: z.string().nullable(),
      ...decided,
    }),
  ),
  /** Changes by kind of warning; one change may count several times. `none` had no warning, `unrecorded` is unknown. */
  risks: z.array(z.object({ kind: z.enum([...riskKinds, 'none', 'unrecorded']), ...decided })),
  /** Approved decisions that were taken back later. An emergency stop takes none back: it pauses campaigns, whatever was changed in them. */
  reversed: z.object({
    count: z.object({ undone: z.int(), reversed: z.int() }),
    items: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        decidedAtMs: z.number(),
        how: z.enum(['undone', 'reversed']),
        by: z.string(),
        atMs: z.number(),
      }),
    ),
  }),
});

export type Decisions = z.infer<typeof decisionsSchema>;

export const ledgerApi = {
  'ledger.list': request(
    z.object({ beforeSeq: z.int().nullable(), limit: z.int().min(1).max(200), filter: ledgerFilterSchema }),
    z.object({ items: z.array(ledgerEntrySchema), total: z.int() }),
  ),
  /** A part of an export (docs/ledger-format.md). `untilSeq` is null at first and then repeated; `next` is the next `afterSeq`, null at the end. */
  'ledger.export': request(
    z.object({ afterSeq: z.int().min(0), untilSeq: z.int().nullable(), filter: ledgerFilterSchema }),
    z.object({
      text: z.string(),
      rows: z.int(),
      total: z.int(),
      untilSeq: z.int(),
      next: z.int().nullable(),
    }),
  ),
  'ledger.netEffect': request(
    netQuery,
    z.object({
      items: z.array(netChangeSchema),
      /** Changes since then whose details were removed: they are neither counted nor reversed. */
      prunedCount: z.int(),
      unreadableCount: z.int(),
    }),
  ),
  /** Prepares the reversal as one reviewed proposal; what others have changed since is skipped and listed in it. */
  'ledger.reverse': showingRequest(netQuery, shownProposalSchema),
  /** Counted now, in turns beside other work; nothing of it is stored. Of the active profile. */
  'ledger.decisions': request(z.object({ sinceMs: z.number() }), decisionsSchema),
  'ledger.profiles': request(nothing, z.object({ items: z.array(ledgerProfileSchema) })),
  'ledger.retentionDays': request(nothing, z.object({ days: retentionDaysSchema })),
  /** Details that are older are removed at once, and cannot be brought back. */
  'ledger.setRetentionDays': request(
    z.object({ days: retentionDaysSchema }),
    z.object({ days: retentionDaysSchema }),
  ),
  'ledger.report': request(nothing, ledgerReportSchema),
  'ledger.verify': request(nothing, ledgerReportSchema),
};

/** The first line of an export (docs/ledger-format.md). */
export const exportHeaderSchema = z.strictObject({
  format: z.literal('countersign ledger'),
  version: z.literal(1),
  selection: ledgerFilterSchema.nullable(),
  rows: z.int().min(0),
  /** Anchor at the time of the export; null if it could not be verified. The verifier checks its form. */
  anchor: z.unknown(),
  keys: z.array(
    z.strictObject({
      keyId: z.string().regex(/^[0-9a-f]{16}$/),
      publicKey: z.string(),
      fromSeq: z.int(),
      endorsed: z.boolean(),
    }),
  ),
});

export type ExportHeaderLine = z.infer<typeof exportHeaderSchema>;
