import { expect, test } from 'vitest';
import { createDesktopHost } from '#renderer/api/desktop-host.ts';
import { newFile } from '#renderer/api/host-services.ts';
import type { HostAnswer, DesktopRequest } from '#shared/host-api/index.ts';

test('two files that the desktop writes at the same time are told apart by their ids', async () => {
  const asked: [DesktopRequest, unknown][] = [];
  let begun = 0;
  const askHost = async (name: DesktopRequest, input: unknown): Promise<HostAnswer> => {
    asked.push([name, input]);
    const file = { id: `f${begun + 1}`, name: 'a.csv' };
    if (name !== 'desktop.beginFile') return { output: null };
    begun += 1;
    return { output: { file } };
  };
  const never = () => () => {};
  const host = createDesktopHost({
    askHost,
    onMenuCommand: never,
    onRealWork: never,
    onUpdates: never,
  });
  const [first, second] = [await newFile('a', host), await newFile('b', host)];
  asked.length = 0;
  await first?.add('1');
  await second?.add('2');
  await second?.end(false);
  await first?.end(true);
  expect(asked).toEqual([
    ['desktop.addToFile', { id: 'f1', part: '1' }],
    ['desktop.addToFile', { id: 'f2', part: '2' }],
    ['desktop.endFile', { id: 'f2', keep: false }],
    ['desktop.endFile', { id: 'f1', keep: true }],
  ]);
});
