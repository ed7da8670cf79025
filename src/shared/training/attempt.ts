import { z } from 'zod';
import { faultKinds, missionIds, type MissionId, missionKinds } from './mission.ts';

/** A person who trains, as they call themselves: no account. */
export const traineeNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(60)
  // oxlint-disable-next-line no-control-regex -- the names of a list
  .regex(/^[^\u0000-\u001f\u007f]*$/u);

/** The score of an attempt; the median is of the time per decision, null without one. */
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

/** A planted fault that was proposed in an attempt, in the order of the plan; a series counts once. One that stayed undecided was not caught. */
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
   * Present if the mission was not played to its end: it was discarded; or it ended before everything was proposed. Result files of
   * earlier builds may also contain `edited`: the files of the mission were changed, and none of its decisions count.
   */
  incomplete: z.enum(['discarded', 'ended-early', 'edited']).exactOptional(),
});

export type Attempt = z.infer<typeof attemptSchema>;

/** How reliably a kind of fault is caught, over the attempts of one name. */
export const faultProgressSchema = z.object({
  kind: z.enum(faultKinds),
  met: z.int().min(0),
  caught: z.int().min(0),
  /** The last three were caught, each in an attempt that let more good changes through than it stopped. */
  isReliable: z.boolean(),
});

export type FaultProgress = z.infer<typeof faultProgressSchema>;

/** An attempt of one name, as far as progress looks at it. */
export type Outcome = Pick<Attempt, 'mission' | 'endedAtMs' | 'score' | 'faults'>;

/** So many of a kind have to be caught one after the other, the latest ones, for a person to catch them reliably. */
const reliableAfter = 3;

/**
 * Every kind of fault with how reliably it is caught, in the order of {@link faultKinds}. The attempts may stand in any order. One that
 * stopped as many good changes as it let through shows no eye for faults: denying everything catches them all.
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
 * Missions to play next: those with a kind that is not caught reliably, the ones not tried first, then the ones tried least and
 * longest ago; at most three.
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
