import { z } from 'zod';
import { bulkEditSchema, bulkStates, dateOrders, decimalMarks, faultKinds } from '../../drafts/index.ts';
import { maxFound } from '../../find/index.ts';
import { unreadCampaignsSchema } from './campaigns.ts';
import { cid, nothing, reasonSchema, request } from '../define.ts';

export const bulkStateSchema = z.object({
  /** Null while no bulk change has begun. */
  total: z.int().nullable(),
  read: z.int(),
  isReading: z.boolean(),
  failed: unreadCampaignsSchema,
  failure: reasonSchema.nullable(),
  /** Keyword lists and the traffic filters of the campaigns' service, each with its number of campaigns. */
  filters: z.array(z.object({ field: z.string(), label: z.string(), campaigns: z.int() })),
  types: z.array(z.object({ code: z.int(), name: z.string() })),
});

export type BulkState = z.infer<typeof bulkStateSchema>;

const previewFieldSchema = z.object({
  field: z.string(),
  label: z.string(),
  before: z.string(),
  after: z.string(),
  /** The field's value when the file was exported, if someone else has changed it since. Null for no conflict. */
  exported: z.string().nullable(),
});

const previewState = z.enum(bulkStates);

const previewRowSchema = z.object({
  cid,
  name: z.string(),
  line: z.int().nullable(),
  /**
   * `conflict` occurs only for a file: someone else changed a field since the export. If `fields` is not empty, the row
   * can still become drafts.
   */
  state: previewState,
  fields: z.array(previewFieldSchema),
  problems: z.array(z.string()),
  isDrafted: z.boolean(),
  perDay: z.object({ before: z.string(), after: z.string() }),
});

export type BulkRow = z.infer<typeof previewRowSchema>;

export const fileEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export const fileSeparators = [',', ';', '\t'] as const;
export type FileEncoding = (typeof fileEncodings)[number];
export type FileSeparator = (typeof fileSeparators)[number];

const decimalMark = z.enum(decimalMarks);
const dateOrder = z.enum(dateOrders);

const cellChoice = z.enum(['keep', 'take']);

export const bulkFileSchema = z.object({
  name: z.string(),
  encoding: z.enum(fileEncodings),
  separator: z.enum(fileSeparators),
  /** The decimal mark of the file's numbers, detected or chosen. Unknown if no number in the file decides it. */
  decimals: decimalMark,
  /**
   * The date order of the file, detected or chosen. Year-first if every date can be read in one way only, unknown if
   * some dates are ambiguous.
   */
  dates: dateOrder,
  rows: z.int(),
  fields: z.array(z.string()),
  unknownColumns: z.array(z.string()),
  /** False if the file has no column of versions. Conflicts then go unnoticed. */
  hasVersions: z.boolean(),
  /** Numbers of skipped lines: new campaigns, campaigns that are unknown after reading ended, and unreadable lines. */
  skipped: z.object({ new: z.int(), unknown: z.int(), unreadable: z.int() }),
  faults: z.array(z.object({ line: z.int(), kind: z.enum(faultKinds), message: z.string() })),
});

export type BulkFile = z.infer<typeof bulkFileSchema>;

const bulkSourceSchema = z.union([bulkEditSchema, z.object({ kind: z.literal('file') })]);

export type BulkSource = z.infer<typeof bulkSourceSchema>;

const fileId = z.object({ id: z.string().min(1).max(100) });

export const bulkPreviewSchema = z.object({
  title: z.string(),
  counts: z.object({ change: z.int(), conflict: z.int(), same: z.int(), problem: z.int() }),
  drafts: z.int(),
  total: z.int(),
  rows: z.array(previewRowSchema),
});

export type BulkPreview = z.infer<typeof bulkPreviewSchema>;

export const bulkApi = {
  /** Starts a bulk change of these campaigns and reads them in full. `campaigns.loading` reports progress. */
  'bulk.start': request(z.object({ cids: z.array(cid).min(1).max(maxFound) }), nothing),
  'bulk.state': request(nothing, bulkStateSchema),
  'bulk.readAgain': request(nothing, nothing),
  /** Stops reading. The bulk change then covers only the campaigns already read. */
  'bulk.stopReading': request(nothing, nothing),
  /** Applies an edit to the campaigns already read. Stores nothing. Fails with `bulk_not_started` or `pattern_too_slow`. */
  'bulk.preview': request(
    z.object({
      edit: bulkSourceSchema,
      show: previewState.exclude(['same']).or(z.literal('all')),
      offset: z.int().min(0),
      limit: z.int().min(1).max(200),
    }),
    bulkPreviewSchema,
  ),
  /**
   * Adds the changed fields to the drafts as one undo step, including conflicts whose values are known. Skips campaigns
   * with a problem. Fails as `bulk.preview` does, or with `nothing_to_change`.
   */
  'bulk.addToDrafts': request(
    z.object({ edit: bulkSourceSchema }),
    z.object({ title: z.string(), campaigns: z.int(), step: z.int() }),
  ),
  /**
   * A part of a CSV file of the chosen fields, beginning with the header. The page requests part after part. Fails with
   * `bulk_not_started`.
   */
  'bulk.exportPart': request(
    z.object({ fields: z.array(z.string().min(1).max(100)).min(1).max(200), offset: z.int().min(0) }),
    z.object({
      text: z.string(),
      next: z.int().nullable(),
      total: z.int(),
      /** Cells of this part that exceed the cell length of spreadsheets, with the label of their field. */
      tooLong: z.array(z.object({ cid, label: z.string() })),
    }),
  ),
  /** Starts the transfer of a file from the page. Replaces the previous file. */
  'bulk.fileStart': request(z.object({ name: z.string().max(300) }), fileId),
  /** The next bytes of the file in Base64. Fails with `csv_too_large` or `bulk_not_started`. */
  'bulk.filePart': request(fileId.extend({ bytes: z.string().max(700_000) }), nothing),
  /**
   * Parses the file and starts a bulk change. An option of null is detected. Fails with `csv_unreadable`,
   * `csv_rows_unusable`, `csv_too_large` or `csv_too_slow`.
   */
  'bulk.fileRead': request(
    fileId.extend({
      encoding: z.enum(fileEncodings).nullable(),
      separator: z.enum(fileSeparators).nullable(),
      decimals: decimalMark.exclude(['unknown']).nullable(),
      dates: dateOrder.exclude(['unknown', 'year-first']).nullable(),
      /**
       * Treatment of numbers rounded by a cell format (`rounded`) and of texts with lost letters (`lost`): use the
       * exported value, or take the cell's. With null the line has a problem and is skipped.
       */
      rounded: cellChoice.nullable(),
      lost: cellChoice.nullable(),
    }),
    nothing,
  ),
  /** The file that was read last. Null if there is none, or if other campaigns were chosen since. */
  'bulk.file': request(nothing, z.object({ id: z.string(), file: bulkFileSchema }).nullable()),
};
