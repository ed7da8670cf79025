import { z } from 'zod';
import { nothing, request, displayRequest } from '../define.ts';
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
  /** The profile whose service and money the row is about. Null for a row about Countersign itself. */
  profile: ledgerProfileSchema.nullable(),
  /** The actor: `You`, an agent's quoted name, or `Countersign`. */
  actor: z.string(),
  via: z.string().nullable(),
  changes: z.array(changeViewSchema),
  verdicts: z.array(fieldVerdictSchema),
  /** Number of fields read back if `verdicts` lists only those that were not stored as asked. Null otherwise. */
  verdictCount: z.int().nullable(),
  hash: z.string(),
  previousHash: z.string(),
  keyId: z.string(),
  body: z.string(),
});

const { delta, factor, added, removed, schedule } = changeViewSchema.shape;

/** Changes as stored in the body of a row. Empty members are omitted. */
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
  /**
   * The time since which the anchor cannot be written. The ledger accepts no rows until it can. Null if there is no
   * problem.
   */
  anchorFailedSinceMs: z.number().nullable(),
  /**
   * Public keys that signed rows, oldest first. `endorsed` is false if no earlier key vouches for the key, for example
   * because it was lost with its session.
   */
  keys: z.array(z.object({ keyId: z.string(), fromSeq: z.int(), endorsed: z.boolean() })),
  /**
   * Rows at which the ledger continues from a backup, with the end of the ledger that the restore replaced. That end is
   * null if it was unreadable.
   */
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

/** A filter of ledger rows. A null member matches every row. */
export const ledgerFilterSchema = z.object({
  proposalId: z.string().nullable(),
  /** Only rows about this profile. Older exports do not have this member. */
  profileId: z.string().nullable().default(null),
  agentId: z.string().nullable(),
  /**
   * The first part of a row's kind: `proposal`, `write`, `agent`, `agents`, `tool`, `guardrails`, `emergency-stop`,
   * `reversal`, `details`, `key` or `ledger`.
   */
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

/** Days after which the details of settled changes are removed. Null keeps them forever. */
export const retentionDaysSchema = z.union([z.literal([7, 30, 90, 365]), z.null()]);

export type RetentionDays = z.infer<typeof retentionDaysSchema>;

const netQuery = z.object({ agentId: z.string().nullable(), sinceMs: z.number() });

const decided = { approved: z.int(), denied: z.int() };

const decisionsSchema = z.object({
  /** Numbers of decisions; a batch counts once. `access` counts the decisions that admitted or refused an agent. */
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
  /**
   * Numbers of changes by kind of warning. A change may count several times. `none` had no warning; for `unrecorded`
   * the warnings are not recorded.
   */
  risks: z.array(z.object({ kind: z.enum([...riskKinds, 'none', 'unrecorded']), ...decided })),
  /**
   * Approved decisions that were undone or reversed later. An emergency stop is not counted: it pauses campaigns and
   * undoes no change.
   */
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
  /**
   * A part of an export (docs/ledger-format.md). Send null as the first `untilSeq`, and afterwards the one of the
   * answer. `next` is the next `afterSeq`, null at the end.
   */
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
      /** Number of changes since then whose details were removed. They are neither included nor reversed. */
      prunedCount: z.int(),
      unreadableCount: z.int(),
    }),
  ),
  /** Prepares the reversal as one reviewed proposal. Fields that others have changed since are skipped and listed in it. */
  'ledger.reverse': displayRequest(netQuery, shownProposalSchema),
  /** Decisions of the active profile. They are counted at each request, in slices between other work, and not stored. */
  'ledger.decisions': request(z.object({ sinceMs: z.number() }), decisionsSchema),
  'ledger.profiles': request(nothing, z.object({ items: z.array(ledgerProfileSchema) })),
  'ledger.retentionDays': request(nothing, z.object({ days: retentionDaysSchema })),
  /** Sets the retention. Older details are removed at once and cannot be restored. */
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
  /** The anchor at the time of the export. Null if it could not be verified. The verifier validates its shape. */
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
