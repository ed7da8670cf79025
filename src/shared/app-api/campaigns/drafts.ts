import { z } from 'zod';
import { fieldDraftSchema, fieldStates } from '#shared/drafts/index.ts';
import { proposalStates } from '#shared/proposals/states.ts';
import { cid, nothing, request } from '../define.ts';
import { atMost } from '../../lib/inert-text.ts';

const field = z.string().min(1).max(100);
const cids = z.array(cid).min(1).max(10_000);
const json = z.json();

const refusedFieldSchema = z.object({ field: z.string(), message: z.string() });

export const campaignDraftSchema = z.object({
  cid,
  name: z.string(),
  fields: z.record(z.string(), fieldDraftSchema),
  /** The proposal that was made of these drafts and is not settled; they cannot be edited meanwhile. */
  proposalId: z.string().nullable(),
  proposalState: z.enum(proposalStates).nullable(),
  /** The reason why the last proposal of these drafts came to nothing: denied, expired, refused, out of date. */
  returned: z
    .object({
      atMs: z.number(),
      reason: z.string(),
      /** Fields that the service refused and that have the same draft since. */
      fields: z.array(refusedFieldSchema),
    })
    .nullable(),
});

export type CampaignDraftView = z.infer<typeof campaignDraftSchema>;

const historySchema = z.object({ undo: z.string().nullable(), redo: z.string().nullable() });

export const draftsSchema = z.object({
  campaigns: z.array(campaignDraftSchema),
  history: historySchema,
  newestStep: z.int().nullable(),
});

/** A drafted field against the latest read; `theirs` and `mine` are absent if there is no value. `warning` can be proposed. */
const checkedFieldSchema = z.object({
  field: z.string(),
  state: z.enum([...fieldStates, 'warning']),
  original: json,
  theirs: json.optional(),
  mine: json.optional(),
  words: z.object({ original: z.string(), theirs: z.string(), mine: z.string() }),
  message: z.string().nullable(),
  notes: z.array(z.string()),
});

const forecastSchema = z.object({
  status: z.int(),
  hoursNextWeek: z.number(),
  /** Whether the account can pay for the activation; null for any other change. */
  balance: z.enum(['enough', 'too_low', 'unknown']).nullable(),
});

export const checkedCampaignSchema = z.object({
  cid,
  name: z.string(),
  state: z.enum(['ready', 'warning', 'conflict', 'error', 'same', 'failed']),
  fields: z.array(checkedFieldSchema),
  /** Errors of fields without a draft, and warnings with the drafted field that each is about, or of the whole, in words. */
  problems: z.array(
    z.object({
      field: z.string().nullable(),
      severity: z.enum(['error', 'danger', 'warning']),
      message: z.string(),
    }),
  ),
  /** Money at risk per day before and after, in words; null where the campaign could not be read, or has an error. */
  perDay: z.object({ before: z.string(), after: z.string() }).nullable(),
  /** Null where nothing changes, or a draft does not fit. */
  forecast: forecastSchema.nullable(),
});

export type CheckedCampaign = z.infer<typeof checkedCampaignSchema>;

/** The latest check. Its results end when a draft or a campaign changes. */
export const draftCheckSchema = z.object({
  isRunning: z.boolean(),
  done: z.int(),
  total: z.int(),
  campaigns: z.array(checkedCampaignSchema),
});

export type DraftCheck = z.infer<typeof draftCheckSchema>;

export const draftsApi = {
  'drafts.get': request(z.object({ cids: cids.nullable() }), draftsSchema),
  /**
   * One undoable change; a null draft removes one. `continues` extends the newest step with the same fields. Returns its id. Fails with
   * `draft_proposed`.
   */
  'drafts.change': request(
    z.object({
      title: z
        .string()
        .min(1)
        .refine(...atMost(200)),
      continues: z.boolean().optional(),
      changes: z
        .array(z.object({ cid, field, draft: fieldDraftSchema.nullable() }))
        .min(1)
        .max(50_000),
    }),
    z.object({ step: z.int() }),
  ),
  'drafts.undo': request(nothing, nothing),
  'drafts.redo': request(nothing, nothing),
  /** Begins to read, apply and validate the drafts of these campaigns; takes the place of a check that runs. */
  'drafts.check': request(z.object({ cids: cids.nullable() }), nothing),
  'drafts.checked': request(z.object({ cids: cids.optional() }), draftCheckSchema),
  'drafts.stopChecking': request(nothing, nothing),
  /** Keeps the draft over their value, which must be the one shown, or drops the draft. Fails with `edit_conflict`. */
  'drafts.settleConflict': request(
    z.discriminatedUnion('keep', [
      z.object({ cid, field, keep: z.literal('mine'), theirs: json }),
      z.object({ cid, field, keep: z.literal('theirs') }),
    ]),
    nothing,
  ),
  /** One proposal per campaign, from fresh reads. A campaign that cannot be proposed stays a draft, with the reason. */
  'drafts.propose': request(
    z.object({ cids: z.array(cid).min(1).max(500) }),
    z.object({
      proposed: z.array(z.object({ cid, proposalId: z.string() })),
      refused: z.array(z.object({ cid, message: z.string(), fields: z.array(refusedFieldSchema) })),
    }),
  ),
};

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/u);

export const campaignCopySchema = z.object({
  day,
  atMs: z.number(),
  /** Labels of the fields that are different in the latest read; those of unknown fields are foreign text. */
  differs: z.array(z.string()),
});

export type CampaignCopyView = z.infer<typeof campaignCopySchema>;

export const copyDaysSchema = z.int().min(1).max(365);

const copyDays = z.object({ days: copyDaysSchema });

/** Copies of the campaigns of the active profile's account. They are on this computer only. */
export const copiesApi = {
  /** Newest first. Fails as the read does where the campaign was never read. */
  'copies.list': request(z.object({ cid }), z.object({ items: z.array(campaignCopySchema) })),
  /**
   * Drafts every differing field of the copy, as one step; fields that are gone are named. Fails with `copy_unknown`,
   * `nothing_to_change`, `draft_proposed`.
   */
  'copies.restore': request(
    z.object({ cid, day }),
    z.object({ title: z.string(), drafted: z.int(), skipped: z.array(z.string()) }),
  ),
  'copies.days': request(nothing, copyDays),
  /** Copies that are older go at once. Fails as the ledger does. */
  'copies.setDays': request(copyDays, copyDays),
};
