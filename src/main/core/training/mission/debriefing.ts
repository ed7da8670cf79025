import type { StoredMission, StoredAttempt } from '#core/store/training/index.ts';
import type { DebriefItem } from '#shared/app-api/index.ts';
import { type JudgedStep, metFaults, type MissionStep, scoreOf } from '#shared/training/index.ts';
import type { StepBook } from './step-book.ts';

/** Judges a mission as it stands, step beside planted fault. */
export function debrief(
  mission: StoredMission,
  book: Pick<StepBook, 'of' | 'records'>,
  { id, endedAtMs }: { id: string; endedAtMs: number },
): StoredAttempt {
  const { plan, name, beganAtMs, madeAtMs } = mission;
  const { score, judged } = scoreOf(plan, book.records());
  return {
    attempt: {
      id,
      name,
      mission: plan.mission,
      seed: plan.seed,
      beganAtMs: beganAtMs ?? madeAtMs,
      endedAtMs,
      score,
      faults: metFaults(judged),
    },
    items: judged.map((one) => itemOf(one, stepOf(plan.steps, one), book)),
  };
}

function stepOf(steps: readonly MissionStep[], { stepId }: JudgedStep): MissionStep {
  const step = steps.find(({ id }) => id === stepId);
  if (step === undefined) throw new Error(`The plan has no step ${stepId}`);
  return step;
}

function itemOf(judged: JudgedStep, { write, says }: MissionStep, book: Pick<StepBook, 'of'>): DebriefItem {
  const { stepId, stepIds, fault, verdict, decidedInMs, reason } = judged;
  const proposed = stepIds.map((id) => book.of(id)).filter(({ title }) => title !== null);
  return {
    stepId,
    title: proposed[0]?.title ?? 'Not proposed before the end',
    cid: write.kind === 'update' ? write.cid : write.cids.length === 1 ? (write.cids[0] ?? null) : null,
    proposals: proposed.length,
    agentSays: says,
    fault,
    verdict,
    decidedInMs,
    reason,
  };
}
