import { expect, test } from 'vitest';
import { debrief } from '#core/training/mission/debriefing.ts';
import { createStepTracker } from '#core/training/mission/step-tracker.ts';
import type { StoredStep } from '#core/store/training/index.ts';
import type { Fault, MissionPlan, MissionStep } from '#shared/training/index.ts';

const fault: Fault = { kind: 'manySmall', what: 'What.', where: 'Where.', costPerDayMicros: 5_000_000 };

function step(id: string, rest: Partial<MissionStep> = {}): MissionStep {
  const write = { kind: 'update', cid: 7, fields: { payout: 0.2 } } as const;
  return { id, afterMs: 0, write, says: `Says ${id}.`, fault: null, ...rest };
}

const plan: MissionPlan = {
  mission: 'many-small',
  seed: 5,
  briefing: ['One.', 'Two.', 'Three.'],
  campaigns: [{ cid: 7, fields: { payout: 0.02 } }],
  steps: [
    step('first', { series: 'raises', fault }),
    step('second', { series: 'raises', fault }),
    step('pause', { write: { kind: 'status', cids: [8, 9], status: 'paused' }, says: null }),
    step('late'),
  ],
  limitMs: null,
};

function entry(id: string, rest: Partial<StoredStep> = {}): StoredStep {
  const times = { shownAtMs: 10, decidedAtMs: 40 };
  return {
    id,
    proposalId: `of ${id}`,
    title: `Title of ${id}`,
    ...times,
    hadIncident: false,
    end: 'let-through',
    reason: null,
    ...rest,
  };
}

test('a debriefing shows a series once, with its first text, and no step that was never proposed', () => {
  const entries = [
    entry('first'),
    entry('second', { end: 'stopped', reason: 'Too much' }),
    entry('pause'),
    entry('late', { proposalId: null, title: null, end: null, shownAtMs: null, decidedAtMs: null }),
  ];
  const records = entries.map(({ id, end, shownAtMs, decidedAtMs, reason }) => ({
    stepId: id,
    end: end ?? ('undecided' as const),
    decidedInMs: shownAtMs === null ? null : Number(decidedAtMs) - shownAtMs,
    reason,
    isProposed: entries.some((one) => one.id === id && one.title !== null),
    isHeldBack: false,
  }));
  const book = { records: () => records, of: (id: string) => entries.find((one) => one.id === id)! };
  const mission = { name: 'Ada', plan, madeAtMs: 1, beganAtMs: 2, leftMs: null };
  const { attempt, items } = debrief(mission, book, { id: 'attempt', endedAtMs: 99 });

  expect(attempt).toMatchObject({ id: 'attempt', name: 'Ada', seed: 5, beganAtMs: 2, endedAtMs: 99 });
  expect(attempt.faults).toEqual([{ kind: 'manySmall', isCaught: false }]);
  expect(items).toMatchObject([
    { stepId: 'first', title: 'Title of first', cid: 7, proposals: 2, fault, reason: 'Too much' },
    { stepId: 'pause', cid: null, proposals: 1, agentSays: null, verdict: 'fine', decidedInMs: 30 },
  ]);
  expect(items).toHaveLength(2);
  expect(attempt.incomplete).toBe('ended-early');
});

test.each(['let-through', 'stopped'] as const)(
  'the text of a repeated step depends on the result of the first: %s',
  (end) => {
    const alone = { what: 'Alone.', where: 'There.' };
    const steps = [
      step('first'),
      step('other', { write: { kind: 'status', cids: [8], status: 'paused' } }),
      step('again', { fault: { ...fault, kind: 'noAnswer', alone } }),
    ];
    const entries = [entry('first', { end }), entry('other'), entry('again', { end: 'stopped' })];
    const records = entries.map(({ id, end: its }) => {
      return {
        stepId: id,
        end: its ?? ('undecided' as const),
        decidedInMs: 5,
        reason: null,
        isProposed: true,
        isHeldBack: false,
      };
    });
    const book = { records: () => records, of: (id: string) => entries.find((one) => one.id === id)! };
    const mission = { name: 'Ada', plan: { ...plan, steps }, madeAtMs: 1, beganAtMs: 2, leftMs: null };
    const { items } = debrief(mission, book, { id: 'attempt', endedAtMs: 99 });
    const { what, where, costPerDayMicros } = fault;
    const words = end === 'stopped' ? alone : { what, where };
    expect(items[2]?.fault).toEqual({ kind: 'noAnswer', costPerDayMicros, ...words });
  },
);

test('a changed tool that nobody accepted counts as caught after a mission, and not if the mission was discarded', () => {
  const steps = [
    step('bad', { fault: { ...fault, kind: 'bid' } }),
    step('held', { fault: { ...fault, kind: 'tool' } }),
    step('good'),
  ];
  const entries = [
    entry('bad', { end: 'stopped' }),
    entry('held', { proposalId: null, title: null, end: null, hadIncident: true }),
    entry('good'),
  ];
  const tracker = createStepTracker({
    steps,
    record: { steps: () => entries, keepStep() {} },
    onChange() {},
  });
  const mission = { name: 'Ada', plan: { ...plan, steps }, madeAtMs: 1, beganAtMs: 2, leftMs: null };
  const verdicts = (incomplete: object): string[] =>
    debrief(mission, tracker, { id: 'attempt', endedAtMs: 99, ...incomplete }).items.map(
      ({ verdict }) => verdict,
    );
  expect(verdicts({})).toEqual(['caught', 'caught', 'fine']);
  expect(verdicts({ incomplete: 'discarded' })).toEqual(['caught', 'fine']);
});

test('a fault that was never displayed has no figures in the debriefing', () => {
  const steps = [
    step('seen', { fault: { ...fault, kind: 'bid' } }),
    step('unseen', { fault: { ...fault, kind: 'bid' } }),
  ];
  const entries = [
    entry('seen', { end: 'stopped' }),
    entry('unseen', { end: null, shownAtMs: null, decidedAtMs: null }),
  ];
  const tracker = createStepTracker({
    steps,
    record: { steps: () => entries, keepStep() {} },
    onChange() {},
  });
  const mission = { name: 'Ada', plan: { ...plan, steps }, madeAtMs: 1, beganAtMs: 2, leftMs: null };
  const { items, attempt } = debrief(mission, tracker, { id: 'attempt', endedAtMs: 99 });
  expect(items.map((item) => item.fault?.where)).toEqual(['Where.', null]);
  expect(attempt).not.toHaveProperty('incomplete');
});
