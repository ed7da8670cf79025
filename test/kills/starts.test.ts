import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startChild } from '#test/servers/child.ts';
import { requireTool } from '#test/servers/require-tool.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { distinctPoints, samplePoints } from './kill-points.ts';
import { randomMoments } from './random-moments.ts';
import { problemsOfNextStart } from './next-start.ts';
import { createTwoStarts } from './two-starts.ts';
import { firstStart, openScenario, restoredBackup, restoredBackups, secondMigration } from './scenarios.ts';

/**
 * The number of random points that are checked in addition to the first of each kind. `npm run soak:kills` checks all points.
 */
const randomPoints = 24;

test.each([firstStart, restoredBackups, restoredBackup, secondMigration])(
  'after a kill during a $name, the next start continues with a ledger that verifies (a sample of its points)',
  async (scenario) => {
    const { points, problemsAt } = await openScenario(scenario, tempFolder());
    expect(points.length).toBeGreaterThan(50);
    const random = randomMoments();
    const wrong = new Map<string, string[]>();
    for (const point of samplePoints(distinctPoints(points), randomPoints, random)) {
      const problems = await problemsAt(point);
      if (problems.length > 0) wrong.set(point.name, problems);
    }
    expect(wrong).toEqual(new Map());
  },
);

test('cores that compete for a folder whose lock was deleted leave a ledger that verifies', async () => {
  const { round } = await createTwoStarts(join(tempFolder(), 'data'), randomMoments());
  const rounds = [await round(), await round(), await round()];
  expect(rounds.flatMap(({ problems }) => problems)).toEqual([]);
  // Without any write the rounds would prove nothing.
  expect(rounds.some(({ writes }) => writes > 0)).toBe(true);
});

/** The calls at which a killed first start once left a folder that could not be opened again. */
const once = [
  ['fsync', 3],
  ['fsync', 4],
  ['fsync', 21],
  ['unlink', 1],
  ['unlink', 2],
] as const;

test.each(once)(
  'a first start that is killed at %s %i is completed by the next start',
  async (call, number) => {
    const folder = join(tempFolder(), 'data');
    const dataKey = 'cd'.repeat(32);
    const inject = ['-e', `trace=${call}`, '-e', `inject=${call}:signal=KILL:when=${number}`];
    const child = startChild(
      new URL('./starter.ts', import.meta.url),
      [folder, dataKey],
      [requireTool('strace'), '-f', '-q', ...inject, '-o', '/dev/null'],
    );
    await child.rest();
    expect(await child.ended).not.toBe(0);
    expect(await problemsOfNextStart(folder, { dataKey })).toEqual([]);
  },
);
