import { expect, test } from 'vitest';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { countStates, problemsOf } from './inspect.ts';
import { randomMoments } from './random-moments.ts';
import { createLane, type Lane, type Point } from './lane.ts';

/**
 * The number of kills at random moments over three folders: a person writes to two of them, an agent to the third. `npm run
 * soak` kills for longer.
 */
const randomKills = 15;

/** One of this many children is killed while it starts, recovers and settles. */
const starting = 5;

async function killAtRandom(lane: Lane, kills: number): Promise<void> {
  await lane.settle();
  for (let kill = 0; kill < kills; kill += 1) {
    await (kill % starting === 0 ? lane.killStarting() : lane.killWriting());
    expect(await problemsOf(lane.folder, lane.acknowledged), `after kill ${kill}`).toEqual([]);
  }
  await lane.settle();
  expect(await problemsOf(lane.folder, lane.acknowledged)).toEqual([]);
  expect(lane.acknowledged.length).toBeGreaterThan(kills / 4);
}

test(`${randomKills} kills at random moments lose no acknowledged write and leave no write without its intent`, async () => {
  const random = randomMoments();
  const lanes = [
    createLane({ folder: tempFolder(), word: 'lane0start', keepsKey: true, random }),
    createLane({ folder: tempFolder(), word: 'lane1start', keepsKey: false, random }),
    createLane({ folder: tempFolder(), word: 'lane2start', keepsKey: true, random, who: 'agent' }),
  ];
  await Promise.all(lanes.map((lane) => killAtRandom(lane, randomKills / lanes.length)));
  for (const { folder } of lanes) {
    const states = countStates(folder);
    expect(
      Object.keys(states).filter((state) => ['approved', 'intent', 'sent', 'unknown'].includes(state)),
    ).toEqual([]);
  }
}, 900_000);

const ends: Record<Exclude<Point, 'random'>, string> = {
  intent: 'refused',
  answer: 'verified',
  sent: 'verified',
  verified: 'verified',
};

const cases = (['person', 'agent'] as const).flatMap((who) =>
  (Object.keys(ends) as Exclude<Point, 'random'>[]).map((point) => ({ who, point, state: ends[point] })),
);

test.each(cases)(
  'the write of a(n) $who that is killed at $point is settled as $state after a restart and is never sent again',
  async ({ who, point, state }) => {
    const lane = createLane({
      folder: tempFolder(),
      word: point,
      keepsKey: true,
      random: randomMoments(),
      who,
    });
    await lane.dieAt(point);
    expect(await problemsOf(lane.folder, lane.acknowledged)).toEqual([]);
    await lane.settle();
    expect(countStates(lane.folder)).toEqual({ [state]: 1 });
    expect(await problemsOf(lane.folder, lane.acknowledged)).toEqual([]);
  },
);
