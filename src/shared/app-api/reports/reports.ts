import { z } from 'zod';
import { exportFormats, xmlGroupings } from '#shared/contract/index.ts';
import { comparisons, rangePresets } from '#shared/reports/index.ts';
import { nothing, request } from '../define.ts';

const date = z.iso.date();
const dimension = z.string().min(1).max(200);
/** A value of a dimension. Untrusted text; null if the service omitted it. */
const dimensionValue = z.string().max(20_000).nullable();

/** The subject of a report (contract §4.2). A `sid` of null means every feed of the key. */
export const reportSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('xml'), tid: z.int().min(1) }),
  z.object({ kind: z.literal('search'), sid: z.int().min(1).nullable() }),
]);

export type ReportSource = z.infer<typeof reportSourceSchema>;

export const reportRangeSchema = z.union([
  z.object({ preset: z.enum(rangePresets) }),
  z.object({ from: date, to: date }),
]);

export const reportValueSchema = z.object({ dimension, value: dimensionValue });

export type ReportValue = z.infer<typeof reportValueSchema>;

/** A row that is switched off, identified by the values of its levels. The order of the values does not matter. */
export const reportExclusionSchema = z.array(reportValueSchema).min(1).max(8);

export type ReportExclusion = z.infer<typeof reportExclusionSchema>;

export const reportQuerySchema = z.object({
  source: reportSourceSchema,
  range: reportRangeSchema,
  comparison: z.enum(comparisons),
  includeToday: z.boolean(),
  /**
   * Grouping levels from the outside in. XML traffic is grouped by one of `date`, `geo` and `subid`, Search by one or
   * more dimensions.
   */
  levels: z.array(dimension).min(1).max(8),
  /** For XML traffic by a dimension that only the service names: the grouping whose rows contain it. Defaults to country. */
  grouping: z.enum(xmlGroupings).optional(),
  only: z.array(reportValueSchema).max(1_000),
  excluded: z.array(reportExclusionSchema).max(1_000),
  /**
   * Case-insensitive search text for the value of a row's own dimension, as the service sends it or as pages display
   * it. Empty matches every row.
   */
  search: z.string().max(200),
  /**
   * A column of the answer, `<column>:difference` for its difference from the compared days, or a dimension. The
   * dimension's value breaks ties.
   */
  sort: z.object({ column: z.string().max(200), descending: z.boolean() }),
});

export type ReportQuery = z.infer<typeof reportQuerySchema>;

/** A column of the answer. `label` is the service's name of a column that the contract does not define, and untrusted text. */
const columnSchema = z.object({
  id: z.string(),
  kind: z.enum(['count', 'money', 'share', 'rate', 'number']),
  label: z.string().nullable(),
});

export type ReportColumn = z.infer<typeof columnSchema>;

const values = z.array(z.string().nullable());

/**
 * Shares of a row that differ markedly from those of its peers, which are the rows with the same parent. `typical` is a
 * decimal text.
 */
const unlike = z.array(z.object({ column: z.string(), is: z.enum(['low', 'high']), typical: z.string() }));

const rowSchema = z.object({
  path: z.array(dimensionValue),
  expandable: z.boolean(),
  expanded: z.boolean(),
  excluded: z.boolean(),
  values,
  /** The columns over the compared days; `null` if nothing is compared or the row has no data for those days. */
  compared: values.nullable(),
  unlike,
});

export type ReportRow = z.infer<typeof rowSchema>;

export const reportStateSchema = z.object({
  state: z.enum(['idle', 'reading', 'failed', 'cancelled']),
  doneRequests: z.int(),
  allRequests: z.int(),
  receivedBytes: z.number(),
  failure: z
    .object({
      code: z.string(),
      message: z.string(),
      next: z.string(),
      fields: z.array(z.object({ field: z.string(), message: z.string() })),
    })
    .nullable(),
  readAtMs: z.number().nullable(),
  partial: z.boolean(),
});

export type ReportState = z.infer<typeof reportStateSchema>;

export const reportPageSchema = z.object({
  /** `range` is the requested days. `counted` is the days that totals and comparisons include. */
  range: z.object({ from: date, to: date }),
  counted: z.object({ from: date, to: date }).nullable(),
  compared: z.object({ from: date, to: date }).nullable(),
  incompleteDay: date.nullable(),
  zone: z.string(),
  columns: z.array(columnSchema),
  dimensions: z.array(dimension),
  rows: z.array(rowSchema),
  rowCount: z.int(),
  excludedCount: z.int(),
  totals: values,
  comparedTotals: values.nullable(),
  /** Every column for each day of `range`, for line charts. A day without rows has nulls. */
  days: z.array(z.object({ date, values })),
  comparedDays: z.array(z.object({ date, values })),
  /** Pages of one report with equal versions come from the same reads, in both rows and totals. */
  version: z.string(),
  state: reportStateSchema,
});

export type ReportPage = z.infer<typeof reportPageSchema>;

const drillRowSchema = z.object({ value: dimensionValue, values, unlike });

export type DrillRow = z.infer<typeof drillRowSchema>;

const drillSchema = z.object({
  of: reportValueSchema,
  by: dimension,
});

/** The service's own file of a report. `grouping` is used for XML traffic only. */
const serviceFileSchema = z.object({
  source: reportSourceSchema,
  range: reportRangeSchema,
  grouping: z.enum(xmlGroupings),
  format: z.enum(exportFormats),
});

const filePartSchema = z.object({
  text: z.string(),
  receivedBytes: z.number(),
  done: z.boolean(),
});

export const reportsApi = {
  /**
   * One screen of a report from the cache. `read` fetches missing days in the background. Fails with
   * `validation_failed` or `number_too_large`.
   */
  'reports.page': request(
    z.object({
      query: reportQuerySchema,
      expanded: z.array(z.array(dimensionValue).max(8)).max(2_000),
      offset: z.int().min(0),
      limit: z.int().min(1).max(500),
      read: z.enum(['none', 'missing', 'all']),
    }),
    reportPageSchema,
  ),
  /**
   * The days of a value, or the values of a day, of XML traffic. This takes several requests to the service: ask again
   * after `reports.changed` until the answer is complete.
   */
  'reports.drill': request(
    z.object({ query: reportQuerySchema, drill: drillSchema, read: z.boolean() }),
    z.object({
      columns: z.array(columnSchema),
      rows: z.array(drillRowSchema),
      rowCount: z.int(),
      /** Number of newest days that are read if the range has more days. Null if every day is read. */
      newestDays: z.int().nullable(),
      state: reportStateSchema,
    }),
  ),
  'reports.cancel': request(z.object({ reading: z.enum(['page', 'drill']) }), z.null()),
  /** Available sources: those that were used with this profile. For Demo, all that exist. */
  'reports.sources': request(
    nothing,
    z.object({ tids: z.array(z.int()), sids: z.array(z.int()), publisherKey: z.boolean() }),
  ),
  /**
   * Prepares the service's own file. Only one runs at a time, and it ends after a minute without a request. Fails with
   * `validation_failed` or `credential_missing`.
   */
  'reports.exportStart': request(serviceFileSchema, z.object({ id: z.string(), name: z.string() })),
  /**
   * A part of at most one megabyte. Fails with `no_data`, `report_export_ended`, `service_unreachable` or
   * `service_answer_unreadable`.
   */
  'reports.exportPart': request(z.object({ id: z.string() }), filePartSchema),
  /** Ends an export, complete or not. The page must always send this. */
  'reports.exportEnd': request(z.object({ id: z.string() }), z.null()),
};
