import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '#shared/errors/index.ts';
import { diskFailureAt } from '#system/disk-failure.ts';
import { ownWords, quotedUpTo, sentence } from '#shared/lib/sentence.ts';

const longestPath = 300;

/** A folder for the moment, for this user alone. Fails as the disk does, naming the system's temporary folder. */
export function makeTemporary(prefix: string): string {
  const place = tmpdir();
  try {
    return mkdtempSync(join(place, prefix));
  } catch (failure) {
    const { code, message } = diskFailureAt(place, failure, 'storage_failed');
    if (code === 'disk_full') {
      throw new AppError(code, {
        message: sentence`The temporary folder ${quotedUpTo(place, longestPath)} cannot be used. ${ownWords(message)}`,
      });
    }
    const reason = failure instanceof Error && 'code' in failure ? String(failure.code) : 'unknown';
    throw new AppError(code, {
      message: sentence`The temporary folder ${quotedUpTo(place, longestPath)} cannot be used (${ownWords(reason)}).`,
    });
  }
}

/** On Windows antivirus and the indexer hold a file for a moment after it was closed. */
const removal = { recursive: true, force: true, maxRetries: 5, retryDelay: 50 } as const;

/** Removes what was for the moment. Never fails: what stays held is left to the system. */
export function removeTemporary(path: string, remove: typeof rmSync = rmSync): void {
  try {
    remove(path, removal);
  } catch {
    // Left to the system.
  }
}
