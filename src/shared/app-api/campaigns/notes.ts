import { z } from 'zod';
import { campaignConditionsSchema, maxFound } from '../../find/index.ts';
import { campaignFilterSchema } from './campaigns.ts';
import { labelColors, maxCampaignNoteLength, maxLabelNameLength, maxViewNameLength } from '../constants.ts';
import { cid, nameSchema, nothing, recordId as id, request } from '../define.ts';
import { atMost } from '../../lib/inert-text.ts';

export const labelSchema = z.object({ id, name: z.string(), color: z.enum(labelColors) });

export type CampaignLabel = z.infer<typeof labelSchema>;

export const campaignNoteSchema = z.object({ cid, labels: z.array(id), note: z.string() });

export type CampaignNote = z.infer<typeof campaignNoteSchema>;

const columnKey = z.string().min(1).max(100);

export const columnLayoutSchema = z.object({
  hidden: z.array(columnKey).max(100),
  /** Columns in reading order. Columns that are not named follow in their default order. */
  order: z.array(columnKey).max(100),
  widths: z.record(columnKey, z.number().min(1).max(5_000)),
});

export type ColumnLayout = z.infer<typeof columnLayoutSchema>;

export const listViewSchema = z.object({
  filter: campaignFilterSchema,
  conditions: campaignConditionsSchema,
  columns: columnLayoutSchema.nullable(),
});

export type ListView = z.infer<typeof listViewSchema>;

/** A saved view. `view` is null if another version of Countersign wrote it. */
export const savedListViewSchema = z.object({
  id,
  name: z.string(),
  view: listViewSchema.nullable(),
  savedAtMs: z.number(),
});

export type SavedListView = z.infer<typeof savedListViewSchema>;

const viewName = nameSchema(maxViewNameLength);

/**
 * Labels, notes, filters and views of the active profile. They are stored on this computer only. Changes emit
 * `notes.changed`.
 */
export const campaignNotesApi = {
  'campaigns.notes': request(
    nothing,
    z.object({ labels: z.array(labelSchema), campaigns: z.array(campaignNoteSchema) }),
  ),
  'campaigns.setNote': request(
    z.object({
      cid,
      note: z
        .string()
        .trim()
        .refine(...atMost(maxCampaignNoteLength)),
    }),
    z.null(),
  ),
  /** Adds a label, or edits the label with this id. Fails with `label_name_taken`, `label_limit` or `label_unknown`. */
  'campaigns.saveLabel': request(
    z.object({ id: id.nullable(), name: nameSchema(maxLabelNameLength), color: z.enum(labelColors) }),
    labelSchema,
  ),
  'campaigns.removeLabel': request(z.object({ id }), z.null()),
  /** Adds labels to campaigns and removes others. Fails with `label_unknown`. */
  'campaigns.assignLabels': request(
    z.object({
      cids: z.array(cid).min(1).max(maxFound),
      add: z.array(id).max(100),
      remove: z.array(id).max(100),
    }),
    z.null(),
  ),
  'campaigns.views': request(nothing, z.object({ items: z.array(savedListViewSchema) })),
  /** Saves a new view, or overwrites the view with this id. Fails with `view_name_taken`, `view_limit` or `view_unknown`. */
  'campaigns.saveView': request(
    z.object({ id: id.nullable(), name: viewName, view: listViewSchema }),
    savedListViewSchema,
  ),
  /** Fails with `view_unknown` or `view_name_taken`. */
  'campaigns.renameView': request(z.object({ id, name: viewName }), z.null()),
  'campaigns.removeView': request(z.object({ id }), z.null()),
};
