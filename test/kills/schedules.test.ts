import { expect, test } from 'vitest';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { randomMoments } from './random-moments.ts';
import { createScheduleLane, schedulePoints } from './schedule-lane.ts';

test('a due change that was approved when the app was killed waits again or was sent, exactly once, at each point', async () => {
  const lane = await createScheduleLane(tempFolder(), randomMoments());
  for (const point of [...schedulePoints, 'random', 'random'] as const)
    expect(await lane.kill(point), `killed at ${point}`).toEqual([]);
}, 300_000);
