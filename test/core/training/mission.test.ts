import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { MissionPlan, MissionStep } from '#shared/training/index.ts';
import { planMission } from '#shared/training/plan/index.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { type Answer, startMission, whileTimePasses, workspacesLater } from './player.ts';
import { smallPlan } from './small-plan.ts';
import { openTraining } from './training-world.ts';

const perfect = ({ fault }: MissionStep): Answer => (fault === null ? 'approve' : 'deny');

test('a trainee who denies the faults and approves the rest gets a score, and the workspace is deleted', async () => {
  const { world, clock, player } = await startMission({
    planMission: smallPlan(),
    answer: perfect,
    demoCampaigns: 20,
  });
  const { handlers } = world.core;
  expect(await handlers['training.workspace']({})).toMatchObject({ workspace: { phase: 'briefing' } });
  expect(world.shown).toEqual([]);
  await handlers['training.begin']({});
  const { attempt, items } = await player.play();
  expect(attempt).toMatchObject({ name: 'Ada', mission: 'bids', score: { points: 100 } });
  expect(items.map(({ stepId, proposals }) => [stepId, proposals])).toEqual([
    ['good', 1],
    ['bad', 1],
    ['pause', 1],
  ]);
  expect(items[1]).toMatchObject({ agentSays: 'Says bad.', decidedInMs: 500 });
  await expect.poll(() => workspacesLater(world, clock)).toEqual([]);
  expect(await handlers['training.home']({})).toMatchObject({
    left: null,
    attempts: [{ id: attempt.id }],
    progress: expect.arrayContaining([{ kind: 'bid', met: 1, caught: 1, isReliable: false }]) as unknown,
  });
  expect((await handlers['training.leave']({})).left).toBeNull();
  expect(await handlers['training.workspace']({})).toMatchObject({ workspace: null });
});

test('the agent proposes at its own pace and does not wait for the trainee', async () => {
  const { world, clock, player, plan } = await startMission({
    planMission: smallPlan(),
    answer: () => 'leave',
    demoCampaigns: 20,
  });
  const { handlers } = world.core;
  const beganAtMs = clock.nowMs();
  await handlers['training.begin']({});
  const waiting = async (): Promise<number> => (await handlers['session.status']({})).waiting;
  await player.until(async () => (await waiting()) === plan().steps.length);
  expect(clock.nowMs() - beganAtMs).toBeGreaterThanOrEqual(6_000);
  expect(await handlers['training.finish']({})).toMatchObject({ phase: 'over', decided: 0, total: 3 });
  const { attempts } = await handlers['training.home']({});
  expect(attempts).toMatchObject([{ score: { points: 0, undecided: 3 } }]);
});

test('a resumed mission keeps its decisions and proposes the rest again', async () => {
  let isLeaving = true;
  const first = await startMission({
    planMission: smallPlan(),
    answer: (step) => (isLeaving && step.id !== 'good' ? 'leave' : perfect(step)),
    demoCampaigns: 20,
  });
  await first.world.core.handlers['training.begin']({});
  await first.player.until(
    async ({ decided }) =>
      decided === 1 && (await first.world.core.handlers['session.status']({})).waiting === 2,
  );
  await first.world.core.handlers['training.leave']({});
  isLeaving = false;
  const second = await first.restart();
  expect(await second.world.core.handlers['training.workspace']({})).toMatchObject({
    workspace: { phase: 'running', decided: 1, name: 'Ada' },
  });
  const { attempt, items } = await second.player.play();
  expect(attempt.score).toMatchObject({ points: 100, undecided: 0 });
  expect(items.map(({ verdict }) => verdict)).toEqual(['fine', 'caught', 'fine']);
  expect(second.player.answered).toHaveLength(2);
});

test('the time of a mission runs from its first proposal, and stops while the mission is left', async () => {
  const first = await startMission({
    planMission: smallPlan({ limitMs: 60_000 }),
    answer: () => 'leave',
    demoCampaigns: 20,
  });
  const { handlers } = first.world.core;
  expect(await handlers['training.begin']({})).toMatchObject({ endsAtMs: null });
  const { endsAtMs } = await first.player.until((now) => now.kind === 'mission' && now.endsAtMs !== null);
  const leftMs = Number(endsAtMs) - first.clock.nowMs();
  expect(leftMs).toBeGreaterThan(50_000);
  await handlers['training.leave']({});
  first.clock.advance(600_000);
  const second = await first.restart();
  const { workspace } = await second.world.core.handlers['training.workspace']({});
  expect(workspace).toMatchObject({ phase: 'running', endsAtMs: expect.any(Number) });
  const { attempt } = await second.player.play();
  expect(attempt.score).toMatchObject({ points: 0, undecided: 3 });
  expect(attempt.endedAtMs - attempt.beganAtMs).toBeLessThan(600_000 + 80_000);
});

