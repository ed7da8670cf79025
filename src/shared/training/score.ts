import type { MetFault } from './attempt.ts';
import type { Fault, MissionPlan, Score, StepRecord, Verdict } from './mission.ts';

/** A step, or a series as a whole, with its verdict; `stepId` is the first of its steps. */
export interface JudgedStep {
  stepId: string;
  stepIds: readonly string[];
  fault: Fault | null;
  verdict: Verdict;
  /** From the first showing to the decision; of a series the sum of its decisions. Null where nothing was decided. */
  decidedInMs: number | null;
  /** The first reason given. */
  reason: string | null;
}

/** Judges a mission by its records; a step without one is undecided. */
export function scoreOf(
  plan: MissionPlan,
  records: readonly StepRecord[],
): { score: Score; judged: readonly JudgedStep[] } {
  void plan;
  void records;
  throw new Error('Not implemented');
}

/** The planted faults of an attempt, for its record. */
export function metFaults(judged: readonly JudgedStep[]): MetFault[] {
  return judged.flatMap(({ fault, verdict }) =>
    fault === null ? [] : [{ kind: fault.kind, isCaught: verdict === 'caught' }],
  );
}
