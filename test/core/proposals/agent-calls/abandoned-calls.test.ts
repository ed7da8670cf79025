import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { silentLogger } from '#core/platform/logger.ts';
import { createAbandonedCalls } from '#core/proposals/agent-calls/abandoned-calls.ts';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, number) => `${number}`);

/** Abandoned calls with a store that records its transactions. */
function world() {
  const commits: string[][] = [];
  let pending: string[] = [];
  const store = {
    transaction<Result>(work: () => Result): Result {
      pending = [];
      const result = work();
      commits.push(pending);
      return result;
    },
  };
  const takeBack = (id: string): void => void pending.push(id);
  const abandoned = createAbandonedCalls({ store, logger: silentLogger }, takeBack);
  return { abandoned, commits };
}

test('a hundred proposals that are abandoned at once are recorded in five commits, each in its own turn of the event loop', async () => {
  const { abandoned, commits } = world();
  for (const id of numbered(100)) abandoned.abandon(id);
  expect(commits).toEqual([]);
  await turn();
  expect(commits).toHaveLength(1);
  while (commits.flat().length < 100) await turn();
  expect(commits.flat()).toEqual(numbered(100));
  expect(commits).toHaveLength(5);
});
