import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, diskFailure } from '#shared/errors/index.ts';

/**
 * Makes a folder for the moment, for this user alone. Fails with `disk_full`, `disk_read_only` or `storage_failed`, and names the system's
 * temporary folder: no file that the caller works on is meant.
 */
export function makeTemporary(prefix: string): string {
  const place = tmpdir();
  try {
    return mkdtempSync(join(place, prefix));
  } catch (failure) {
    const { code } = diskFailure(failure, 'storage_failed');
    const reason = failure instanceof Error && 'code' in failure ? String(failure.code) : 'unknown';
    throw new AppError(code, { message: `The temporary folder ${place} cannot be used (${reason}).` });
  }
}
