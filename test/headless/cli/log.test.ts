import { expect, onTestFinished, test, vi } from 'vitest';
import type { Console } from '#headless/cli/console.ts';
import { withLog } from '#headless/cli/log.ts';
import { AppError, catalogue } from '#shared/errors/index.ts';
import { temporaryFolder } from '../folder.ts';

test.each([
  [
    'an expected failure with its own message',
    new AppError('disk_full'),
    [`countersign: ${catalogue.disk_full.text}`, catalogue.disk_full.next],
  ],
  [
    'a bug with the path of the log',
    new TypeError('no'),
    ['countersign: Something went wrong inside Countersign.', expect.stringContaining('countersign.log')],
  ],
])('an unhandled failure ends the command: %s', async (_name, failure, expected) => {
  const said: string[] = [];
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  onTestFinished(() => exit.mockRestore());
  const others = process.listeners('uncaughtException');
  const console = { err: (line: string) => void said.push(line) } as unknown as Console;
  await withLog(temporaryFolder(), console, async () => {
    const [crash] = process.listeners('uncaughtException').filter((one) => !others.includes(one));
    crash?.(failure, 'uncaughtException');
  });
  expect(said).toEqual(expected);
  expect(exit).toHaveBeenCalledExactlyOnceWith(1);
});
