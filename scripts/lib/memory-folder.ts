import { readFileSync, statfsSync } from 'node:fs';

const folder = '/dev/shm';

const neededBytes = 4 * 1024 ** 3;

/**
 * Finds a folder in memory for the temporary folders of tests, which would otherwise wait thousands of times for the disk to
 * store files that are removed a moment later. Null if there is no such folder, if it is too small, as in most containers, or if
 * programs cannot be started from it.
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
