import { expect, test } from 'vitest';
import type { MissionPlan } from '#shared/training/index.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { createPlayer, stepsOf, type Answer, type Player } from './player.ts';
import { smallPlan } from './small-plan.ts';
import { openTraining, type TrainingWorld } from './training-world.ts';

interface Played {
  world: TrainingWorld;
  player: Player;
  plan(): MissionPlan;
}

async function startSmall(
  answer: (isBad: boolean) => Answer,
  parts: Partial<MissionPlan> = {},
): Promise<Played> {
  const clock = createManualClock();
  let plan: MissionPlan | undefined;
  let stepOf: ReturnType<typeof stepsOf> = () => {
    throw new Error('No plan yet');
  };
  const world = await openTraining({
    clock,
    demoCampaigns: 20,
    planMission: (...args) => {
      plan = smallPlan(parts)(...args);
      stepOf = stepsOf(plan.steps);
      return plan;
    },
  });
  const { handlers } = world.core;
  await handlers['training.setName']({ name: 'Ada' });
  const starting = handlers['training.startMission']({ mission: 'bids' });
  let isStarted = false;
  void starting.finally(() => (isStarted = true)).catch(() => {});
  while (!isStarted) {
    clock.advance(100);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await starting;
  return {
    world,
    player: createPlayer(world, clock, (proposal) => answer(stepOf(proposal).fault !== null)),
    plan: () => plan!,
  };
}

test.each([
  ['denying what is bad', (isBad: boolean) => (isBad ? 'deny' : 'approve'), 100],
  ['approving everything', () => 'approve', 0],
  ['denying everything', () => 'deny', 0],
] as [string, (isBad: boolean) => Answer, number][])('%s', async (_name, answer, points) => {
  const { world, player } = await startSmall(answer);
  const { handlers } = world.core;
  expect(await handlers['training.workspace']({})).toMatchObject({ workspace: { phase: 'briefing' } });
  expect(world.shown).toEqual([]);
  await handlers['training.begin']({});
  const { attempt, items } = await player.play();
  expect(attempt).toMatchObject({ name: 'Ada', mission: 'bids', score: { points } });
  expect(items).toHaveLength(3);
  await expect.poll(world.workspaces).toEqual([]);
});
