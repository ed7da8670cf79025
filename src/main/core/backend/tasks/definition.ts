import { z } from 'zod';
import type { Module, TaskRow } from '#core/store/backend/index.ts';
import { exportFormats, xmlGroupings } from '#shared/contract/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { codePointLength } from '#shared/lib/inert-text.ts';
import { AppError } from '#shared/errors/index.ts';
import { validateUpdate, loadOwned } from '../member/campaign-rules.ts';
import type { BackendService } from '../service.ts';
import { scheduleSchema } from './schedule.ts';
import { sentence } from '#shared/lib/sentence.ts';

const maxNameLength = 100;
const maxDays = 90;
const maxCampaigns = 100;

const taskKinds = ['report_export', 'campaign_status', 'campaign_bid'] as const;

export type TaskKind = (typeof taskKinds)[number];

const wantedStatuses = ['active', 'suspended', 'paused', 'scheduled'] as const;

const id = z.int().positive();
const reportFields = {
  lastDays: z
    .int()
    .min(1)
    .max(maxDays)
    .describe('How many whole service days before the day on which it is due (UTC).'),
  format: z.enum(exportFormats),
};

const xmlReport = z
  .strictObject({
    report: z.literal('xml'),
    tid: id.describe('XML traffic source.'),
    groupBy: z.enum(xmlGroupings).default('day'),
    ...reportFields,
  })
  .describe('Of report_export: XML statistics.');

const searchReport = z
  .strictObject({
    report: z.literal('search'),
    sid: id.optional().describe('Search feed; every feed when it is left out.'),
    ...reportFields,
  })
  .describe('Of report_export: Search report.');

const statusParameters = z
  .strictObject({
    cids: z.array(id).min(1).max(maxCampaigns),
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
  .refine(
    (text) => codePointLength(text) <= maxNameLength,
    `name must have at most ${maxNameLength} characters.`,
  )
  .meta({ description: 'For people.', maxLength: maxNameLength });

const common = { name: name.optional(), schedule: scheduleSchema };

/** {@link definitionSchema} checks which parameters belong to which kind. */
export const definitionInput = z.strictObject({
  ...common,
  kind: z.enum(taskKinds),
  parameters: z.union([xmlReport, searchReport, statusParameters, bidParameters]),
});

/** A definition in an answer. Its schema is short, because the arguments of `svc_prepare_task` already publish the complete shape. */
export const definitionOutput = {
  name: z.string().nullish(),
  kind: z.enum(taskKinds),
  schedule: z.looseObject({ type: z.string() }).describe('As svc_prepare_task takes it.'),
  parameters: z.looseObject({}),
};

export const definitionSchema = z.discriminatedUnion('kind', [
  z.strictObject({ ...common, kind: z.literal('report_export'), parameters: parametersOf.report_export }),
  z.strictObject({ ...common, kind: z.literal('campaign_status'), parameters: parametersOf.campaign_status }),
  z.strictObject({ ...common, kind: z.literal('campaign_bid'), parameters: parametersOf.campaign_bid }),
]);

export type TaskDefinition = z.infer<typeof definitionSchema>;

export type ReportTask = Extract<TaskDefinition, { kind: 'report_export' }>;

export type ChangeTask = Exclude<TaskDefinition, ReportTask>;

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

export function definitionOf({ definition }: Pick<TaskRow, 'definition'>): TaskDefinition {
  return definitionSchema.parse(JSON.parse(definition));
}

export interface TaskTargets {
  service: BackendService;
  reports: {
    sources(uid: number): { tids: number[]; feeds: number[] };
  };
}

/** Fails with `campaign_not_found` or `source_forbidden`. */
export function requireTargets(
  { service, reports }: TaskTargets,
  uid: number,
  definition: TaskDefinition,
): void {
  switch (definition.kind) {
    case 'report_export': {
      const { parameters } = definition;
      const { tids, feeds } = reports.sources(uid);
      if (parameters.report === 'xml' && !tids.includes(parameters.tid))
        throw new AppError('source_forbidden');
      const { sid } = parameters.report === 'search' ? parameters : {};
      if (sid !== undefined && !feeds.includes(sid)) throw new AppError('source_forbidden');
      return;
    }
    case 'campaign_status':
      requireCampaigns(service, uid, definition.parameters.cids);
      return;
    case 'campaign_bid':
      requireCampaigns(service, uid, [definition.parameters.cid]);
      return;
    default:
      assertNever(definition);
  }
}

/** Fails as {@link validateUpdate} does. */
export function requirePossibleBid({ service }: TaskTargets, uid: number, definition: TaskDefinition): void {
  if (definition.kind !== 'campaign_bid') return;
  const { cid, payout } = definition.parameters;
  const stored = loadOwned(service.store.read, uid, cid);
  validateUpdate(service, { uid, cid, sent: { ...stored, payout } });
}

function requireCampaigns({ store }: BackendService, uid: number, cids: readonly number[]): void {
  const found = store.read.statuses(uid, cids);
  const fields = cids
    .filter((cid) => !found.has(cid))
    .map((cid) => ({
      field: 'parameters',
      code: 'not_found',
      message: sentence`Campaign ${cid} does not exist in this account.`,
    }));
  if (fields.length > 0) throw new AppError('campaign_not_found', { fields });
}

export const maxLiveTasks = 20;

export const maxEndedTasks = 50;

export const maxStoredRuns = { runs: 30, files: 5 } as const;

export const maxFileBytes = 2 * 1024 * 1024;

/** A task's approval ends earlier if its next run is due earlier. */
export const maxApprovalMs = 24 * 60 * 60 * 1000;

/** Timers wait at most a minute, because clocks can be set and machines sleep. */
export const maxTimerMs = 60_000;
