import { describe, expect, test } from 'vitest';
import {
  type FaultKind,
  faultKinds,
  type MissionId,
  missionIds,
  missionKinds,
  progressOf,
  recommendedMissions,
  type Score,
} from '#shared/training/index.ts';
import { attemptOf } from '#test/core/training/attempts.ts';

let clock = 0;

/** An attempt with one fault per answer. It is later than the attempts before, and all of its good changes were approved. */
function attempt(mission: MissionId, kind: FaultKind, ...caught: boolean[]) {
  clock += 1;
  const faults = caught.map((isCaught) => ({ kind, isCaught }));
  return attemptOf('Ada', `attempt ${clock}`, { mission, endedAtMs: clock, score: scored(5, 0), faults });
}

function scored(fine: number, falseAlarms: number): Score {
  return { points: 0, caught: 0, missed: 0, undecided: 0, medianMs: null, fine, falseAlarms };
}

function ofKind(kind: FaultKind, attempts: Parameters<typeof progressOf>[0]) {
  return progressOf(attempts).find((progress) => progress.kind === kind);
}

test('every kind of fault has progress, even without an attempt', () => {
  expect(progressOf([]).map(({ kind }) => kind)).toEqual(faultKinds);
  expect(ofKind('bid', [])).toEqual({ kind: 'bid', met: 0, caught: 0, isReliable: false });
});

describe('a kind of fault is reliably caught when its last three were caught', () => {
  test('over several attempts, in any stored order', () => {
    const attempts = [
      attempt('bids', 'bid', false, true),
      attempt('bids', 'bid', true),
      attempt('rush-hour', 'bid', true),
    ];
    expect(ofKind('bid', attempts)).toEqual({ kind: 'bid', met: 4, caught: 3, isReliable: true });
    expect(ofKind('bid', attempts.toReversed())?.isReliable).toBe(true);
  });

  test('but not after two, and not after another miss', () => {
    expect(ofKind('bid', [attempt('bids', 'bid', true, true)])?.isReliable).toBe(false);
    const attempts = [attempt('bids', 'bid', true, true, true), attempt('bids', 'bid', false)];
    expect(ofKind('bid', attempts)?.isReliable).toBe(false);
  });

  test('but not if as many good changes were stopped as let through', () => {
    const once = attempt('bids', 'bid', true, true, true);
    const reliable = (fine: number, falseAlarms: number): boolean | undefined =>
      ofKind('bid', [{ ...once, score: scored(fine, falseAlarms) }])?.isReliable;
    expect([reliable(5, 0), reliable(3, 2), reliable(3, 3), reliable(0, 5), reliable(0, 0)]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(ofKind('bid', [{ ...once, score: scored(0, 5) }])).toMatchObject({ met: 3, caught: 3 });
  });
});

describe('missions are recommended if their faults are not reliably caught', () => {
  test('starting with those not tried, in order', () => {
    expect(recommendedMissions([])).toEqual(missionIds.slice(0, 3));
    expect(recommendedMissions([attempt('bids', 'bid', true)])).toEqual(missionIds.slice(1, 4));
  });

  test('then those tried least and longest ago, without mastered ones', () => {
    const once = missionIds.map((mission) => attempt(mission, missionKinds[mission][0], false));
    expect(recommendedMissions(once)).toEqual(missionIds.slice(0, 3));
    const again = [...once, attempt('bids', 'bid', true, true, true), attempt('limits', 'limits', false)];
    expect(recommendedMissions(again)).toEqual(missionIds.slice(2, 5));
  });

  test('and none if every kind is caught', () => {
    const all = missionIds.flatMap((mission) =>
      missionKinds[mission].map((kind) => attempt(mission, kind, true, true, true)),
    );
    expect(recommendedMissions(all)).toEqual([]);
  });
});
