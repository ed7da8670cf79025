import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  metFaults,
  missionIds,
  type MissionPlan,
  type MissionStep,
  progressOf,
  scoreOf,
  type StepEnd,
  type StepRecord,
} from '#shared/training/index.ts';
import { planMission } from '#shared/training/plan/index.ts';
import { trainingWorkspace } from '#test/fixtures/training-workspace.ts';
import { runs } from '#test/setup/property-runs.ts';

const plans = fc
  .record({ mission: fc.constantFrom(...missionIds), seed: fc.nat(1_000_000) })
  .map(({ mission, seed }) => planMission(mission, seed, trainingWorkspace));

const properties = runs(150);

/** Records of a mission in which `endOf` determines the end of each step. */
function played(plan: MissionPlan, endOf: (step: MissionStep) => StepEnd): StepRecord[] {
  return plan.steps.map((step) => {
    const end = endOf(step);
    const decidedInMs = end === 'undecided' ? null : 4_000;
    const isHeldBack = step.fault?.kind === 'tool' && end === 'undecided';
    return { stepId: step.id, end, decidedInMs, reason: null, isProposed: !isHeldBack, isHeldBack };
  });
}

describe('a person who does not look gets no points for', () => {
  const ways: [string, (step: MissionStep) => StepEnd][] = [
    ['approving everything', () => 'let-through'],
    [
      'approving everything and leaving a changed tool alone',
      ({ fault }) => (fault?.kind === 'tool' ? 'undecided' : 'let-through'),
    ],
    ['denying everything', () => 'stopped'],
    [
      'denying everything and leaving a changed tool alone',
      ({ fault }) => (fault?.kind === 'tool' ? 'undecided' : 'stopped'),
    ],
    ['deciding nothing', () => 'undecided'],
  ];
  test.each(ways)('%s', (_name, endOf) => {
    fc.assert(
      fc.property(plans, (plan) => {
        expect(scoreOf(plan, played(plan, endOf)).score.points).toBe(0);
      }),
      properties,
    );
  });

  test.each(ways)('%s, however often, and no kind of fault becomes reliably caught', (_name, endOf) => {
    fc.assert(
      fc.property(fc.array(plans, { minLength: 1, maxLength: 12 }), (attempted) => {
        const attempts = attempted.map((plan, endedAtMs) => {
          const { score, judged } = scoreOf(plan, played(plan, endOf));
          return { mission: plan.mission, endedAtMs, score, faults: metFaults(judged) };
        });
        expect(progressOf(attempts).filter(({ isReliable }) => isReliable)).toEqual([]);
      }),
      runs(40),
    );
  });

  test('a mission without any decision', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        expect(scoreOf(plan, []).score.points).toBe(0);
      }),
      properties,
    );
  });
});

test('stopping exactly the faults earns all points, even if a changed tool is left undecided', () => {
  fc.assert(
    fc.property(plans, fc.boolean(), (plan, leavesTool) => {
      const records = played(plan, ({ fault }) => {
        if (fault === null) return 'let-through';
        return leavesTool && fault.kind === 'tool' ? 'undecided' : 'stopped';
      });
      const { score, judged } = scoreOf(plan, records);
      expect(score).toMatchObject({ points: 100, missed: 0, falseAlarms: 0, undecided: 0 });
      expect(score.caught + score.fine).toBe(judged.length);
      expect(metFaults(judged).every(({ isCaught }) => isCaught)).toBe(true);
    }),
    properties,
  );
});

test('a changed tool that was never seen, or was accepted, is not caught', () => {
  const plan = planMission('changed-tool', 5, trainingWorkspace);
  const records = played(plan, ({ fault }) => {
    if (fault === null) return 'let-through';
    return fault.kind === 'tool' ? 'undecided' : 'stopped';
  });
  const accepted = records.map((record) => ({ ...record, isProposed: true, isHeldBack: false }));
  const { score, judged } = scoreOf(plan, accepted);
  expect(judged.find(({ fault }) => fault?.kind === 'tool')?.verdict).toBe('undecided');
  expect(score).toMatchObject({ points: 50, caught: 1, undecided: 1 });
  const neverMet = records.map((record) => ({ ...record, isHeldBack: false }));
  expect(scoreOf(plan, neverMet).judged.filter(({ fault }) => fault?.kind === 'tool')).toEqual([]);
});

test('a step that was never proposed does not count', () => {
  const ends = fc.infiniteStream(fc.constantFrom<StepEnd>('let-through', 'stopped', 'undecided'));
  fc.assert(
    fc.property(plans, ends, fc.nat(60), (plan, stream, proposed) => {
      const records = played(plan, () => stream.next().value ?? 'undecided').map((record, at) =>
        at < proposed
          ? record
          : { ...record, end: 'undecided' as const, decidedInMs: null, isProposed: false, isHeldBack: false },
      );
      const there = new Set(
        records.filter((one) => one.isProposed || one.isHeldBack).map(({ stepId }) => stepId),
      );
      const { score, judged } = scoreOf(plan, records);
      expect(judged.flatMap(({ stepIds }) => stepIds).filter((id) => !there.has(id))).toEqual([]);
      expect(metFaults(judged).length).toBeLessThanOrEqual(judged.length);
      expect(score.caught + score.missed + score.undecided + score.falseAlarms + score.fine).toBe(
        judged.length,
      );
    }),
    properties,
  );
});

