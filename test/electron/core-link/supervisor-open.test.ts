import { expect, test } from 'vitest';
import { createStage, ready, start } from './scripted-core.ts';

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

test('the core learns whether its authorization address was opened', async () => {
  const addresses: string[] = [];
  const stage = createStage(async (address) => addresses.push(address) === 1);
  stage.supervisor.preload();
  stage.supervisor.begin(start);
  stage.core().says(ready);
  for (const id of [1, 2]) stage.core().says({ kind: 'open', id, address: `https://service.example/${id}` });
  await settled();
  expect(addresses).toEqual(['https://service.example/1', 'https://service.example/2']);
  expect(stage.core().heard.slice(-2)).toEqual([
    { kind: 'opened', id: 1, opened: true },
    { kind: 'opened', id: 2, opened: false },
  ]);
});

test('a core that was started meanwhile is not told about the address of an earlier core', async () => {
  const opening = Promise.withResolvers<boolean>();
  const stage = createStage(() => opening.promise);
  stage.supervisor.preload();
  stage.supervisor.begin(start);
  stage.core().says(ready);
  stage.core().says({ kind: 'open', id: 1, address: 'https://service.example/' });
  stage.core().exits(1);
  stage.clock.advance(60_000);
  expect(stage.cores).toHaveLength(2);
  opening.resolve(true);
  await settled();
  expect(stage.core().heard.map(({ kind }) => kind)).toEqual(['start']);
});

test('the core gets the proxies of the system, or null if there are none', async () => {
  const stage = createStage(undefined, async (origin) => {
    if (origin === 'https://broken.example') throw new Error('No answer');
    return 'PROXY proxy.example:8080';
  });
  stage.supervisor.preload();
  stage.supervisor.begin(start);
  stage.core().says(ready);
  stage.core().says({ kind: 'findProxy', id: 1, origin: 'https://service.example' });
  stage.core().says({ kind: 'findProxy', id: 2, origin: 'https://broken.example' });
  await settled();
  expect(stage.core().heard.slice(-2)).toEqual([
    { kind: 'proxyFound', id: 1, proxies: 'PROXY proxy.example:8080' },
    { kind: 'proxyFound', id: 2, proxies: null },
  ]);
});

test('a core that empties its folder gets a new key, and so does the next core', async () => {
  const answers = ['BBBB', null];
  const stage = createStage(undefined, undefined, async () => answers.shift() ?? null);
  stage.supervisor.preload();
  stage.supervisor.begin(start);
  stage.core().says(ready);
  stage.core().says({ kind: 'resetHost', id: 1 });
  await settled();
  expect(stage.core().heard.at(-1)).toEqual({ kind: 'hostReset', id: 1, dataKey: 'BBBB' });
  stage.core().exits(1);
  stage.clock.advance(60_000);
  expect(stage.core().heard).toEqual([{ kind: 'start', start: { ...start, dataKey: 'BBBB' } }]);
  // Without a new key the previous key is kept.
  stage.core().says({ kind: 'resetHost', id: 1 });
  await settled();
  expect(stage.core().heard.at(-1)).toEqual({ kind: 'hostReset', id: 1, dataKey: null });
  stage.core().exits(1);
  stage.clock.advance(60_000);
  expect(stage.core().heard).toEqual([{ kind: 'start', start: { ...start, dataKey: 'BBBB' } }]);
});
