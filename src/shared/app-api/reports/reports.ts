import { z } from 'zod';
import { exportFormats, xmlGroupings } from '#shared/contract/index.ts';
import { comparisons, rangePresets } from '#shared/reports/index.ts';
import { nothing, request } from '../define.ts';

const date = z.iso.date();
const dimension = z.string().min(1).max(200);
/** A value of a dimension: foreign text; null where the service left it out. */
const dimensionValue = z.string().max(20_000).nullable();

/** Subject of a report (contract §4.2). A `sid` of null means every feed of the key. */
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

/** A row that is switched off, by the values of its levels from the outside in. Their order decides nothing. */
export const reportExclusionSchema = z.array(reportValueSchema).min(1).max(8);

export type ReportExclusion = z.infer<typeof reportExclusionSchema>;

export const reportQuerySchema = z.object({
  source: reportSourceSchema,
  range: reportRangeSchema,
  comparison: z.enum(comparisons),
  includeToday: z.boolean(),
  /** From the outside in. XML traffic is grouped by one of `date`, `geo` and `subid`, Search by one or more dimensions. */
  levels: z.array(dimension).min(1).max(8),
  /** For XML traffic by a dimension of the service's own: the grouping whose rows have it, by country if it is not named. */
  grouping: z.enum(xmlGroupings).optional(),
  only: z.array(reportValueSchema).max(1_000),
  excluded: z.array(reportExclusionSchema).max(1_000),
  /** Case-insensitive text in the value of a row's own dimension, as the service or as pages write it; empty for every row. */
  search: z.string().max(200),
  /** A column of the answer, `<column>:difference` for its difference from the compared days, or a dimension; ties are broken by the dimension's value. */
  sort: z.object({ column: z.string().max(200), descending: z.boolean() }),
});

export type ReportQuery = z.infer<typeof reportQuerySchema>;

/** A column of the answer. `label` is the service's own name of a column that the contract does not know: foreign text. */
const columnSchema = z.object({
  id: z.string(),
  kind: z.enum(['count', 'money', 'share', 'rate', 'number']),
  label: z.string().nullable(),
});

export type ReportColumn = z.infer<typeof columnSchema>;

const values = z.array(z.string().nullable());

/** The shares of a row that are unlike those of its peers, the rows under the same parent; `typical` is a decimal text. */
const unlike = z.array(z.object({ column: z.string(), is: z.enum(['low', 'high']), typical: z.string() }));

const rowSchema = z.object({
  path: z.array(dimensionValue),
  expandable: z.boolean(),
  expanded: z.boolean(),
  excluded: z.boolean(),
  values,
  /** The same columns over the compared days; null where nothing is compared or the row was not there. */
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
  /** The days asked for, and those that totals and comparisons count. */
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
  /** Every column day by day over `range`, for lines. A day without rows has nulls. */
  days: z.array(z.object({ date, values })),
  comparedDays: z.array(z.object({ date, values })),
  /** The same for pages of one report whose rows and totals are of the same readings. */
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

/** The service's own file of a report. `grouping` counts for XML traffic only. */
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
  /** One screen of a report from the cache. `read` fetches missing days in the background. Fails with `validation_failed` or `number_too_large`. */
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
  /** Days of a value, or values of a day, of XML traffic: several requests. Asked again after `reports.changed` until it is complete. */
  'reports.drill': request(
    z.object({ query: reportQuerySchema, drill: drillSchema, read: z.boolean() }),
    z.object({
      columns: z.array(columnSchema),
      rows: z.array(drillRowSchema),
      rowCount: z.int(),
      /** How many of the newest days are read, where the range has more of them; null where every day is. */
      newestDays: z.int().nullable(),
      state: reportStateSchema,
    }),
  ),
  'reports.cancel': request(z.object({ reading: z.enum(['page', 'drill']) }), z.null()),
  /** Available sources: those that were used with this profile, and for Demo those that exist. */
  'reports.sources': request(
    nothing,
    z.object({ tids: z.array(z.int()), sids: z.array(z.int()), publisherKey: z.boolean() }),
  ),
  /** Prepares the service's own file; one at a time, ended by a minute without a request. Fails with `validation_failed` and `credential_missing`. */
  'reports.exportStart': request(serviceFileSchema, z.object({ id: z.string(), name: z.string() })),
  /** A part of at most a megabyte. Fails with `no_data`, `report_export_ended`, `service_unreachable` or `service_answer_unreadable`. */
  'reports.exportPart': request(z.object({ id: z.string() }), filePartSchema),
  /** Ends a file, complete or not. Asked by the page in every case. */
  'reports.exportEnd': request(z.object({ id: z.string() }), z.null()),
};
