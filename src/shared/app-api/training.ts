import { z } from 'zod';
import {
  attemptSchema,
  faultKinds,
  faultProgressSchema,
  lessonIds,
  missionIds,
  traineeNameSchema,
} from '../training/index.ts';
import { nothing, request } from './define.ts';
import { proposalSchema } from './proposals/proposals.ts';
import { shownFormatsSchema } from './profiles/session.ts';

const missionSchema = z.enum(missionIds);

const lessonSchema = z.enum(lessonIds);

export const debriefItemSchema = z.object({
  stepId: z.string(),
  title: z.string(),
  cid: z.int().nullable(),
  proposals: z.int(),
  agentSays: z.string().nullable(),
  fault: z
    .object({
      kind: z.enum(faultKinds),
      what: z.string(),
      /** The place where a person could see the fault. Null if its confirmation was never shown. */
      where: z.string().nullable(),
      costPerDayMicros: z.number().nullable(),
    })
    .nullable(),
  verdict: z.enum(['caught', 'missed', 'false-alarm', 'fine', 'undecided']),
  decidedInMs: z.number().nullable(),
  reason: z.string().nullable(),
});

export type DebriefItem = z.infer<typeof debriefItemSchema>;

export const workspaceSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('mission'),
    mission: missionSchema,
    name: traineeNameSchema,
    briefing: z.array(z.string()).length(3),
    phase: z.enum(['briefing', 'running', 'over']),
    decided: z.int(),
    total: z.int(),
    /** The end of the time limit on this computer's clock. Null without a limit, or before the start. */
    endsAtMs: z.number().nullable(),
    attempt: z.string().nullable(),
  }),
  z.object({ kind: z.literal('practice') }),
]);

export type WorkspaceView = z.infer<typeof workspaceSchema>;

const trainingHomeSchema = z.object({
  names: z.array(traineeNameSchema),
  name: traineeNameSchema.nullable(),
  missions: z.array(
    z.object({
      id: missionSchema,
      attempts: z.int(),
      best: z.int().nullable(),
      isRecommended: z.boolean(),
    }),
  ),
  lessons: z.array(z.object({ id: lessonSchema, doneAtMs: z.number().nullable() })),
  progress: z.array(faultProgressSchema),
  attempts: z.array(attemptSchema),
  /** A mission or practice that was left and can be resumed, and the time at which it was left. Null otherwise. */
  left: z
    .object({ kind: z.enum(['mission', 'practice']), mission: missionSchema.nullable(), atMs: z.number() })
    .nullable(),
  keyFingerprint: z.string(),
});

export type TrainingHome = z.infer<typeof trainingHomeSchema>;

const checkedResultSchema = z.object({
  fileName: z.string(),
  result: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('intact'),
      name: traineeNameSchema,
      keyFingerprint: z.string(),
      savedAtMs: z.number(),
      attempts: z.array(attemptSchema),
      progress: z.array(faultProgressSchema),
    }),
    z.object({ kind: z.literal('refused'), reason: z.string() }),
  ]),
});

export type CheckedResult = z.infer<typeof checkedResultSchema>;

/**
 * Faults of the embedded service that free practice offers. Each of the first six affects one request. The others last
 * until they are switched off.
 */
export const practiceFaults = [
  'no-balance',
  'conflict',
  'wrong-server',
  'too-many-requests',
  'not-available',
  'lost-answer',
  'slow',
  'tools-down',
  'sign-in-down',
] as const;

const practiceFaultSchema = z.enum(practiceFaults);

export type PracticeFault = z.infer<typeof practiceFaultSchema>;

export const agentBehaviours = ['careful', 'hasty', 'hostile'] as const;

const practiceSchema = z.object({
  /** The embedded service's clock. The core's own clock is never changed. */
  serviceNowMs: z.number(),
  aheadMs: z.number(),
  zone: z.string(),
  balanceMicros: z.number(),
  faults: z.array(practiceFaultSchema),
  agent: z.object({
    behaviour: z.enum(agentBehaviours).nullable(),
    isRunning: z.boolean(),
    said: z.string().nullable(),
  }),
  states: z.array(z.object({ name: z.string(), atMs: z.number() })),
  /** The last edit by “someone else”, in one sentence. */
  lastEdit: z.string().nullable(),
});

export type PracticeView = z.infer<typeof practiceSchema>;

const stateName = z
  .string()
  .trim()
  .min(1)
  .max(40)
  // oxlint-disable-next-line no-control-regex -- a name in a list
  .regex(/^[^\u0000-\u001f\u007f]*$/u);

/**
 * Requests of the training window. Other cores refuse them with `training_only`. Requests that need a workspace fail
 * with `no_workspace`.
 */
export const trainingApi = {
  'training.home': request(nothing, trainingHomeSchema),
  'training.setName': request(z.object({ name: traineeNameSchema }), trainingHomeSchema),
  /** Opens a workspace with a new variant of the mission. Fails with `workspace_open` if a workspace is open. */
  'training.startMission': request(z.object({ mission: missionSchema }), workspaceSchema),
  'training.startPractice': request(nothing, workspaceSchema),
  'training.resume': request(nothing, workspaceSchema),
  'training.discard': request(nothing, trainingHomeSchema),
  /** A figure of a lesson: a case of the corpus, worded by the core like any proposal. It cannot be decided. */
  'training.figure': request(
    z.object({ caseName: z.string().max(100) }),
    z.object({ proposal: proposalSchema }),
  ),
  'training.lessonDone': request(z.object({ lesson: lessonSchema }), trainingHomeSchema),
  'training.workspace': request(
    nothing,
    z.object({ workspace: workspaceSchema.nullable(), formats: shownFormatsSchema }),
  ),
  'training.begin': request(nothing, workspaceSchema),
  'training.finish': request(nothing, workspaceSchema),
  /** Closes the workspace. A practice, or a mission that has not ended, can be resumed. */
  'training.leave': request(nothing, trainingHomeSchema),
  'training.attempt': request(
    z.object({ id: z.string().max(100) }),
    z.object({ attempt: attemptSchema, items: z.array(debriefItemSchema) }),
  ),
  'training.resultFile': request(nothing, z.object({ fileName: z.string(), text: z.string() })),
  'training.checkResults': request(
    z.object({
      files: z.array(z.object({ fileName: z.string().max(255), text: z.string().max(2_000_000) })).max(200),
    }),
    z.object({ results: z.array(checkedResultSchema) }),
  ),
  'practice.get': request(nothing, practiceSchema),
  'practice.forward': request(z.object({ by: z.enum(['hour', 'day', 'week']) }), practiceSchema),
  'practice.setBalance': request(z.object({ micros: z.int().min(0) }), practiceSchema),
  'practice.arm': request(z.object({ fault: practiceFaultSchema }), practiceSchema),
  'practice.disarm': request(z.object({ fault: practiceFaultSchema }), practiceSchema),
  /** Lets “someone else” edit this campaign now. Null lets them edit any running campaign. */
  'practice.edit': request(z.object({ cid: z.int().positive().nullable() }), practiceSchema),
  'practice.startAgent': request(z.object({ behaviour: z.enum(agentBehaviours) }), practiceSchema),
  'practice.stopAgent': request(nothing, practiceSchema),
  'practice.save': request(z.object({ name: stateName }), practiceSchema),
  'practice.return': request(z.object({ name: stateName }), practiceSchema),
  'practice.reset': request(nothing, practiceSchema),
};
