import { z } from 'zod';
import { faultKinds, missionIds, type MissionId, missionKinds } from './mission.ts';

export const traineeNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(60)
  // oxlint-disable-next-line no-control-regex -- the names of a list
  .regex(/^[^\u0000-\u001f\u007f]*$/u);

const scoreSchema = z.object({
  points: z.int().min(0).max(100),
  caught: z.int().min(0),
  missed: z.int().min(0),
  falseAlarms: z.int().min(0),
  fine: z.int().min(0),
  undecided: z.int().min(0),
  medianMs: z.number().min(0).nullable(),
});

export type Score = z.infer<typeof scoreSchema>;

/** A series counts only once. An undecided fault counts as not caught. */
const metFaultSchema = z.object({ kind: z.enum(faultKinds), isCaught: z.boolean() });

export type MetFault = z.infer<typeof metFaultSchema>;

export const attemptSchema = z.object({
  id: z.string().min(1).max(100),
  name: traineeNameSchema,
  mission: z.enum(missionIds),
  seed: z.int().min(0),
  beganAtMs: z.int().min(0),
  endedAtMs: z.int().min(0),
  score: scoreSchema,
  faults: z.array(metFaultSchema).max(100),
  /**
   * `discarded`: the person discarded the attempt. `ended-early`: it ended before every change was proposed. `edited`
   * occurs only in files of earlier builds: the mission's files were changed, so no decision counts.
   */
  incomplete: z.enum(['discarded', 'ended-early', 'edited']).exactOptional(),
});

export type Attempt = z.infer<typeof attemptSchema>;

export const faultProgressSchema = z.object({
  kind: z.enum(faultKinds),
  met: z.int().min(0),
  caught: z.int().min(0),
  /** True if the last three were caught, in attempts in which the person approved more good changes than they stopped. */
  isReliable: z.boolean(),
});

export type FaultProgress = z.infer<typeof faultProgressSchema>;

export type Outcome = Pick<Attempt, 'mission' | 'endedAtMs' | 'score' | 'faults'>;

const reliableAfter = 3;

/**
 * Every kind, in the order of {@link faultKinds}. A fault does not count towards reliability in an attempt that stopped
 * at least as many good changes as it approved: denying everything catches all faults and shows no skill.
 */
export function progressOf(attempts: readonly Outcome[]): FaultProgress[] {
  const met = attempts
    .toSorted((one, other) => one.endedAtMs - other.endedAtMs)
    .flatMap(({ faults, score }) => {
      const isDiscerning = score.fine > score.falseAlarms;
      return faults.map(({ kind, isCaught }) => ({ kind, isCaught, isRecognised: isCaught && isDiscerning }));
    });
  return faultKinds.map((kind) => {
    const ofKind = met.filter((fault) => fault.kind === kind);
    const last = ofKind.slice(-reliableAfter);
    return {
      kind,
      met: ofKind.length,
      caught: ofKind.filter(({ isCaught }) => isCaught).length,
      isReliable: last.length === reliableAfter && last.every(({ isRecognised }) => isRecognised),
    };
  });
}

const maxRecommended = 3;

/**
 * At most three missions with a kind that is not reliable: untried missions first, then those tried least often and
 * longest ago.
 */
export function recommendedMissions(attempts: readonly Outcome[]): MissionId[] {
  const reliable = new Set(
    progressOf(attempts)
      .filter(({ isReliable }) => isReliable)
      .map(({ kind }) => kind),
  );
  const tried = (mission: MissionId): { count: number; lastMs: number } => {
    const own = attempts.filter((attempt) => attempt.mission === mission);
    return { count: own.length, lastMs: Math.max(0, ...own.map(({ endedAtMs }) => endedAtMs)) };
  };
  return missionIds
    .filter((mission) => missionKinds[mission].some((kind) => !reliable.has(kind)))
    .map((mission) => ({ mission, ...tried(mission) }))
    .toSorted((one, other) => one.count - other.count || one.lastMs - other.lastMs)
    .slice(0, maxRecommended)
    .map(({ mission }) => mission);
}
