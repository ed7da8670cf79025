import { z } from 'zod';
import { sourcePaginationSchema } from './remote-tools.ts';
import { exportFormats, maxReportDays, taskWeekdays, xmlGroupings } from './codes.ts';
import { atMost } from '../lib/inert-text.ts';

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
const timezone = z.string().min(1).max(64);

/** The schedule of a task (contract §4.3, scheduled tasks; our choice where the contract is silent). */
export const taskScheduleSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('once'), at: z.iso.datetime({ offset: true }) }),
  z.strictObject({ type: z.literal('daily'), time, timezone }),
  z.strictObject({
    type: z.literal('weekly'),
    days: z.array(z.enum(taskWeekdays)).min(1).max(taskWeekdays.length),
    time,
    timezone,
  }),
]);

export type TaskSchedule = z.infer<typeof taskScheduleSchema>;

const ofReport = { lastDays: z.int().min(1).max(maxReportDays), format: z.enum(exportFormats) };
const source = z.int().positive();

const reportParametersSchema = z.discriminatedUnion('report', [
  z.strictObject({ report: z.literal('xml'), tid: source, groupBy: z.enum(xmlGroupings), ...ofReport }),
  z.strictObject({ report: z.literal('search'), sid: source.exactOptional(), ...ofReport }),
]);

export type ReportParameters = z.infer<typeof reportParametersSchema>;

const reportTask = {
  kind: z.literal('report_export'),
  name: z
    .string()
    .min(1)
    .refine(...atMost(100))
    .exactOptional(),
  schedule: taskScheduleSchema,
  parameters: reportParametersSchema,
};

/** The arguments of `svc_prepare_task` for a report. */
export const reportTaskSchema = z.strictObject(reportTask);

export type ReportTask = z.infer<typeof reportTaskSchema>;

/** The payload of the commit that creates a report task. */
export const reportTaskPayloadSchema = z.strictObject({ id: z.string().min(1).max(200), ...reportTask });

/** The payload of the commit that ends a task. */
export const cancelTaskPayloadSchema = z.strictObject({ taskId: z.string().min(1).max(200) });

/** A task that asks for approval of a change, limited to the kinds that the app can describe. */
export const campaignTaskSchema = z.discriminatedUnion('kind', [
  z.looseObject({
    kind: z.literal('campaign_status'),
    parameters: z.looseObject({ cids: z.array(z.int()).min(1), status: z.string() }),
  }),
  z.looseObject({
    kind: z.literal('campaign_bid'),
    parameters: z.looseObject({ cid: z.int(), payout: z.number() }),
  }),
]);

const runSchema = z.looseObject({
  dueAt: z.string(),
  ranAt: z.string(),
  outcome: z.string(),
  missed: z.int().default(0),
  reason: z.string().optional(),
  rows: z.int().optional(),
  bytes: z.int().optional(),
  uri: z.string().optional(),
});

/** The answer of a prepare call, and the pending approval of a due task. */
export const waitingApprovalSchema = z.looseObject({
  id: z.string().min(1),
  fingerprint: z.string(),
  expiresAt: z.string(),
  payload: z.record(z.string(), z.json()),
  diff: z.array(z.looseObject({ field: z.string() })).optional(),
});

/** One task of `svc_list_tasks`. Unknown kinds and schedules are passed through unchanged. */
export const scheduledTaskSchema = z.looseObject({
  id: z.string().min(1).max(200),
  name: z.string().nullish(),
  kind: z.string(),
  schedule: z.json().default(null),
  parameters: z.json().default(null),
  state: z.string(),
  reason: z.string().optional(),
  createdAt: z.string().optional(),
  nextDueAt: z.string().nullish(),
  lastRun: runSchema.nullish(),
  approval: waitingApprovalSchema.nullish(),
});

export type ScheduledTask = z.infer<typeof scheduledTaskSchema>;

/** One page of `svc_list_tasks`. */
export const taskPageSchema = z.looseObject({
  data: z.array(z.json()),
  sourcePagination: sourcePaginationSchema.optional(),
});

/** `data` of a prepare call: the approval and the prepared change. */
export const preparedSchema = z.looseObject({
  approval: z.looseObject({ id: z.string().min(1), fingerprint: z.string(), expiresAt: z.string() }),
  payload: z.record(z.string(), z.json()),
  diff: z.array(z.looseObject({ field: z.string(), to: z.json().optional() })).default([]),
  warnings: z.array(z.string()).default([]),
});
