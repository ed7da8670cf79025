import { z } from 'zod';
import { request } from './define.ts';
import { changeViewSchema, fieldVerdictSchema } from './proposals.ts';

/** One row of the ledger, readable. */
export const ledgerEntrySchema = z.object({
  seq: z.int(),
  atMs: z.number(),
  /** For example `proposal.approved`. */
  kind: z.string(),
  /** The row in one sentence, made by the core. */
  summary: z.string(),
  proposalId: z.string().nullable(),
  /** Who acted: `You`, an agent's name, or `Countersign`. */
  actor: z.string(),
  /** Where a decision was given: `desktop`, `browser` or `terminal`. */
  via: z.string().nullable(),
  changes: z.array(changeViewSchema),
  verdicts: z.array(fieldVerdictSchema),
  hash: z.string(),
  previousHash: z.string(),
  keyId: z.string(),
  /** The row's exact canonical body. */
  body: z.string(),
});

export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

/** What the verifier says. A broken chain names the first row that fails and why. */
export const ledgerReportSchema = z.object({
  state: z.enum(['verified', 'broken', 'unchecked']),
  rows: z.int(),
  head: z.string(),
  sealedAtMs: z.number().nullable(),
  checkedAtMs: z.number().nullable(),
  /** Public keys that signed, oldest first; `endorsed` is false where an earlier key was lost with its session. */
  keys: z.array(z.object({ keyId: z.string(), fromSeq: z.int(), endorsed: z.boolean() })),
  problem: z.object({ seq: z.int().nullable(), code: z.string(), text: z.string() }).nullable(),
});

export type LedgerReport = z.infer<typeof ledgerReportSchema>;

export const ledgerApi = {
  /** Newest first. */
  'ledger.list': request(
    z.object({
      beforeSeq: z.int().nullable(),
      limit: z.int().min(1).max(200),
      proposalId: z.string().nullable(),
    }),
    z.object({ items: z.array(ledgerEntrySchema), total: z.int() }),
  ),
  'ledger.report': request(z.object({}), ledgerReportSchema),
  /** Verifies the whole chain again, from the first row to the anchor. */
  'ledger.verify': request(z.object({}), ledgerReportSchema),
};
