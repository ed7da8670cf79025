import { expect, test } from 'vitest';
import { inTime } from '#test/setup/eventually.ts';

test('a wait for a promise that never settles fails after its limit and names the missing event', async () => {
  const never = new Promise(() => {});
  await expect(inTime('The end of the host', never, 1)).rejects.toThrow(
    'The end of the host did not come in 1 ms',
  );
});

test('a wait for a promise that settles in time returns its result or its failure', async () => {
  expect(await inTime('The number', Promise.resolve(7))).toBe(7);
  await expect(inTime('The number', Promise.reject(new Error('No number')))).rejects.toThrow('No number');
});
