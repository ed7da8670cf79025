import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { silentLogger } from '#core/platform/logger.ts';
import { createAbandonedCalls } from '#core/proposals/agent-calls/abandoned-calls.ts';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, number) => `${number}`);

/** Departures from a store that keeps all or nothing of a transaction; what is in `stuck` cannot be taken back. */
function world(stuck: string[] = []) {
  const commits: string[][] = [];
  let pending: string[] | null = null;
  const abandoned = createAbandonedCalls({
    logger: silentLogger,
    store: {
      transaction(work) {
        pending = [];
        try {
          const result = work();
          commits.push(pending);
          return result;
        } finally {
          pending = null;
        }
      },
    },
    takeBack(id) {
      if (stuck.includes(id)) throw new Error('It cannot be read');
      if (pending === null) commits.push([id]);
      else pending.push(id);
    },
  });
  return { abandoned, commits };
}

test('a hundred abandoned at once are a few commits, each in a turn of its own', async () => {
  const { abandoned, commits } = world();
  for (const id of numbered(100)) abandoned.abandon(id);
  expect(commits).toEqual([]);
  await turn();
  expect(commits).toHaveLength(1);
  while (commits.flat().length < 100) await turn();
  expect(commits.flat()).toEqual(numbered(100));
  expect(commits).toHaveLength(5);
});

test('one that cannot be taken back keeps none of the others, and is tried again at the next flush', async () => {
  const stuck = ['7', '41'];
  const { abandoned, commits } = world(stuck);
  for (const id of numbered(50)) abandoned.abandon(id);
  abandoned.flush();
  expect(commits.flat().toSorted()).toEqual(
    numbered(50)
      .filter((id) => id !== '7' && id !== '41')
      .toSorted(),
  );
  await turn();
  expect(commits.flat()).toHaveLength(48);
  stuck.splice(0);
  abandoned.flush();
  expect(commits.at(-1)).toEqual(['7', '41']);
});

test('a proposal with a new waiting call is not withdrawn', async () => {
  const { abandoned, commits } = world();
  abandoned.abandon('1');
  abandoned.abandon('2');
  abandoned.resume('1');
  await turn();
  expect(commits).toEqual([['2']]);
});
