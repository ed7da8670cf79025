import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock as clock } from '#core/platform/clock.ts';
import { lockFolder } from '#core/store/sqlite/folder-lock.ts';
import { startChild } from '#test/servers/child.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

const holder = new URL('./lock-holder.ts', import.meta.url);

test('a second start names the process that has the data folder open', async () => {
  const folder = tempFolder();
  const first = startChild(holder, [folder]);
  expect(await first.line()).toBe('locked');

  let refusal: unknown;
  try {
    lockFolder({ folder, host: 'terminal', clock });
  } catch (failure) {
    refusal = failure;
  }
  expect(refusal).toMatchObject({
    code: 'data_folder_locked',
    data: { pid: first.pid, host: 'browser', since: '2026-11-20T13:55:00.000Z' },
  });
  expect(String(refusal)).toContain(`the “browser” host, process ${first.pid}, since 2026-11-20 13:55 UTC`);
  await first.kill();
});

test('a killed process leaves no lock', async () => {
  const folder = tempFolder();
  const first = startChild(holder, [folder]);
  await first.line();
  await first.kill();
  expect(existsSync(join(folder, 'lock.json'))).toBe(true);

  const lock = lockFolder({ folder, host: 'terminal', clock });
  await lock.dispose();
});

test('a process cannot lock a folder twice, and can lock it again after releasing it', async () => {
  const folder = tempFolder();
  const first = lockFolder({ folder, host: 'terminal', clock });
  expect(() => lockFolder({ folder, host: 'terminal', clock })).toThrow(
    expect.objectContaining({ code: 'data_folder_locked' }),
  );
  await first.dispose();
  await first.dispose();
  expect(existsSync(join(folder, 'lock.json'))).toBe(false);
  await lockFolder({ folder, host: 'terminal', clock }).dispose();
});

test('a refused second lock in the same process keeps the folder locked for other processes', async () => {
  const folder = tempFolder();
  const first = lockFolder({ folder, host: 'terminal', clock });
  expect(() => lockFolder({ folder, host: 'terminal', clock })).toThrow('Another Countersign');
  const other = startChild(holder, [folder]);
  expect(await other.line()).toBe('data_folder_locked');
  await other.kill();
  await first.dispose();
});

test('the lock is released even if the file that names its holder cannot be removed', async () => {
  const folder = tempFolder();
  const first = lockFolder({ folder, host: 'terminal', clock });
  rmSync(join(folder, 'lock.json'));
  mkdirSync(join(folder, 'lock.json'));
  await first.dispose();
  rmSync(join(folder, 'lock.json'), { recursive: true });
  const next = lockFolder({ folder, host: 'terminal', clock });
  expect(existsSync(join(folder, 'lock.json'))).toBe(true);
  await next.dispose();
});

test('exactly one of several simultaneous starts gets the lock', async () => {
  const folder = tempFolder();
  const starts = Array.from({ length: 4 }, () => startChild(holder, [folder]));
  const answers = await Promise.all(starts.map((start) => start.line()));
  expect(answers.filter((answer) => answer === 'locked')).toHaveLength(1);
  expect(answers.filter((answer) => answer === 'data_folder_locked')).toHaveLength(3);
  await Promise.all(starts.map((start) => start.kill()));
});

test('a folder on a network drive is refused with an explanation, and nothing is created there', () => {
  const folder = join(tempFolder(), 'data');
  const place = {
    platform: 'linux' as const,
    realPath: (path: string) => path,
    mounts: () => 'server:/x / nfs4 rw 0 0',
  };
  const lock = () => lockFolder({ folder, host: 'terminal', clock, system: { place } });
  expect(lock).toThrow(
    expect.objectContaining({ code: 'data_folder_remote', data: { folder, place: 'nfs4' } }),
  );
  expect(lock).toThrow('The data folder is on a network (“nfs4”)');
  expect(existsSync(folder)).toBe(false);
});

test('a folder that Windows cannot restrict to its user is refused before anything is written', () => {
  const folder = join(tempFolder(), 'data');
  const restrict = {
    platform: 'win32' as const,
    profile: 'C:\\Profiles\\a',
    systemRoot: 'C:\\Windows',
    realPath: (path: string) => path,
    run: (): string => {
      throw new Error('Access is denied.');
    },
  };
  expect(() => lockFolder({ folder, host: 'terminal', clock, system: { restrict } })).toThrow(
    expect.objectContaining({ code: 'data_folder_open' }),
  );
  expect(existsSync(join(folder, 'lock.sqlite'))).toBe(false);
});
