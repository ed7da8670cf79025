import { z } from 'zod';
import { reportTaskSchema } from '../../contract/index.ts';
import { failureSchema, momentSchema, nothing, reasonSchema, recordId, request } from '../define.ts';
import { extraScopes } from '../profiles/profiles.ts';
import { proposalSchema } from './proposals.ts';
import { proposalStates } from '../../proposals/states.ts';

const creatorSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('person'), proposalId: z.string() }),
  z.object({ kind: z.literal('agent'), name: z.string(), proposalId: z.string() }),
  z.object({ kind: z.literal('unknown') }),
]);

const taskIdSchema = z.string().min(1).max(200);

/**
 * `too-late`: the service's approval ends before a decision could be sent. `elsewhere`: prepared for another sign-in.
 * `decided`: decided in this app, and not denied.
 */
const dueStages = ['unproposed', 'waiting', 'denied', 'decided', 'too-late', 'elsewhere'] as const;

export type DueStage = (typeof dueStages)[number];

const dueSchema = z.object({
  stage: z.enum(dueStages),
  /** The end of the service's approval; `null` if the approval belongs to another sign-in. */
  endsAtMs: z.number().nullable(),
  proposalId: z.string().nullable(),
});

/** A scheduled task of the service, worded by the core. Texts that come from the service are untrusted and made inert. */
export const scheduleSchema = z.object({
  id: taskIdSchema,
  name: z.string().nullable(),
  what: z.string(),
  /** For example `Every day at 09:00 (Europe/Berlin)`. */
  when: z.string(),
  kind: z.enum(['report', 'change', 'unknown']),
  state: z.enum(['active', 'due', 'suspended', 'cancelled', 'ended', 'unknown']),
  stateWord: z.string(),
  reason: z.string().nullable(),
  createdAtMs: z.number().nullable(),
  nextDueAtMs: z.number().nullable(),
  runsAheadMs: z.array(z.number()),
  lastRun: z
    .object({
      dueAtMs: z.number(),
      ranAtMs: z.number(),
      outcome: z.string(),
      missed: z.int(),
      reason: z.string().nullable(),
      rows: z.int().nullable(),
      bytes: z.int().nullable(),
      fileName: z.string().nullable(),
    })
    .nullable(),
  due: dueSchema.nullable(),
  createdBy: creatorSchema,
  history: z.array(
    z.object({
      proposalId: z.string(),
      title: z.string(),
      state: z.enum(proposalStates),
      updatedAtMs: z.number(),
    }),
  ),
});

export type ScheduleView = z.infer<typeof scheduleSchema>;

/** The return of a timed pause, which this app keeps. Names are untrusted text, made inert. */
const pauseReturnSchema = z.object({
  id: recordId,
  atMs: z.number(),
  /**
   * `due`: its time has come and it is not proposed yet. `waiting`: its proposal awaits approval. `decided`: its proposal
   * is no longer undecided. `ended`: nothing was left to return.
   */
  state: z.enum(['planned', 'due', 'waiting', 'decided', 'ended']),
  pauseId: z.string(),
  pausedCount: z.int(),
  /** How many of them another change through this app has touched since. They do not return. */
  changedCount: z.int(),
  campaigns: z.array(z.object({ cid: z.int(), name: z.string() })),
  ended: z.string().nullable(),
  /** Why a due return could not be proposed yet. */
  failure: reasonSchema.nullable(),
  proposal: z.object({ id: z.string(), title: z.string(), state: z.enum(proposalStates) }).nullable(),
});

export type PauseReturnView = z.infer<typeof pauseReturnSchema>;

const returnId = z.object({ id: recordId });

export const schedulesSchema = z.object({
  profileId: z.string(),
  zone: z.string(),
  state: z.enum(['idle', 'reading', 'failed']),
  failure: failureSchema.nullable(),
  readAtMs: z.number().nullable(),
  /** `direct`: the member token gives access to the tools, but scheduled tasks need a sign-in. */
  access: z.enum(['ready', 'signed-out', 'direct']),
  granted: z.array(z.enum(extraScopes)),
  missing: z.array(z.enum(extraScopes)),
  tasks: z.array(scheduleSchema),
  /** Returns of timed pauses of the profile, earliest first. They need no sign-in. */
  returns: z.array(pauseReturnSchema),
  unreadable: z.int(),
  /** Traffic sources and feeds of the account to choose from. Null if they are not known. */
  sources: z.object({ tids: z.array(z.int()), sids: z.array(z.int()) }).nullable(),
});

export type SchedulesView = z.infer<typeof schedulesSchema>;

export const schedulesApi = {
  /** The tasks of the last read. `read` starts another read in the background, and `schedules.changed` reports its end. */
  'schedules.list': request(z.object({ read: z.boolean() }), schedulesSchema),
  /**
   * Prepares and proposes a scheduled report. Fails with `tool_refused`, `scope_needed`, `tool_held`, or as the remote
   * client does.
   */
  'schedules.proposeReport': request(z.object({ task: reportTaskSchema }), proposalSchema),
  'schedules.proposeCancel': request(z.object({ id: taskIdSchema }), proposalSchema),
  /** Moves a planned return. Fails with `return_not_planned` or `return_time_passed`. */
  'schedules.moveReturn': request(returnId.extend({ atMs: momentSchema }), nothing),
  /** The campaigns of the pause stay paused. Fails with `return_not_planned`. */
  'schedules.cancelReturn': request(returnId, nothing),
  /** Proposes a planned return before its time. Fails as `campaigns.proposeReturn` does. */
  'schedules.returnNow': request(returnId, proposalSchema),
  /**
   * Reads the file of a task's last run. Its content is untrusted text. Fails with `object_not_found` if there is no
   * file, or as the remote client does.
   */
  'schedules.file': request(z.object({ id: taskIdSchema }), z.object({ text: z.string() })),
};