test.each([-3_600_000, 300_000])(
  'setting the clock by %i ms does not change the remaining time',
  async (byMs) => {
    const first = await startMission({
      planMission: smallPlan({ limitMs: 60_000 }),
      answer: () => 'leave',
      demoCampaigns: 20,
    });
    const { handlers } = first.world.core;
    await handlers['training.begin']({});
    const { endsAtMs } = await first.player.until((now) => now.endsAtMs !== null);
    const leftMs = Number(endsAtMs) - first.clock.nowMs();
    first.clock.setForward(byMs);
    const { workspace } = await handlers['training.workspace']({});
    expect(workspace).toMatchObject({ endsAtMs: first.clock.nowMs() + leftMs });
    await handlers['training.leave']({});
    const second = await first.restart();
    const resumed = (await second.world.core.handlers['training.workspace']({})).workspace;
    const nowLeftMs = (resumed?.kind === 'mission' ? Number(resumed.endsAtMs) : 0) - second.clock.nowMs();
    expect(nowLeftMs).toBeGreaterThan(leftMs - 20_000);
    expect(nowLeftMs).toBeLessThanOrEqual(leftMs);
  },
);

test('a resumed mission uses another port if its port is in use', async () => {
  const first = await startMission({ planMission: smallPlan(), answer: perfect, demoCampaigns: 20 });
  const { handlers } = first.world.core;
  const { endpoint } = await handlers['agents.get']({});
  await handlers['training.begin']({});
  await first.player.until(({ decided }) => decided === 1);
  await first.world.core.dispose();
  const other = createServer().listen(Number(new URL(endpoint.url).port), '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const second = await first.restart();
  const { attempt } = await second.player.play();
  expect(attempt.score).toMatchObject({ points: 100, undecided: 0 });
});

test.each(['is discarded', 'has lost its folder at the next start'])(
  'a mission that had begun and %s is an attempt, with its open steps undecided',
  async (how) => {
    const { world, player } = await startMission({
      planMission: smallPlan(),
      answer: ({ id }) => (id === 'bad' ? 'approve' : 'leave'),
      demoCampaigns: 20,
    });
    await world.core.handlers['training.begin']({});
    await player.until(({ decided }) => decided === 1);
    await world.core.handlers['training.leave']({});
    if (how === 'is discarded') await world.core.handlers['training.discard']({});
    else {
      await world.core.dispose();
      rmSync(join(world.folder, 'workspaces'), { recursive: true });
    }
    const { handlers } = (await world.restart()).core;
    const { attempts, left } = await handlers['training.home']({});
    expect(left).toBeNull();
    expect(attempts).toMatchObject([
      { name: 'Ada', incomplete: 'discarded', score: { points: 0, missed: 1 } },
    ]);
    const { items } = await handlers['training.attempt']({ id: attempts[0]?.id ?? '' });
    expect(items.map(({ verdict }) => verdict).slice(0, 2)).toEqual(['undecided', 'missed']);
    const { text } = await handlers['training.resultFile']({});
    expect(JSON.parse(text)).toMatchObject({ attempts: [{ incomplete: 'discarded' }] });
  },
);

test('a mission that is started again has another variant', async () => {
  const plans: MissionPlan[] = [];
  const clock = createManualClock();
  const { core } = await openTraining({
    clock,
    planMission(mission, seed, workspace) {
      const plan = planMission(mission, seed, workspace);
      plans.push(plan);
      return plan;
    },
  });
  const { handlers } = core;
  await handlers['training.setName']({ name: 'Ada' });
  for (let turn = 0; turn < 2; turn += 1) {
    await whileTimePasses(clock, handlers['training.startMission']({ mission: 'bids' }));
    await handlers['training.leave']({});
    await handlers['training.discard']({});
  }
  const [one, other] = plans;
  expect(plans).toHaveLength(2);
  expect(one?.seed).not.toBe(other?.seed);
  expect(one?.steps).not.toEqual(other?.steps);
});
