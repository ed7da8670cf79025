import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import {
  endTree,
  endTrees,
  findProcess,
  inOwnTree,
  isRunning,
  listProcesses,
  type ProcessSystem,
} from '../../scripts/lib/processes.ts';
import { has } from '../servers/abilities.ts';

function recording(platform: NodeJS.Platform, remains: boolean) {
  const asked: unknown[][] = [];
  const system: ProcessSystem = {
    platform,
    kill(...words) {
      asked.push(words);
      if (!remains) throw new Error('kill ESRCH');
    },
    run(program, args) {
      asked.push([program, ...args]);
      return remains ? 0 : 128;
    },
  };
  return { asked, system };
}

test.each([
  ['linux', true, [-7, 'SIGKILL']],
  ['linux', false, [-7, 'SIGKILL']],
  ['darwin', true, [-7, 'SIGKILL']],
  ['win32', true, ['taskkill', '/PID', '7', '/T', '/F']],
  ['win32', false, ['taskkill', '/PID', '7', '/T', '/F']],
] as const)('on %s a program is ended with everything that it started (processes left: %s)', (...row) => {
  const [platform, remains, words] = row;
  const { asked, system } = recording(platform, remains);
  expect(endTree(7, system)).toBe(remains);
  expect(asked).toEqual([words]);
});

test('a program gets its own process group, except on Windows, which would open a console', () => {
  expect(inOwnTree('linux')).toEqual({ detached: true });
  expect(inOwnTree('darwin')).toEqual({ detached: true });
  expect(inOwnTree('win32')).toEqual({ detached: false });
});

/** Starts a program that starts another. Both run until they are killed. */
async function startTwo(): Promise<{ outer: number; inner: number }> {
  const stay = 'setInterval(() => {}, 1000);';
  const source = `
    const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stay)}]);
    console.log(child.pid); ${stay}`;
  const child = spawn(process.execPath, ['-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...inOwnTree(),
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { outer: child.pid ?? 0, inner: Number(line.toString()) };
}

test('a program and its child have both ended when their process tree is ended', async () => {
  const { outer, inner } = await startTwo();
  expect([isRunning(outer), isRunning(inner)]).toEqual([true, true]);
  await endTrees([outer]);
  expect([isRunning(outer), isRunning(inner)]).toEqual([false, false]);
  await endTrees([outer]);
});

test.runIf(has.linux)(
  'on Linux the list of processes contains this process with its parent and its arguments',
  () => {
    const mine = findProcess(process.pid);
    expect(mine).toMatchObject({ pid: process.pid, parent: process.ppid, hasEnded: false });
    expect(listProcesses().map(({ pid }) => pid)).toContain(process.ppid);
    expect(findProcess(2 ** 22 + 1)).toBeNull();
  },
);
