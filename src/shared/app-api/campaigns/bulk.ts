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
  /** Lists of these campaigns that are not targeting: keywords and the traffic filters of their service. */
  filters: z.array(z.object({ field: z.string(), label: z.string(), campaigns: z.int() })),
  types: z.array(z.object({ code: z.int(), name: z.string() })),
});

export type BulkState = z.infer<typeof bulkStateSchema>;

const previewFieldSchema = z.object({
  field: z.string(),
  label: z.string(),
  before: z.string(),
  after: z.string(),
  /** The value of a file's export, where someone else changed it since; null for no conflict. */
  exported: z.string().nullable(),
});

const previewState = z.enum(bulkStates);

const previewRowSchema = z.object({
  cid,
  name: z.string(),
  line: z.int().nullable(),
  /** A conflict is of a file: someone else changed a field since the export. With fields it becomes drafts. */
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
  /** The mark of decimals in its numbers, detected or chosen; unknown where no number of it says so. */
  decimals: decimalMark,
  /** The order of its dates, detected or chosen; year-first where each of them can only be one day, unknown where some can be two. */
  dates: dateOrder,
  rows: z.int(),
  fields: z.array(z.string()),
  unknownColumns: z.array(z.string()),
  /** False where the column of versions is missing: then a conflict cannot be noticed. */
  hasVersions: z.boolean(),
  /** Numbers of lines that are left out: new campaigns, unknown ones once reading ended, and lines that cannot be read. */
  leftOut: z.object({ new: z.int(), unknown: z.int(), unreadable: z.int() }),
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
  /** Begins a bulk change of these campaigns and reads them in full. `campaigns.loading` reports progress. */
  'bulk.start': request(z.object({ cids: z.array(cid).min(1).max(maxFound) }), nothing),
  'bulk.state': request(nothing, bulkStateSchema),
  'bulk.readAgain': request(nothing, nothing),
  /** Stops reading; what was read stays, and only that is changed. */
  'bulk.stopReading': request(nothing, nothing),
  /** Applies an edit to the campaigns that were read; stores nothing. Fails with `bulk_not_started` or `pattern_too_slow`. */
  'bulk.preview': request(
    z.object({
      edit: bulkSourceSchema,
      show: previewState.exclude(['same']).or(z.literal('all')),
      offset: z.int().min(0),
      limit: z.int().min(1).max(200),
    }),
    bulkPreviewSchema,
  ),
  /** Adds what changes to the drafts, conflicts with known values too, as one step; campaigns with a problem are left out. Fails as `bulk.preview`, or with `nothing_to_change`. */
  'bulk.addToDrafts': request(
    z.object({ edit: bulkSourceSchema }),
    z.object({ title: z.string(), campaigns: z.int(), step: z.int() }),
  ),
  /** Lines of a CSV file of the chosen fields, the head first; the page asks for part after part. Fails with `bulk_not_started`. */
  'bulk.exportPart': request(
    z.object({ fields: z.array(z.string().min(1).max(100)).min(1).max(200), offset: z.int().min(0) }),
    z.object({
      text: z.string(),
      next: z.int().nullable(),
      total: z.int(),
      /** Cells of this part that are longer than spreadsheets keep, by the label of their field. */
      tooLong: z.array(z.object({ cid, label: z.string() })),
    }),
  ),
  /** Begins a file that the page hands over; takes the place of the one before. */
  'bulk.fileStart': request(z.object({ name: z.string().max(300) }), fileId),
  /** The next bytes in Base64. Fails with `csv_too_large` or `bulk_not_started`. */
  'bulk.filePart': request(fileId.extend({ bytes: z.string().max(700_000) }), nothing),
  /** Reads the file and begins a bulk change; null detects. Fails with `csv_unreadable`, `csv_rows_unusable`, `csv_too_large` or `csv_too_slow`. */
  'bulk.fileRead': request(
    fileId.extend({
      encoding: z.enum(fileEncodings).nullable(),
      separator: z.enum(fileSeparators).nullable(),
      decimals: decimalMark.exclude(['unknown']).nullable(),
      dates: dateOrder.exclude(['unknown', 'year-first']).nullable(),
      /** Numbers that a format rounded, and texts that lost letters: leave them as exported, or take them; null makes the line a problem, which leaves it out. */
      rounded: cellChoice.nullable(),
      lost: cellChoice.nullable(),
    }),
    nothing,
  ),
  /** The file that was read last; null for none, and once other campaigns were chosen. */
  'bulk.file': request(nothing, z.object({ id: z.string(), file: bulkFileSchema }).nullable()),
};
