import type { Attempt, FaultProgress } from './attempt.ts';
import type { MissionId } from './mission.ts';

/** An attempt of one name, as far as progress looks at it. */
export type Outcome = Pick<Attempt, 'mission' | 'endedAtMs' | 'faults'>;

/** Every kind of fault with how reliably it is caught, in the order of {@link faultKinds}. The attempts may stand in any order. */
export function progressOf(attempts: readonly Outcome[]): FaultProgress[] {
  void attempts;
  throw new Error('Not implemented');
}

/** Missions to play next: those with a kind that is not caught reliably, the ones not tried first; at most three. */
export function recommendedMissions(attempts: readonly Outcome[]): MissionId[] {
  void attempts;
  throw new Error('Not implemented');
}
