import { z } from 'zod';
import { nothing, request, sentenceSchema } from '../define.ts';

export const doctorStepIds = [
  'health',
  'ready',
  'protected-resource',
  'authorization-server',
  'registration',
  'sign-in',
  'whoami',
  'tools',
  'member-list',
  'publisher-reports',
  'contract',
] as const;

export type DoctorStepId = (typeof doctorStepIds)[number];

export const contractFindingSchema = z.object({
  id: z.string(),
  /** Place in the contract, for example `§4.1`. */
  clause: z.string(),
  title: sentenceSchema,
  state: z.enum(['holds', 'drifts', 'skipped']),
  /** The difference, or why it was not asked; empty where there is none. */
  text: sentenceSchema,
});

export type ContractFinding = z.infer<typeof contractFindingSchema>;

/** One step: the request, the answer, its duration, its meaning and the one thing to do. Contains no secret. */
export const doctorStepSchema = z.object({
  id: z.enum(doctorStepIds),
  title: sentenceSchema,
  state: z.enum(['waiting', 'running', 'ok', 'notice', 'failed', 'skipped']),
  asked: sentenceSchema,
  answer: sentenceSchema,
  tookMs: z.number().nullable(),
  means: sentenceSchema.nullable(),
  remedy: sentenceSchema.nullable(),
  findings: z.array(contractFindingSchema),
});

export type DoctorStep = z.infer<typeof doctorStepSchema>;

export const doctorReportSchema = z.object({
  /** The profile, or the address that the terminal was given. */
  subject: z.string(),
  profileId: z.string().nullable(),
  startedAtMs: z.number(),
  endedAtMs: z.number().nullable(),
  steps: z.array(doctorStepSchema),
  /** The complete report as text, to be copied; empty until it has ended. */
  text: z.string(),
});

export type DoctorReport = z.infer<typeof doctorReportSchema>;

export const doctorApi = {
  /** Examines the profile's service; reads only. One examination at a time: another profile's ends. */
  'doctor.start': request(z.object({ profileId: z.string().min(1).max(100) }), doctorReportSchema),
  /** The examination under way, or the last one of this run. */
  'doctor.get': request(nothing, doctorReportSchema.nullable()),
  'doctor.stop': request(nothing, doctorReportSchema.nullable()),
};
