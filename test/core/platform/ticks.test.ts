import { setImmediate as tick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTicks } from '#core/platform/work-queues.ts';

test('simultaneous callers continue in order, one in each tick, and the first immediately', async () => {
  const nextTick = createTicks();
  const gone: number[] = [];
  for (const number of [1, 2, 3]) void nextTick().then(() => gone.push(number));
  await Promise.resolve();
  const seen = [[...gone]];
  for (const _turn of [1, 2]) {
    await tick();
    seen.push([...gone]);
  }
  expect(seen).toEqual([[1], [1, 2], [1, 2, 3]]);
  await tick();
  await nextTick();
  expect(gone).toHaveLength(3);
});

test('a caller that calls again in the same tick waits behind the others', async () => {
  const nextTick = createTicks();
  const gone: string[] = [];
  const first = nextTick().then(async () => {
    gone.push('first');
    await nextTick();
    gone.push('first again');
  });
  const second = nextTick().then(() => gone.push('second'));
  await Promise.all([first, second]);
  expect(gone).toEqual(['first', 'second', 'first again']);
});
