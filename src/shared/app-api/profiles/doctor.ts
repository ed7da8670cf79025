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
  /** The section of the contract, for example `§4.1`. */
  clause: z.string(),
  title: sentenceSchema,
  state: z.enum(['holds', 'drifts', 'skipped']),
  /** The difference from the contract, or the reason why the promise was not checked. Empty if there is neither. */
  text: sentenceSchema,
});

export type ContractFinding = z.infer<typeof contractFindingSchema>;

/** One step: the request, the answer, its duration, its meaning, and one recommended action. Contains no secret. */
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
  /** The profile's name, or the address that was given on the terminal. */
  subject: z.string(),
  profileId: z.string().nullable(),
  startedAtMs: z.number(),
  endedAtMs: z.number().nullable(),
  steps: z.array(doctorStepSchema),
  /** The complete report as text, for copying. Empty until the examination has ended. */
  text: z.string(),
});

export type DoctorReport = z.infer<typeof doctorReportSchema>;

export const doctorApi = {
  /**
   * Examines the profile's service by reads only. Only one examination runs at a time: this request ends the
   * examination of another profile.
   */
  'doctor.start': request(z.object({ profileId: z.string().min(1).max(100) }), doctorReportSchema),
  /** The running examination, or the last one since the core started. */
  'doctor.get': request(nothing, doctorReportSchema.nullable()),
  'doctor.stop': request(nothing, doctorReportSchema.nullable()),
};