test('every step counts once, and only a perfect attempt earns all points', () => {
  const ends = fc.infiniteStream(fc.constantFrom<StepEnd>('let-through', 'stopped', 'undecided'));
  fc.assert(
    fc.property(plans, ends, (plan, stream) => {
      const { score, judged } = scoreOf(
        plan,
        played(plan, () => stream.next().value ?? 'undecided'),
      );
      const { points, caught, missed, falseAlarms, fine, undecided } = score;
      expect(caught + missed + falseAlarms + fine + undecided).toBe(judged.length);
      expect(judged.flatMap(({ stepIds }) => stepIds).toSorted()).toEqual(
        plan.steps.map(({ id }) => id).toSorted(),
      );
      expect(points).toBeGreaterThanOrEqual(0);
      expect(points === 100).toBe(caught + fine === judged.length);
      expect(metFaults(judged).filter(({ isCaught }) => isCaught)).toHaveLength(caught);
    }),
    properties,
  );
});

describe('twenty small raises are judged as one series:', () => {
  const plan = planMission('many-small', 11, trainingWorkspace);
  const raises = plan.steps.filter(({ series }) => series === 'raises').map(({ id }) => id);

  function verdictAfter(approved: number, later: StepEnd): string | undefined {
    const records = played(plan, ({ id, series }) => {
      if (series !== 'raises') return 'let-through';
      return raises.indexOf(id) < approved ? 'let-through' : later;
    });
    return scoreOf(plan, records).judged.find(({ fault }) => fault !== null)?.verdict;
  }

  test('a bid stopped before it grew by half was caught', () => {
    expect(verdictAfter(0, 'stopped')).toBe('caught');
    expect(verdictAfter(8, 'stopped')).toBe('caught');
  });

  test('a bid that grew by more was missed, whatever was stopped later', () => {
    expect(verdictAfter(12, 'stopped')).toBe('missed');
    expect(verdictAfter(20, 'stopped')).toBe('missed');
  });

  test('a single late raise counts as much as all raises before it', () => {
    const records = played(plan, ({ id, series }) =>
      series === 'raises' && id !== raises.at(-1) ? 'stopped' : 'let-through',
    );
    expect(scoreOf(plan, records).judged.find(({ fault }) => fault !== null)?.verdict).toBe('missed');
  });

  test('a miss costs what reached the service, and a catch saves the whole', () => {
    const records = (approved: number): StepRecord[] =>
      played(plan, ({ id, series }) =>
        series !== 'raises' || raises.indexOf(id) < approved ? 'let-through' : 'stopped',
      );
    const [cid, from] = plan.campaigns.flatMap(({ cid, fields }) =>
      plan.steps.some(({ write, series }) => series && write.kind === 'update' && write.cid === cid)
        ? [[cid, fields]]
        : [],
    )[0] as [number, { payout: number; d_revenue: number; t_revenue: number }];
    const bids = plan.steps.flatMap(({ write, series }) =>
      series && write.kind === 'update' ? [Number(write.fields['payout'])] : [],
    );
    expect(cid).toBeGreaterThan(0);
    for (const [approved, reached] of [
      [12, 12],
      [15, 15],
      [20, 20],
      [3, 20],
    ] as const) {
      const { judged } = scoreOf(plan, records(approved));
      const fault = judged.find((one) => one.fault !== null)?.fault;
      const to = Number(bids[reached - 1]);
      const wasted = Math.min(from.d_revenue, from.t_revenue) * (1 - from.payout / to);
      expect(Number(fault?.costPerDayMicros) / 1e6).toBeCloseTo(wasted, 4);
      expect(fault?.what).toContain(`${(to / from.payout).toFixed(1)} times`);
      expect(fault?.what.startsWith('Twenty')).toBe(reached === 20);
    }
  });

  test('a series without decisions is undecided', () => {
    expect(verdictAfter(3, 'undecided')).toBe('undecided');
  });
});

test('a good series is fine if all of it was let through, and a false alarm if any was stopped', () => {
  const plan = planMission('outlier', 5, trainingWorkspace);
  const equal = plan.steps.filter(({ series }) => series === 'equal').map(({ id }) => id);
  const verdict = (endOf: (at: number) => StepEnd): string | undefined =>
    scoreOf(
      plan,
      played(plan, ({ id }) => (equal.includes(id) ? endOf(equal.indexOf(id)) : 'stopped')),
    ).judged.find(({ stepIds }) => stepIds.length > 1)?.verdict;
  expect(verdict(() => 'let-through')).toBe('fine');
  expect(verdict((at) => (at === 7 ? 'stopped' : 'let-through'))).toBe('false-alarm');
  expect(verdict((at) => (at === 7 ? 'undecided' : 'let-through'))).toBe('undecided');
});

test('times are the median of all decisions, and a series has its longest time and first reason', () => {
  const plan = planMission('bids', 3, trainingWorkspace);
  const [first, second, third] = plan.steps.map(({ id }) => id);
  const record = (stepId = '', decidedInMs: number | null, reason: string | null): StepRecord => ({
    stepId,
    end: 'stopped',
    decidedInMs,
    reason,
    isProposed: true,
    isHeldBack: false,
  });
  const { score, judged } = scoreOf(plan, [
    record(first, 2_000, null),
    record(second, 9_000, 'Too high'),
    record(third, null, null),
  ]);
  expect(score.medianMs).toBe(5_500);
  expect(judged.find(({ stepId }) => stepId === second)).toMatchObject({
    decidedInMs: 9_000,
    reason: 'Too high',
  });
  expect(scoreOf(plan, []).score.medianMs).toBeNull();
});
