import { z } from 'zod';
import { bulkEditSchema } from '../drafts/bulk/index.ts';
import { maxFound } from '../find/index.ts';
import { request } from './define.ts';

const cid = z.int().positive();

/** The campaigns of the bulk change, fixed when it starts. */
export const bulkStateSchema = z.object({
  /** Null while no bulk change has begun. */
  total: z.int().nullable(),
  /** Number of campaigns that were read. */
  read: z.int(),
  /** False where reads are over, also those that failed. */
  isReading: z.boolean(),
  failed: z.array(z.object({ cid, message: z.string() })),
  /** The reason why reading ended early, in words; null if it did not. */
  failure: z.object({ message: z.string(), next: z.string() }).nullable(),
  /** Lists of these campaigns that are not targeting: keywords and the traffic filters of their service. */
  filters: z.array(z.object({ field: z.string(), label: z.string(), campaigns: z.int() })),
});

export type BulkState = z.infer<typeof bulkStateSchema>;

const previewFieldSchema = z.object({
  field: z.string(),
  label: z.string(),
  /** Words of the core. */
  before: z.string(),
  after: z.string(),
});

const previewRowSchema = z.object({
  cid,
  /** Foreign text. */
  name: z.string(),
  state: z.enum(['change', 'same', 'problem']),
  fields: z.array(previewFieldSchema),
  problems: z.array(z.string()),
  /** True if it has drafts already; what is shown comes on top of them. */
  isDrafted: z.boolean(),
  /** Money at risk per day, in words. */
  perDay: z.object({ before: z.string(), after: z.string() }),
});

export type BulkRow = z.infer<typeof previewRowSchema>;

/** A screenful of what an edit does. */
export const bulkPreviewSchema = z.object({
  /** `Bid +10% in 187 campaigns`. */
  title: z.string(),
  counts: z.object({ change: z.int(), same: z.int(), problem: z.int() }),
  /** Number of rows that match. */
  total: z.int(),
  rows: z.array(previewRowSchema),
});

export type BulkPreview = z.infer<typeof bulkPreviewSchema>;

export const bulkApi = {
  /**
   * Begins a bulk change of these campaigns, and reads them in full. It takes the place of the one before. Progress is reported by
   * `campaigns.loading`.
   */
  'bulk.start': request(z.object({ cids: z.array(cid).min(1).max(maxFound) }), z.object({})),
  'bulk.state': request(z.object({}), bulkStateSchema),
  /** Reads what is missing. */
  'bulk.readAgain': request(z.object({}), z.object({})),
  /** Stops reading; what was read stays, and only that is changed. */
  'bulk.stopReading': request(z.object({}), z.object({})),
  /** Applies an edit to the campaigns that were read; stores nothing. Fails with `bulk_not_started` or `pattern_too_slow`. */
  'bulk.preview': request(
    z.object({
      edit: bulkEditSchema,
      show: z.enum(['all', 'change', 'problem']),
      offset: z.int().min(0),
      limit: z.int().min(1).max(200),
    }),
    bulkPreviewSchema,
  ),
  /** Adds what changes to the drafts, as one step; campaigns with a problem are left out. Fails as `bulk.preview`, or with `nothing_to_change`. */
  'bulk.addToDrafts': request(
    z.object({ edit: bulkEditSchema }),
    z.object({ title: z.string(), campaigns: z.int() }),
  ),
};
