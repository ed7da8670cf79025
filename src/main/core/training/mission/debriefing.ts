import type { MissionRecord, StoredAttempt, StoredMission } from '#core/store/training/index.ts';
import type { AttemptView, DebriefItem } from '#shared/app-api/index.ts';
import {
  type JudgedStep,
  metFaults,
  type MissionStep,
  scoreOf,
  type StepRecord,
} from '#shared/training/index.ts';
import { createStepTracker, type StepTracker } from './step-tracker.ts';

export function debrief(
  mission: StoredMission,
  tracker: Pick<StepTracker, 'of' | 'records'>,
  end: Pick<AttemptView, 'id' | 'endedAtMs' | 'incomplete'>,
): StoredAttempt {
  const { plan, name, beganAtMs, madeAtMs } = mission;
  const records = recordsOf(tracker, end);
  const { score, judged } = scoreOf(plan, records);
  const judgedSteps = new Set(judged.flatMap(({ stepIds }) => stepIds));
  const isWhole = plan.steps.every(({ id }) => judgedSteps.has(id));
  const stored = new Set(records.flatMap(({ stepId, end }) => (end === 'let-through' ? [stepId] : [])));
  return {
    attempt: {
      ...end,
      name,
      mission: plan.mission,
      seed: plan.seed,
      beganAtMs: beganAtMs ?? madeAtMs,
      score,
      faults: metFaults(judged),
      ...(end.incomplete === undefined && !isWhole && { incomplete: 'ended-early' as const }),
    },
    items: judged.map((one) => itemOf(one, { steps: plan.steps, stored, tracker })),
  };
}

export function unfinishedAttempt(
  record: MissionRecord,
  end: Pick<AttemptView, 'id' | 'endedAtMs'>,
): StoredAttempt | null {
  const mission = record.mission();
  if (mission === null || mission.beganAtMs === null) return null;
  const tracker = createStepTracker({ steps: mission.plan.steps, record, onChange() {} });
  return debrief(mission, tracker, { ...end, incomplete: 'discarded' });
}

/** In a discarded mission, a held tool never counts as caught, because nobody decided it. */
function recordsOf(
  tracker: Pick<StepTracker, 'records'>,
  { incomplete }: Pick<AttemptView, 'incomplete'>,
): StepRecord[] {
  const records = tracker.records();
  return incomplete === 'discarded' ? records.map((record) => ({ ...record, isHeldBack: false })) : records;
}

function stepOf(steps: readonly MissionStep[], { stepId }: JudgedStep): MissionStep {
  const step = steps.find(({ id }) => id === stepId);
  if (step === undefined) throw new Error(`The plan has no step ${stepId}`);
  return step;
}

interface Played {
  steps: readonly MissionStep[];
  stored: ReadonlySet<string>;
  tracker: Pick<StepTracker, 'of'>;
}

function itemOf(judged: JudgedStep, played: Played): DebriefItem {
  const { stepId, stepIds, verdict, decidedInMs, reason } = judged;
  const { steps, tracker } = played;
  const step = stepOf(steps, judged);
  const cids = cidsOf(step);
  const proposed = stepIds.map((id) => tracker.of(id)).filter(({ title }) => title !== null);
  return {
    stepId,
    title: proposed[0]?.title ?? 'Held back: its tool had changed',
    cid: cids.length === 1 ? (cids[0] ?? null) : null,
    proposals: proposed.length,
    agentSays: step.says,
    fault: faultWords(judged, played),
    verdict,
    decidedInMs,
    reason,
  };
}

/**
 * Describes a fault. A fault that builds on an earlier step has another text if that step was never stored. `where` is null
 * if the fault was never shown, so that a trainee does not look for text that was on no screen.
 */
function faultWords({ fault, stepId, stepIds }: JudgedStep, played: Played): DebriefItem['fault'] {
  if (fault === null) return null;
  const { alone, ...usual } = fault;
  const words = alone === undefined || isBuiltOn(stepId, played) ? usual : { ...usual, ...alone };
  const isShown = stepIds.some((id) => played.tracker.of(id).shownAtMs !== null);
  return isShown ? words : { ...words, where: null };
}

function isBuiltOn(stepId: string, { steps, stored }: Played): boolean {
  const at = steps.findIndex(({ id }) => id === stepId);
  const cids = cidsOf(steps[at]);
  return steps
    .slice(0, at)
    .some((step) => stored.has(step.id) && cidsOf(step).some((cid) => cids.includes(cid)));
}

function cidsOf(step: MissionStep | undefined): readonly number[] {
  if (step === undefined) return [];
  return step.write.kind === 'update' ? [step.write.cid] : step.write.cids;
}
