import type { Attempt, FaultProgress } from './attempt.ts';
import { faultKinds, type MissionId, missionIds, missionKinds } from './mission.ts';

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
