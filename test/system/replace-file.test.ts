import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FileHeldError, replaceFile, replaceFileSync } from '#system/replace-file.ts';
import { tempFolder } from '../servers/temp-folder.ts';

const codes = ['EPERM', 'EACCES', 'EBUSY'] as const;

/** A system on which another program holds the file open during the first renames. */
function holding(code: string, times: number, platform: NodeJS.Platform = 'win32', isReplaceable = true) {
  const waits: number[] = [];
  let left = times;
  return {
    waits,
    platform,
    isReplaceable: () => isReplaceable,
    rename(from: string, to: string): void {
      if ((left -= 1) >= 0) throw Object.assign(new Error(`${code}: held`), { code });
      renameSync(from, to);
    },
    sleep: (ms: number): void => void waits.push(ms),
  };
}

type Held = ReturnType<typeof holding>;

const ways = {
  blocking: async (from: string, to: string, held: Held) => replaceFileSync(from, to, held),
  'not blocking': (from: string, to: string, held: Held) =>
    replaceFile(from, to, {
      platform: held.platform,
      isReplaceable: held.isReplaceable,
      rename: async (...paths) => held.rename(...paths),
      sleep: async (ms) => held.sleep(ms),
    }),
};

function files(): { from: string; to: string } {
  const folder = tempFolder();
  const [from, to] = [join(folder, 'next'), join(folder, 'file')];
  writeFileSync(from, 'new');
  writeFileSync(to, 'old');
  return { from, to };
}

describe.each(Object.entries(ways))('replacing a file, %s', (_name, replace) => {
  test.each(codes)(
    'a file that another program keeps open for a moment is replaced afterwards: %s',
    async (code) => {
      const { from, to } = files();
      const held = holding(code, 2);
      await replace(from, to, held);
      expect(readFileSync(to, 'utf8')).toBe('new');
      expect(held.waits).toHaveLength(2);
    },
  );

  test.each(codes)('a file that stays open for two seconds is left unchanged: %s', async (code) => {
    const { from, to } = files();
    const held = holding(code, 1_000);
    await expect(replace(from, to, held)).rejects.toThrow(FileHeldError);
    expect(readFileSync(to, 'utf8')).toBe('old');
    expect(existsSync(from)).toBe(true);
    expect(held.waits.reduce((sum, ms) => sum + ms, 0)).toBe(2_000);
  });

  test.each([
    ['a missing folder on Windows', 'ENOENT', 'win32'],
    ['missing permission on Linux', 'EACCES', 'linux'],
    ['missing permission on macOS', 'EPERM', 'darwin'],
    ['a folder or a protected file in its place on Windows', 'EPERM', 'win32', false],
  ] as const)('%s fails immediately', async (_what, code, platform, isReplaceable: boolean = true) => {
    const { from, to } = files();
    const held = holding(code, 1_000, platform, isReplaceable);
    await expect(replace(from, to, held)).rejects.toMatchObject({ code });
    expect(held.waits).toEqual([]);
  });
});
