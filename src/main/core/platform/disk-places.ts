import { type Stats, statSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { AppError } from '#shared/errors/index.ts';
import { ownWords, sentence, quotedUpTo } from '#shared/lib/sentence.ts';
import { diskFailureAt, outOfFiles } from '#system/replace-file.ts';

export function refuseFolders(files: readonly string[]): void {
  refuse(files, (stats) => stats.isDirectory());
}

/** Refuses paths that exist but are not files: reading from a pipe would block every start forever. */
export function refuseOtherThanFiles(files: readonly string[]): void {
  refuse(files, (stats) => !stats.isFile());
}

function refuse(files: readonly string[], isOccupied: (stats: Stats) => boolean): void {
  for (const file of files) {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined || !isOccupied(stats)) continue;
    const what = stats.isDirectory() ? 'a folder' : 'a pipe or a device';
    const message = sentence`There is ${ownWords(what)} in the place of a file of Countersign: ${basename(file)}.`;
    throw new AppError('path_occupied', { message, data: { path: file } });
  }
}

const maxPathLength = 300;

/** Makes a temporary folder that only this user can read. Fails as the disk does, naming the system's temporary folder. */
export function makeTemporary(prefix: string): string {
  const place = tmpdir();
  try {
    return mkdtempSync(join(place, prefix));
  } catch (failure) {
    const { code, message } = diskFailureAt(place, failure, 'storage_failed');
    if (code === 'disk_full') {
      throw new AppError(code, {
        message: sentence`The temporary folder ${quotedUpTo(place, maxPathLength)} cannot be used. ${ownWords(message)}`,
      });
    }
    const reason = failure instanceof Error && 'code' in failure ? String(failure.code) : 'unknown';
    throw new AppError(code, {
      message: sentence`The temporary folder ${quotedUpTo(place, maxPathLength)} cannot be used (${ownWords(reason)}).`,
    });
  }
}

/** On Windows antivirus programs and the indexer keep a file open for a moment after it was closed. */
export const removal = { recursive: true, force: true, maxRetries: 5, retryDelay: 50 } as const;

/** Removes a temporary file or folder. Never fails: files that are still open are left to the system. */
export function removeTemporary(path: string, remove: typeof rmSync = rmSync): void {
  try {
    remove(path, removal);
  } catch {
    // The system removes the file later.
  }
}

const roomBytes = 16 * 1024 * 1024;

/** `disk_full`, or too many open files; null for other failures. The service of Demo itself only reports that it is not ready. */
export function whyNoRoom(folder: string): AppError | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < roomBytes ? new AppError('disk_full') : outOfFiles(folder, undefined);
  } catch {
    return null;
  }
}
