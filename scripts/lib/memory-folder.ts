import { readFileSync, statfsSync } from 'node:fs';

const folder = '/dev/shm';

const neededBytes = 4 * 1024 ** 3;

/**
 * Finds a folder that is kept in memory, for the temporary folders of tests: they wait for the disk thousands of times, to
 * protect what is removed a moment later. Null where there is none, where it is too small, as in most containers, or where no
 * program may be started from it.
 */
export function findMemoryFolder(): string | null {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const [, , kind, options = ''] = mounts.find((line) => line.split(' ')[1] === folder)?.split(' ') ?? [];
    if (kind !== 'tmpfs' || !/^rw(?!.*\bnoexec\b)/.test(options)) return null;
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= neededBytes ? folder : null;
  } catch {
    // Not Linux.
    return null;
  }
}
