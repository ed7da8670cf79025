import { z } from 'zod';
import { request } from './define.ts';
import { reportQuerySchema, reportSourceSchema, reportValueSchema } from './reports.ts';

/** Signs of a mark. A `note` is a text alone. */
export const markSigns = ['good', 'watch', 'bad', 'note'] as const;

export type MarkSign = (typeof markSigns)[number];

/** Characters of a mark's note and of a view's name. */
export const maxNoteLength = 500;
export const maxViewNameLength = 60;

/** Marks and views of one profile. */
export const maxMarks = 1_000;
export const maxViews = 50;

const days = z.object({ from: z.iso.date(), to: z.iso.date() });
const id = z.string().min(1).max(100);

/** One value of one report: its mark is the same under every grouping, filter and range. */
export const markTargetSchema = reportValueSchema.extend({ source: reportSourceSchema });

export type MarkTarget = z.infer<typeof markTargetSchema>;

/** Sums of a value over whole days, as exact decimal texts by column. Ratios follow from them. */
export const markFiguresSchema = z.object({
  range: days,
  sums: z.record(z.string(), z.string().nullable()),
  /** False while a day of the range is missing or was not over when it was read. */
  complete: z.boolean(),
});

export type MarkFigures = z.infer<typeof markFiguresSchema>;

export const markSchema = markTargetSchema.extend({
  id,
  sign: z.enum(markSigns),
  note: z.string(),
  markedAtMs: z.number(),
  /** As they were when the value was marked; null where nothing had been read. */
  figuresThen: markFiguresSchema.nullable(),
});

export type Mark = z.infer<typeof markSchema>;

/** A saved view. Its query is null where another version of Countersign wrote it. */
export const reportViewSchema = z.object({
  id,
  name: z.string(),
  /** True for the view that opens first; at most one. */
  start: z.boolean(),
  query: reportQuerySchema.nullable(),
  savedAtMs: z.number(),
});

export type ReportView = z.infer<typeof reportViewSchema>;

const viewName = z
  .string()
  .trim()
  .min(1)
  .max(maxViewNameLength)
  .refine((name) => !/\p{C}/u.test(name));

/** Marks and views belong to the active profile, lie on this computer only, and are not sent to any service. */
export const reportNotesApi = {
  /** Every mark, the newest first. */
  'reports.marks.list': request(z.object({}), z.object({ items: z.array(markSchema) })),
  /** Marks a value, or changes its mark; `range` is what the figures then are of. Fails with `mark_limit` and `note_missing`. */
  'reports.marks.set': request(
    z.object({
      target: markTargetSchema,
      sign: z.enum(markSigns),
      note: z.string().trim().max(maxNoteLength),
      range: days,
    }),
    markSchema,
  ),
  'reports.marks.remove': request(z.object({ ids: z.array(id).min(1).max(maxMarks) }), z.null()),
  /** Figures of marked values over the last whole days, as many as they were marked with; only from what was read. */
  'reports.marks.now': request(
    z.object({ ids: z.array(id).max(100) }),
    z.object({ items: z.array(z.object({ id, figures: markFiguresSchema.nullable() })) }),
  ),
  /** In the order that a person gave them. */
  'reports.views.list': request(z.object({}), z.object({ items: z.array(reportViewSchema) })),
  /** Saves a new view at the end. Fails with `view_name_taken` and `view_limit`. */
  'reports.views.save': request(z.object({ name: viewName, query: reportQuerySchema }), reportViewSchema),
  /** Puts another query into a view. Fails with `view_unknown`. */
  'reports.views.overwrite': request(z.object({ id, query: reportQuerySchema }), z.null()),
  /** Fails with `view_unknown` and `view_name_taken`. */
  'reports.views.rename': request(z.object({ id, name: viewName }), z.null()),
  'reports.views.remove': request(z.object({ id }), z.null()),
  /** Puts the views into this order; those that are not named follow. */
  'reports.views.reorder': request(z.object({ ids: z.array(id).max(maxViews) }), z.null()),
  /** Opens this view first; null for none. Fails with `view_unknown`. */
  'reports.views.setStart': request(z.object({ id: id.nullable() }), z.null()),
};
