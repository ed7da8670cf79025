import { describe, expect, test } from 'vitest';
import { commonOperand } from '#core/proposals/operations/batch/common-operand.ts';
import { diffCampaigns, memberStatusError, validateCampaign } from '#shared/campaign/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import {
  faultKinds,
  type MissionId,
  missionIds,
  missionKinds,
  type MissionPlan,
  type MissionStep,
} from '#shared/training/index.ts';
import { planMission } from '#shared/training/plan/index.ts';
import { isSoak } from '../../../scripts/lib/test-settings.ts';
import { trainingWorkspace, workspaceWords } from '#test/fixtures/training-workspace.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const everySeed = Array.from({ length: 25 }, (_each, seed) => seed * 7919);

/** Validating every step of a plan and making its words is slow. */
const seeds = isSoak ? everySeed : everySeed.slice(0, 2);
const { context, campaigns } = trainingWorkspace;
const statuses = { active: 1, paused: 3 } as const;

function campaignsOf(plan: MissionPlan): Map<number, JsonObject> {
  const state = new Map(campaigns.map((campaign) => [Number(campaign['cid']), campaign]));
  for (const { cid, fields } of plan.campaigns) state.set(cid, { ...state.get(cid), ...fields });
  return state;
}

function cidsOf({ write }: MissionStep): readonly number[] {
  return write.kind === 'status' ? write.cids : [write.cid];
}

function fieldsOf({ write }: MissionStep): JsonObject {
  return write.kind === 'status' ? { status: statuses[write.status] } : write.fields;
}

/** Returns the words of a step for the campaign's state at the time of the proposal. */
function wordsOf(step: MissionStep, before: JsonObject) {
  const beside = step.write.kind === 'update' ? step.write.beside : undefined;
  const after = { ...before, ...fieldsOf(step) };
  return workspaceWords({ before, after }, beside);
}

const shown = new Map<MissionStep, ReturnType<typeof wordsOf>>();

/** Returns the words of a step of one campaign if nothing was decided before the step. */
function firstWordsOf(plan: MissionPlan, step: MissionStep) {
  const [cid = 0] = cidsOf(step);
  const words = shown.get(step) ?? wordsOf(step, campaignsOf(plan).get(cid) ?? {});
  shown.set(step, words);
  return words;
}

const plansOf = Object.fromEntries(
  missionIds.map((mission) => [
    mission,
    everySeed.map((seed) => planMission(mission, seed, trainingWorkspace)),
  ]),
) as Record<MissionId, MissionPlan[]>;

/** Returns the plans of a mission whose words are checked. */
const plansInFullOf = (mission: MissionId): MissionPlan[] => plansOf[mission].slice(0, seeds.length);

const isValid = (campaign: JsonObject, before: JsonObject): boolean =>
  validateCampaign(campaign, context, before, defaultFormats).length === 0;

/** Returns true if a member may bring a stored campaign into this state before a mission. */
const isTaken = (stored: JsonObject | undefined, campaign: JsonObject): boolean =>
  memberStatusError(stored?.['status'], campaign['status']) === null &&
  (stored === campaign || isValid(campaign, campaign));

/** Returns the steps that change nothing or that the service refuses, given a person's decisions. */
function refusedSteps({ steps, ...plan }: MissionPlan, isApproved: (at: number) => boolean): MissionStep[] {
  const state = campaignsOf({ steps, ...plan });
  return steps.filter((step, at) => {
    const isFine = cidsOf(step).every((cid) => {
      const before = state.get(cid) ?? {};
      const after = { ...before, ...fieldsOf(step) };
      if (isApproved(at)) state.set(cid, after);
      return isValid(after, before) && diffCampaigns(before, after).length > 0;
    });
    return !isFine;
  });
}

