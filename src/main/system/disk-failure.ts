import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError, diskFailure, type ErrorCode } from '#shared/errors/index.ts';

/** Like {@link diskFailure}, but also recognizes a disk without free inodes, which looks full. */
export function diskFailureAt(folder: string, cause: unknown, otherwise: ErrorCode): AppError {
  const failure = diskFailure(cause, otherwise);
  return (failure.code === 'disk_full' ? outOfFiles(folder, cause) : null) ?? failure;
}

/** Returns a failure if the disk has space but no free inodes; null for any other disk. The folder need not exist yet. */
export function outOfFiles(folder: string, cause: unknown): AppError | null {
  let place = folder;
  while (!existsSync(place) && place !== dirname(place)) place = dirname(place);
  try {
    const { files, ffree } = statfsSync(place);
    // Some file systems, such as btrfs, have no fixed number of inodes.
    if (files === 0 || ffree > 0) return null;
  } catch {
    return null;
  }
  const message =
    'The disk can hold no more files: its inodes are used up. Delete files there, however small.';
  return new AppError('disk_full', { message, cause });
}
