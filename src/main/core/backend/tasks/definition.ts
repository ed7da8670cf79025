import { z } from 'zod';
import type { Module, TaskRow } from '#core/store/backend/index.ts';
import { exportFormats, xmlGroupings } from '#shared/contract/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { codePointLength } from '#shared/lib/code-points.ts';
import { scheduleSchema } from './schedule.ts';

const longestName = 100;
const mostDays = 90;
const mostCampaigns = 100;

/** What a task may do; there is nothing else (contract §4.3: constrained tasks only). */
const taskKinds = ['report_export', 'campaign_status', 'campaign_bid'] as const;

export type TaskKind = (typeof taskKinds)[number];

/** What a member may set: nobody makes a campaign pending again (contract §3). */
const wantedStatuses = ['active', 'suspended', 'paused', 'scheduled'] as const;

const id = z.int().positive();
const ofReport = {
  lastDays: z
    .int()
    .min(1)
    .max(mostDays)
    .describe('How many whole service days before the day on which it is due (UTC).'),
  format: z.enum(exportFormats),
};

const xmlReport = z
  .strictObject({
    report: z.literal('xml'),
    tid: id.describe('XML traffic source.'),
    groupBy: z.enum(xmlGroupings).default('day'),
    ...ofReport,
  })
  .describe('Of report_export: XML statistics.');

const searchReport = z
  .strictObject({
    report: z.literal('search'),
    sid: id.optional().describe('Search feed; every feed when it is left out.'),
    ...ofReport,
  })
  .describe('Of report_export: Search report.');

const statusParameters = z
  .strictObject({
    cids: z.array(id).min(1).max(mostCampaigns),
    status: z.enum(wantedStatuses),
  })
  .describe('Of campaign_status.');

const bidParameters = z
  .strictObject({ cid: id, payout: z.number().positive().describe('The bid.') })
  .describe('Of campaign_bid.');

const parametersOf = {
  report_export: z.discriminatedUnion('report', [xmlReport, searchReport]),
  campaign_status: statusParameters,
  campaign_bid: bidParameters,
} as const satisfies Record<TaskKind, z.ZodType>;

const name = z
  .string()
  .min(1)
  .refine((text) => codePointLength(text) <= longestName, `name must have at most ${longestName} characters.`)
  .meta({ description: 'For people.', maxLength: longestName });

const common = { name: name.optional(), schedule: scheduleSchema };

/** The arguments of `svc_prepare_task`. Which parameters belong to which kind is said by {@link definitionSchema}. */
export const definitionInput = z.strictObject({
  ...common,
  kind: z.enum(taskKinds),
  parameters: z.union([xmlReport, searchReport, statusParameters, bidParameters]),
});

/** A task as somebody defines it. */
export const definitionSchema = z.discriminatedUnion('kind', [
  z.strictObject({ ...common, kind: z.literal('report_export'), parameters: parametersOf.report_export }),
  z.strictObject({ ...common, kind: z.literal('campaign_status'), parameters: parametersOf.campaign_status }),
  z.strictObject({ ...common, kind: z.literal('campaign_bid'), parameters: parametersOf.campaign_bid }),
]);

export type TaskDefinition = z.infer<typeof definitionSchema>;

/** A task that exports a report. */
export type ReportTask = Extract<TaskDefinition, { kind: 'report_export' }>;

/** A task that changes campaigns, after an approval. */
export type ChangeTask = Exclude<TaskDefinition, ReportTask>;

/** The module that a task works in, besides `tasks`. */
export function moduleOf(definition: TaskDefinition): Module {
  switch (definition.kind) {
    case 'report_export':
      return definition.parameters.report;
    case 'campaign_status':
    case 'campaign_bid':
      return 'campaigns';
    default:
      return assertNever(definition);
  }
}

/** The definition of a stored task. */
export function definitionOf({ definition }: Pick<TaskRow, 'definition'>): TaskDefinition {
  return definitionSchema.parse(JSON.parse(definition));
}