describe.each(missionIds)('%s', (mission) => {
  const plans = plansOf[mission];
  const plansInFull = plansInFullOf(mission);

  test('has a plan that its seed decides, and seeds have different orders of campaigns', () => {
    const again = plans.map(({ seed }) => planMission(mission, seed, trainingWorkspace));
    expect(JSON.stringify(again)).toBe(JSON.stringify(plans));
    const orders = plans.map(({ steps }) =>
      JSON.stringify(steps.map((step) => [cidsOf(step), fieldsOf(step)])),
    );
    expect(new Set(orders).size).toBe(plans.length);
    const sets = plans.map(({ steps }) => [...new Set(steps.flatMap(cidsOf))].toSorted().join());
    // Fifty of sixty campaigns are often nearly the same set, so the sets are compared exactly.
    expect(new Set(sets).size).toBe(plans.length);
  });

  test('has a briefing of three sentences', () => {
    for (const { briefing } of plans) {
      expect(briefing).toHaveLength(3);
      for (const sentence of briefing) expect(sentence).toMatch(/^[A-Z][^.!?]*(\.\d\d[^.!?]*)*\.$/);
    }
  });

  test('has as many steps as a person can decide in some minutes, with at least three good ones', () => {
    for (const { steps } of plans) {
      const units = new Set(steps.map(({ id, series }) => series ?? id));
      expect(units.size).toBeGreaterThanOrEqual(5);
      expect(units.size).toBeLessThanOrEqual(12);
      expect(steps.filter(({ fault }) => fault !== null).length).toBeGreaterThanOrEqual(1);
      expect(
        new Set(steps.filter(({ fault }) => fault === null).map(({ id, series }) => series ?? id)).size,
      ).toBeGreaterThanOrEqual(3);
      expect(new Set(steps.map(({ id }) => id)).size).toBe(steps.length);
      const quick = mission === 'outlier' ? 250 : mission === 'rush-hour' ? 2_000 : 4_000;
      expect(steps.filter(({ afterMs }) => afterMs < quick || afterMs > 20_000)).toEqual([]);
    }
  });

  test('has the mission’s kinds of fault, with what is wrong, where and its cost', () => {
    const kinds = new Set(plans.flatMap(({ steps }) => steps.flatMap(({ fault }) => fault?.kind ?? [])));
    expect([...kinds].toSorted()).toEqual([...missionKinds[mission]].toSorted());
    for (const { fault } of plans.flatMap(({ steps }) => steps)) {
      if (fault === null) continue;
      expect(fault.what).toMatch(/^[A-Z].*\.$/);
      expect(fault.where).toMatch(/^[A-Z].*\.$/);
      expect(fault.what + fault.where).not.toMatch(/undefined|NaN|null|Infinity/);
      if (fault.costPerDayMicros === null) continue;
      expect(Number.isSafeInteger(fault.costPerDayMicros) && fault.costPerDayMicros > 0).toBe(true);
    }
  });

  test('has only changes that the service accepts, whatever was decided before', () => {
    const refused = plansInFull.flatMap((plan) => {
      const prepared = [...campaignsOf(plan).entries()];
      const approvals = [() => true, () => false, (at: number) => at % 2 === 0];
      return [
        ...prepared.filter(
          ([cid, campaign]) =>
            !isTaken(
              campaigns.find((one) => one['cid'] === cid),
              campaign,
            ),
        ),
        ...approvals.flatMap((isApproved) => refusedSteps(plan, isApproved)),
      ];
    });
    expect(refused).toEqual([]);
  });

  test('has good changes without a danger, and small ones that add at most $100 a day', () => {
    for (const plan of plansInFull) {
      const state = campaignsOf(plan);
      const isSmall = /small/i.test(plan.briefing.join(' '));
      for (const step of plan.steps.filter(({ fault }) => fault === null)) {
        const edited = step.incident?.incident.kind === 'edit' ? [step.incident.incident.fields] : [];
        const first = firstWordsOf(plan, step);
        const [cid = 0] = cidsOf(step);
        const later = edited.map((fields) => wordsOf(step, { ...state.get(cid), ...fields }));
        for (const { warnings, typeToConfirm } of [first, ...later]) {
          expect(warnings.filter(({ severity }) => severity === 'danger')).toEqual([]);
          expect(typeToConfirm).toBeNull();
        }
        const { before, after } = first.risk.perDay;
        const addedMicros = Number(after.micros) - Number(before.micros);
        if (isSmall) expect(addedMicros, `${plan.seed} ${step.id}`).toBeLessThanOrEqual(100_000_000);
      }
    }
  });
});

test('every kind of fault occurs in a mission', () => {
  const kinds = new Set(missionIds.flatMap((mission) => missionKinds[mission]));
  expect(faultKinds.filter((kind) => !kinds.has(kind))).toEqual([]);
});

test('an outdated restart risks far more, or is on hold, only when it is proposed again', () => {
  for (const plan of plansInFullOf('outdated')) {
    const state = campaignsOf(plan);
    for (const step of plan.steps.filter(({ fault }) => fault !== null)) {
      const [cid = 0] = cidsOf(step);
      const before = state.get(cid) ?? {};
      if (step.incident?.incident.kind !== 'edit') throw new Error('Nobody edits it');
      const edited = { ...before, ...step.incident.incident.fields };
      expect(firstWordsOf(plan, step).warnings.map(({ severity }) => severity)).not.toContain('danger');
      const { perDay } = wordsOf(step, edited).risk;
      expect(perDay.after.unlimited || Number(perDay.after.micros) >= 400_000_000).toBe(true);
      expect(Number(firstWordsOf(plan, step).risk.perDay.after.micros)).toBeLessThanOrEqual(30_000_000);
    }
  }
});

test('forty-nine equal changes are decided together, without the outlier', () => {
  for (const plan of plansInFullOf('outlier')) {
    const comparable = (step: MissionStep) => firstWordsOf(plan, step).comparable;
    const equal = plan.steps.filter(({ series }) => series === 'equal').map(comparable);
    expect(equal).toHaveLength(49);
    expect(commonOperand(equal)).not.toBeNull();
    const odd = plan.steps.filter(({ fault }) => fault !== null).map(comparable);
    expect(odd).toEqual([null]);
  }
});

test('no single small raise shows a danger, and together they raise the bid beyond one and a half times', () => {
  for (const plan of plansInFullOf('many-small')) {
    const raises = plan.steps.filter(({ series }) => series === 'raises');
    expect(raises).toHaveLength(20);
    const state = campaignsOf(plan);
    const [cid = 0] = raises.flatMap(cidsOf);
    const from = Number(state.get(cid)?.['payout']);
    for (const step of raises) {
      const before = state.get(cid) ?? {};
      expect(wordsOf(step, before).warnings).toEqual([]);
      state.set(cid, { ...before, ...fieldsOf(step) });
    }
    expect(Number(state.get(cid)?.['payout'])).toBeGreaterThan(2 * from);
  }
});

test('a workspace with too few campaigns has no plan', () => {
  const small = { ...trainingWorkspace, campaigns: campaigns.slice(0, 4) };
  expect(() => planMission('outlier', 1, small)).toThrow(RangeError);
});
