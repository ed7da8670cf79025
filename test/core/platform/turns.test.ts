import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurns } from '#core/platform/work-queues.ts';

test('of simultaneous callers one goes in each turn, in order, the first without waiting', async () => {
  const nextTurn = createTurns();
  const gone: number[] = [];
  for (const number of [1, 2, 3]) void nextTurn().then(() => gone.push(number));
  await Promise.resolve();
  const seen = [[...gone]];
  for (const _turn of [1, 2]) {
    await turn();
    seen.push([...gone]);
  }
  expect(seen).toEqual([[1], [1, 2], [1, 2, 3]]);
  await turn();
  await nextTurn();
  expect(gone).toHaveLength(3);
});

test('a caller that comes again in the same turn waits behind the others', async () => {
  const nextTurn = createTurns();
  const gone: string[] = [];
  const first = nextTurn().then(async () => {
    gone.push('first');
    await nextTurn();
    gone.push('first again');
  });
  const second = nextTurn().then(() => gone.push('second'));
  await Promise.all([first, second]);
  expect(gone).toEqual(['first', 'second', 'first again']);
});
