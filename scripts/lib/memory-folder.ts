import { readFileSync, statfsSync } from 'node:fs';

const folder = '/dev/shm';

/** What all tests together may have there at once, with room to spare, in bytes. */
const neededBytes = 2 * 1024 ** 3;

/**
 * The environment of tests whose files may lie in memory. Making databases waits for the disk thousands of times, and longer
 * the busier it is; what is tested there is the order of the calls, not the disk. Empty where there is no such folder, where
 * it is small, or where nothing may be run from it; a folder that somebody named stands.
 */
export function filesInMemory(environment: NodeJS.ProcessEnv = process.env): { TMPDIR?: string } {
  if (environment['TMPDIR'] !== undefined || !mayRunPrograms()) return {};
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= neededBytes ? { TMPDIR: folder } : {};
}

/** Whether it is a file system in memory from which programs may be run. */
function mayRunPrograms(): boolean {
  if (process.platform !== 'linux') return false;
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const [, , kind, options = ''] = mounts.find((line) => line.split(' ')[1] === folder)?.split(' ') ?? [];
  return kind === 'tmpfs' && !options.split(',').some((option) => option === 'noexec' || option === 'ro');
}
