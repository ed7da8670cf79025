import { expect, test } from 'vitest';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { countStates, problemsOf } from './inspect.ts';
import { createLane, type Lane, type Point } from './lane.ts';

/** Kills at random moments, over two folders side by side. */
const randomKills = 200;

/** Every eighth is killed while it starts, recovers and settles. */
const starting = 8;

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
  const lanes = [true, false].map((keepsKey, index) =>
    createLane({ folder: tempFolder(), word: `lane${index}start`, keepsKey }),
  );
  await Promise.all(lanes.map((lane) => killAtRandom(lane, randomKills / lanes.length)));
  for (const { folder } of lanes) {
    const states = countStates(folder);
    expect(
      Object.keys(states).filter((state) => ['approved', 'intent', 'sent', 'unknown'].includes(state)),
    ).toEqual([]);
  }
}, 900_000);

test.each<[Exclude<Point, 'random'>, string]>([
  ['intent', 'refused'],
  ['answer', 'verified'],
  ['sent', 'verified'],
  ['verified', 'verified'],
])(
  'killed at %s, the write is settled as %s after a restart, and is never sent again',
  async (point, state) => {
    const lane = createLane({ folder: tempFolder(), word: point, keepsKey: true });
    for (let kill = 1; kill <= 3; kill += 1) {
      await lane.dieAt(point);
      expect(await problemsOf(lane.folder, lane.acknowledged)).toEqual([]);
      await lane.settle();
      expect(countStates(lane.folder)).toEqual({ [state]: kill });
      expect(await problemsOf(lane.folder, lane.acknowledged)).toEqual([]);
    }
  },
);
