import { z } from 'zod';
import { alertBases, alertWindows } from '#shared/reports/index.ts';
import { markSigns, maxMarks, maxNoteLength, maxViewNameLength, maxViews } from '../constants.ts';
import { failureSchema, nameSchema, nothing, recordId as id, request } from '../define.ts';
import { reportQuerySchema, reportSourceSchema, reportValueSchema } from './reports.ts';
import { atMost } from '../../lib/inert-text.ts';

const days = z.object({ from: z.iso.date(), to: z.iso.date() });

/** One value of one report. Its mark does not depend on grouping, filter or range. */
export const markTargetSchema = reportValueSchema.extend({ source: reportSourceSchema });

export type MarkTarget = z.infer<typeof markTargetSchema>;

/** Sums of a value over complete days, as exact decimal texts by column. Ratios are computed from the sums. */
export const markFiguresSchema = z.object({
  range: days,
  sums: z.record(z.string(), z.string().nullable()),
  /** False if a day of the range is missing, or was not over when it was read. */
  complete: z.boolean(),
});

export type MarkFigures = z.infer<typeof markFiguresSchema>;

export const markSchema = markTargetSchema.extend({
  id,
  sign: z.enum(markSigns),
  note: z.string(),
  markedAtMs: z.number(),
  figuresThen: markFiguresSchema.nullable(),
});

export type Mark = z.infer<typeof markSchema>;

export const reportViewSchema = z.object({
  id,
  name: z.string(),
  start: z.boolean(),
  query: reportQuerySchema.nullable(),
  savedAtMs: z.number(),
});

export type ReportView = z.infer<typeof reportViewSchema>;

const viewName = nameSchema(maxViewNameLength);

/** Marks and views belong to the active profile. They are stored on this computer only and never sent to a service. */
export const reportNotesApi = {
  'reports.marks.list': request(nothing, z.object({ items: z.array(markSchema) })),
  /**
   * Marks a value, or edits its mark. If the sign does not change, only the note is replaced. Fails with `mark_limit`
   * or `validation_failed`.
   */
  'reports.marks.set': request(
    z.object({
      target: markTargetSchema,
      sign: z.enum(markSigns),
      note: z
        .string()
        .trim()
        .refine(...atMost(maxNoteLength)),
      range: days,
    }),
    markSchema,
  ),
  'reports.marks.remove': request(z.object({ ids: z.array(id).min(1).max(maxMarks) }), z.null()),
  /**
   * Figures of marked values over the last complete days, with as many days as each mark was made with. Reads cached
   * data only.
   */
  'reports.marks.now': request(
    z.object({ ids: z.array(id).max(100) }),
    z.object({ items: z.array(z.object({ id, figures: markFiguresSchema.nullable() })) }),
  ),
  'reports.views.list': request(nothing, z.object({ items: z.array(reportViewSchema) })),
  /** Appends a new view. Fails with `view_name_taken` or `view_limit`. */
  'reports.views.save': request(z.object({ name: viewName, query: reportQuerySchema }), reportViewSchema),
  /** Replaces the query of a view. Fails with `view_unknown`. */
  'reports.views.overwrite': request(z.object({ id, query: reportQuerySchema }), z.null()),
  /** Fails with `view_unknown` or `view_name_taken`. */
  'reports.views.rename': request(z.object({ id, name: viewName }), z.null()),
  'reports.views.remove': request(z.object({ id }), z.null()),
  /** Orders the views. Views that are not named follow at the end. */
  'reports.views.reorder': request(z.object({ ids: z.array(id).max(maxViews) }), z.null()),
  /** Sets the view that the page opens first. Null sets none. Fails with `view_unknown`. */
  'reports.views.setStart': request(z.object({ id: id.nullable() }), z.null()),
};

/** Max alerts of one profile. `maxAlertEvents` limits the stored crossings and recoveries of a profile. */
export const maxAlerts = 50;
export const maxAlertEvents = 200;

const column = z.string().min(1).max(200);
const amount = z.string().regex(/^\d{1,12}(?:\.\d{1,9})?$/u);

