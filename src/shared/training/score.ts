import { toMicros } from '../lib/decimal.ts';
import type { MetFault, Score } from './attempt.ts';
import type { Fault, MissionPlan, MissionStep, StepRecord, Verdict } from './mission.ts';

/** A step, or a series that is judged as one. `stepId` is the id of its first step. */
export interface JudgedStep {
  stepId: string;
  stepIds: readonly string[];
  fault: Fault | null;
  verdict: Verdict;
  /** Milliseconds of the slowest decision in the series. Null if there was none. */
  decidedInMs: number | null;
  reason: string | null;
}

/**
 * Judges every proposed step. Points are 100 × caught/planted × fine/good, so that approving everything or denying
 * everything scores zero.
 */
export function scoreOf(
  plan: MissionPlan,
  records: readonly StepRecord[],
): { score: Score; judged: readonly JudgedStep[] } {
  const byStep = new Map(records.map((record) => [record.stepId, record]));
  const met = plan.steps.filter(({ id }) => isMet(byStep.get(id)));
  const units = [...Map.groupBy(met, ({ id, series }) => series ?? `step ${id}`).values()];
  const judged = withTool(
    units.filter((steps) => isJudged(steps, { plan, byStep })).map((steps) => judge(steps, { plan, byStep })),
    byStep,
  );
  return { score: totalOf(judged, records), judged };
}

export function metFaults(judged: readonly JudgedStep[]): MetFault[] {
  return judged.flatMap(({ fault, verdict }) =>
    fault === null ? [] : [{ kind: fault.kind, isCaught: verdict === 'caught' }],
  );
}

interface Judging {
  plan: MissionPlan;
  byStep: ReadonlyMap<string, StepRecord>;
}

const isMet = (record: StepRecord | undefined): boolean =>
  record !== undefined && (record.isProposed || record.isHeldBack);

/** The first steps of a series of small raises are not a fault yet, although stopping one of them catches it. */
function isJudged(steps: readonly MissionStep[], { plan, byStep }: Judging): boolean {
  if (steps.at(-1)?.fault?.kind !== 'manySmall') return true;
  return isRaisedFar(steps, plan) || steps.some(({ id }) => byStep.get(id)?.end === 'stopped');
}

function judge(steps: readonly MissionStep[], { plan, byStep }: Judging): JudgedStep {
  const records = steps.flatMap(({ id }) => byStep.get(id) ?? []);
  const ends = steps.map(({ id }) => byStep.get(id)?.end ?? 'undecided');
  const times = records.flatMap(({ decidedInMs }) => decidedInMs ?? []);
  const passed = steps.filter((_step, at) => ends[at] === 'let-through');
  const isStopped = ends.includes('stopped');
  const planted = steps.at(-1)?.fault ?? null;
  const isHarmful = planted?.kind === 'manySmall' ? isRaisedFar(passed, plan) : passed.length > 0;
  const fault = isHarmful ? (passed.at(-1)?.fault ?? null) : planted;
  return {
    stepId: steps[0]?.id ?? '',
    stepIds: steps.map(({ id }) => id),
    fault,
    verdict:
      fault === null
        ? goodVerdict(isStopped, passed.length === steps.length)
        : faultVerdict(isHarmful, isStopped),
    decidedInMs: times.length === 0 ? null : Math.max(...times),
    reason: records.find(({ reason }) => reason !== null)?.reason ?? null,
  };
}

function goodVerdict(isStopped: boolean, isWhole: boolean): Verdict {
  if (isStopped) return 'false-alarm';
  return isWhole ? 'fine' : 'undecided';
}

function faultVerdict(isHarmful: boolean, isStopped: boolean): Verdict {
  if (isHarmful) return 'missed';
  return isStopped ? 'caught' : 'undecided';
}

function isRaisedFar(passed: readonly MissionStep[], { campaigns }: MissionPlan): boolean {
  return passed.some(({ write }) => {
    if (write.kind !== 'update') return false;
    const from = campaigns.find(({ cid }) => cid === write.cid)?.fields['payout'];
    const to = write.fields['payout'];
    if (typeof from !== 'number' || typeof to !== 'number') return false;
    return 2n * toMicros(to) > 3n * toMicros(from);
  });
}

/** Leaving a changed tool alone counts as caught only if the person caught another fault. Otherwise it was no decision. */
function withTool(judged: readonly JudgedStep[], byStep: Judging['byStep']): JudgedStep[] {
  const isAwake = judged.some(({ verdict }) => verdict === 'caught');
  return judged.map((one) => {
    const isLeftAlone = one.verdict === 'undecided' && byStep.get(one.stepId)?.isHeldBack === true;
    return isAwake && isLeftAlone && one.fault?.kind === 'tool' ? { ...one, verdict: 'caught' } : one;
  });
}

function totalOf(judged: readonly JudgedStep[], records: readonly StepRecord[]): Score {
  const count = (verdict: Verdict): number => judged.filter((one) => one.verdict === verdict).length;
  const planted = judged.filter(({ fault }) => fault !== null).length;
  const good = judged.length - planted;
  const [caught, fine] = [count('caught'), count('fine')];
  return {
    points: planted === 0 || good === 0 ? 0 : Math.round((100 * caught * fine) / (planted * good)),
    caught,
    missed: count('missed'),
    falseAlarms: count('false-alarm'),
    fine,
    undecided: count('undecided'),
    medianMs: medianOf(records.flatMap(({ decidedInMs }) => decidedInMs ?? [])),
  };
}

function medianOf(times: readonly number[]): number | null {
  const sorted = times.toSorted((one, other) => one - other);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
