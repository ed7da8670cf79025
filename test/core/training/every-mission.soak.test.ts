import { describe, expect, test } from 'vitest';
import { missionIds, type MissionStep } from '#shared/training/index.ts';
import { planMission } from '#shared/training/plan/index.ts';
import { type Answer, startMission, workspacesLater } from './player.ts';

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

describe.each(missionIds.map((mission, at) => [mission, at * 7 + 1] as const))(
  'mission %s, variant %i',
  (mission, seed) => {
    test.each(ways)(
      '%s',
      async (_name, answer, points) => {
        const { world, clock, player } = await startMission({
          mission,
          planMission: (id, _drawn, workspace) => planMission(id, seed, workspace),
          answer,
        });
        await world.core.handlers['training.begin']({});
        const { attempt, items } = await player.play();
        const story = items.map(({ stepId, verdict, title }) => `${stepId} ${verdict}: ${title}`);
        expect(attempt.score.points, story.join('\n')).toBe(points);
        expect(attempt).toMatchObject({ mission, seed });
        await expect.poll(() => workspacesLater(world, clock)).toEqual([]);
      },
      60_000,
    );
  },
);