export const alertConditionSchema = z.discriminatedUnion('kind', [
  /** `threshold` is in the metric's unit: a share of 2% is 0.02. */
  z.object({ kind: z.literal('level'), is: z.enum(['below', 'above']), threshold: amount }),
  z.object({
    kind: z.literal('change'),
    is: z.enum(['down', 'up']),
    /** A percentage. For a share, percentage points. */
    percent: amount,
    against: z.enum(alertBases),
  }),
]);

/** The part of an alert that a person sets. `only` narrows the alert to one value; null means the complete report. */
export const alertRuleSchema = z.object({
  source: reportSourceSchema,
  only: reportValueSchema.nullable(),
  metric: column,
  window: z.enum(alertWindows),
  condition: alertConditionSchema,
  /** The sum that must reach a count before the alert is evaluated, for example 1,000 requests. */
  least: z.object({ metric: column, count: z.string().regex(/^\d{1,15}$/u) }).nullable(),
});

export type AlertRule = z.infer<typeof alertRuleSchema>;

/** The last reading. Values are decimal texts in the metric's unit. Ratios are rounded to nine decimals. */
export const alertReadingSchema = z.object({
  kind: z.enum(['crossed', 'clear', 'too-little', 'unknown']),
  /** Null unless `kind` is `unknown`. After `address-changed` the alert stays off until a person switches it on. */
  because: z.enum(['incomplete', 'no-value', 'nothing-before', 'not-computed', 'address-changed']).nullable(),
  range: days.nullable(),
  now: z.string().nullable(),
  before: z.string().nullable(),
});

export type AlertReadingView = z.infer<typeof alertReadingSchema>;

export const alertSchema = z.object({
  id,
  rule: alertRuleSchema,
  on: z.boolean(),
  state: z.enum(['clear', 'crossed']),
  sinceMs: z.number(),
  checkedAtMs: z.number().nullable(),
  reading: alertReadingSchema.nullable(),
});

export type AlertView = z.infer<typeof alertSchema>;

export const alertEventSchema = z.object({
  id: z.int(),
  alertId: id,
  kind: z.enum(['crossed', 'recovered']),
  atMs: z.number(),
  rule: alertRuleSchema,
  range: days,
  now: z.string().nullable(),
  before: z.string().nullable(),
  seen: z.boolean(),
});

export type AlertEvent = z.infer<typeof alertEventSchema>;

export const alertChecksSchema = z.object({
  /** Requests of the profile in the last hour, and their limit. Profiles with alerts share the limit equally. */
  usedRequests: z.int(),
  maxRequests: z.int(),
  nextCheckAtMs: z.number().nullable(),
  failure: failureSchema.nullable(),
});

export type AlertChecks = z.infer<typeof alertChecksSchema>;

const day = z.iso.date();

const alertHistorySchema = z.object({
  knownDays: z.int(),
  trial: z.object({ checkedDays: z.int(), firedOn: z.array(day) }).nullable(),
  proposal: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('threshold'),
      is: z.enum(['below', 'above']),
      threshold: amount,
      usual: z.object({ low: z.string(), high: z.string() }),
    }),
    z.object({ kind: z.literal('none'), because: z.enum(['too-few-days', 'reaches-zero']) }),
  ]),
});

/** Alerts of the active profile. They notify and never change anything at a service. */
export const reportAlertsApi = {
  'reports.alerts.list': request(
    nothing,
    z.object({
      items: z.array(alertSchema),
      events: z.array(alertEventSchema),
      checks: alertChecksSchema,
    }),
  ),
  /**
   * Adds an alert, or replaces the rule of the alert with this id, whose state is then clear. Fails with
   * `validation_failed`, `alert_limit` or `alert_unknown`.
   */
  'reports.alerts.save': request(z.object({ id: id.nullable(), rule: alertRuleSchema }), alertSchema),
  /** Fails with `alert_unknown`. */
  'reports.alerts.switch': request(z.object({ id, on: z.boolean() }), z.null()),
  'reports.alerts.remove': request(z.object({ id }), z.null()),
  /** Reads cached days only. Fails with `validation_failed` or `number_too_large`. */
  'reports.alerts.history': request(
    alertRuleSchema.extend({ condition: alertConditionSchema.nullable() }),
    alertHistorySchema,
  ),
  'reports.alerts.check': request(nothing, z.null()),
  'reports.alerts.seen': request(nothing, z.null()),
};
