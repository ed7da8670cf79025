import { statfsSync } from 'node:fs';
import { AppError } from '#shared/errors/index.ts';
import { outOfFiles } from '#system/disk-failure.ts';

const roomBytes = 16 * 1024 * 1024;

/**
 * The failure of a disk that is nearly full or can hold no more files; null for any other, and where it cannot be asked. For the service
 * of Demo, which tells a client no more than that it is not ready.
 */
export function whyNoRoom(folder: string): AppError | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < roomBytes ? new AppError('disk_full') : outOfFiles(folder, undefined);
  } catch {
    return null;
  }
}
