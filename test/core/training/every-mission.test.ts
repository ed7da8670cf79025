import { describe, expect, test } from 'vitest';
import { missionIds, type MissionStep } from '#shared/training/index.ts';
import { planMission } from '#shared/training/plan/index.ts';
import { type Answer, startMission } from './player.ts';

type Way = [name: string, answer: (step: MissionStep) => Answer, points: number];

const ways: Way[] = [
  [
    'a person who stops every fault and nothing else gets all points',
    ({ fault }) => (fault === null ? 'approve' : 'deny'),
    100,
  ],
  ['one who approves everything gets none', () => 'approve', 0],
  ['one who denies everything gets none', () => 'deny', 0],
];

describe.each(missionIds)('mission %s', (mission) => {
  test.each(ways)(
    '%s',
    async (_name, answer, points) => {
      const { world, player, plan } = await startMission({ mission, planMission, answer });
      await world.core.handlers['training.begin']({});
      const { attempt, items } = await player.play();
      const told = items.map(({ stepId, verdict, title }) => `${stepId} ${verdict}: ${title}`).join('\n');
      expect(attempt.score.points, `seed ${plan().seed}\n${told}`).toBe(points);
      expect(attempt).toMatchObject({ mission, seed: plan().seed });
    },
    60_000,
  );
});
