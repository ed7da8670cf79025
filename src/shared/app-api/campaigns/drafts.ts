import { z } from 'zod';
import { cellEditSchema, fieldDraftSchema, fieldStates } from '#shared/drafts/index.ts';
import { proposalStates } from '#shared/proposals/states.ts';
import { cid, nothing, request } from '../define.ts';
import { maxEditedCells } from '../constants.ts';
import { atMost } from '../../lib/inert-text.ts';

const field = z.string().min(1).max(100);
const cids = z.array(cid).min(1).max(10_000);
const json = z.json();

const refusedFieldSchema = z.object({ field: z.string(), message: z.string() });

export const campaignDraftSchema = z.object({
  cid,
  name: z.string(),
  fields: z.record(z.string(), fieldDraftSchema),
  /** The unsettled proposal that was made of these drafts. The drafts cannot be edited until it settles. */
  proposalId: z.string().nullable(),
  proposalState: z.enum(proposalStates).nullable(),
  /** The reason why the last proposal of these drafts failed: denied, expired, refused or outdated. */
  returned: z
    .object({
      atMs: z.number(),
      reason: z.string(),
      /** Fields that the service refused and whose draft has not changed since. */
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

/**
 * A drafted field compared with the latest read. `theirs` and `mine` are absent if there is no value. A field with the
 * state `warning` can be proposed.
 */
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
  /** Compares the account's balance with what the activation needs. Null for any other change. */
  balance: z.enum(['enough', 'too_low', 'unknown']).nullable(),
});

export const checkedCampaignSchema = z.object({
  cid,
  name: z.string(),
  state: z.enum(['ready', 'warning', 'conflict', 'error', 'same', 'failed']),
  fields: z.array(checkedFieldSchema),
  /**
   * Errors of fields without a draft, and warnings. Each warning names the drafted field that it is about, or none if
   * it is about the campaign.
   */
  problems: z.array(
    z.object({
      field: z.string().nullable(),
      severity: z.enum(['error', 'danger', 'warning']),
      message: z.string(),
    }),
  ),
  /** Money at risk per day before and after, as text. Null if the campaign could not be read or has an error. */
  perDay: z.object({ before: z.string(), after: z.string() }).nullable(),
  /** Null if nothing changes, or if a draft cannot be applied. */
  forecast: forecastSchema.nullable(),
});

export type CheckedCampaign = z.infer<typeof checkedCampaignSchema>;

/** The latest check. A change of a draft or of a campaign discards its results. */
export const draftCheckSchema = z.object({
  isRunning: z.boolean(),
  done: z.int(),
  total: z.int(),
  campaigns: z.array(checkedCampaignSchema),
});

export type DraftCheck = z.infer<typeof draftCheckSchema>;

const editedCellSchema = z.object({
  cid,
  /** `same`: the campaign already has the value. */
  state: z.enum(['change', 'same', 'problem']),
  problems: z.array(z.string()),
});

export type EditedCell = z.infer<typeof editedCellSchema>;

export const draftsApi = {
  'drafts.get': request(z.object({ cids: cids.nullable() }), draftsSchema),
  /**
   * Makes one undoable change and returns its id. A null draft removes the field's draft. `continues` extends the
   * newest step if its fields are the same. Fails with `draft_proposed`.
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
  /**
   * Edits one value of each campaign, on top of its drafts, as one undoable change. Reads the campaigns in full and skips
   * those with a problem. `step` is null if nothing was stored. A preview stores nothing.
   */
  'drafts.edit': request(
    z.object({
      edits: z
        .array(z.object({ cid, edit: cellEditSchema }))
        .min(1)
        .max(maxEditedCells),
      isPreview: z.boolean(),
    }),
    z.object({ cells: z.array(editedCellSchema), step: z.int().nullable() }),
  ),
  'drafts.undo': request(nothing, nothing),
  'drafts.redo': request(nothing, nothing),
  /** Starts to read, apply and validate the drafts of these campaigns. Replaces a running check. */
  'drafts.check': request(z.object({ cids: cids.nullable() }), nothing),
  'drafts.checked': request(z.object({ cids: cids.optional() }), draftCheckSchema),
  'drafts.stopChecking': request(nothing, nothing),
  /**
   * Settles a conflict: applies the draft to their value, which must be the displayed one, or drops the draft. Fails
   * with `edit_conflict`.
   */
  'drafts.settleConflict': request(
    z.discriminatedUnion('keep', [
      z.object({ cid, field, keep: z.literal('mine'), theirs: json }),
      z.object({ cid, field, keep: z.literal('theirs') }),
    ]),
    nothing,
  ),
  /**
   * One proposal per campaign, from fresh reads. A campaign that cannot be proposed keeps its draft, and the answer
   * names the reason.
   */
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
  /** Labels of the fields that differ from the latest read. Labels of unknown fields are untrusted text. */
  differs: z.array(z.string()),
});

export type CampaignCopyView = z.infer<typeof campaignCopySchema>;

export const copyDaysSchema = z.int().min(1).max(365);

const copyDays = z.object({ days: copyDaysSchema });

/** Daily copies of campaigns in the active profile's account. They are stored on this computer only. */
export const copiesApi = {
  /** Newest first. If the campaign was never read, fails as the read does. */
  'copies.list': request(z.object({ cid }), z.object({ items: z.array(campaignCopySchema) })),
  /**
   * Drafts every field that differs from the copy, as one step, and names fields that no longer exist. Fails with
   * `copy_unknown`, `nothing_to_change` or `draft_proposed`.
   */
  'copies.restore': request(
    z.object({ cid, day }),
    z.object({ title: z.string(), drafted: z.int(), skipped: z.array(z.string()) }),
  ),
  'copies.days': request(nothing, copyDays),
  /** Sets how long copies are stored and deletes older ones at once. Fails as the ledger does. */
  'copies.setDays': request(copyDays, copyDays),
};
