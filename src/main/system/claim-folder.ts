import { chmodSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '#shared/errors/index.ts';
import { diskFailureAt } from './disk-failure.ts';
import { makeFolder } from './make-folder.ts';
import { networkPlaceOf, type NetworkPlaceParts } from './network-place.ts';
import { restrictFolder, type RestrictParts } from './restrict-folder.ts';
import { sentence } from '#shared/lib/sentence.ts';

/** System access for one folder; a test brings doubles. */
export interface ClaimParts {
  place?: NetworkPlaceParts;
  restrict?: RestrictParts;
}

/**
 * Makes a folder for data where needed, and keeps it to this person, before anything is written there. Fails with
 * `data_folder_remote` on a network, where nothing is made; with `data_folder_open` where others cannot be kept out; and as
 * {@link preparePrivateFolder}.
 */
export function claimFolder(folder: string, { place, restrict }: ClaimParts = {}): void {
  const remote = networkPlaceOf(folder, place);
  if (remote !== null) {
    throw new AppError('data_folder_remote', {
      message: sentence`The data folder is on a network (${remote}), where the data would not be safe. None of your data was stored there.`,
      data: { folder, place: remote },
    });
  }
  preparePrivateFolder(folder);
  try {
    restrictFolder(folder, restrict);
  } catch (cause) {
    throw new AppError('data_folder_open', { data: { folder }, cause });
  }
}

const sticky = 0o1000;

/**
 * Makes the folder if needed and restricts it to its owner (0700). Fails with `data_folder_unusable` if it cannot be
 * made or belongs to another user, and for folders that are shared by design, such as /tmp itself; with `disk_full` or
 * `disk_read_only` if the disk is.
 */
export function preparePrivateFolder(folder: string): void {
  try {
    makeFolder(folder, 0o700);
    const { mode, uid } = statSync(folder);
    // Root may write there, and its owner could go on reading and replacing what is stored.
    const me = process.getuid?.();
    if (me !== undefined && uid !== me) throw ofAnotherUser(folder, uid);
    if ((mode & sticky) !== 0) throw new Error('The folder is shared with other users.');
    if ((mode & 0o077) !== 0) chmodSync(folder, 0o700);
  } catch (failure) {
    if (failure instanceof AppError) throw failure;
    throw diskFailureAt(dirname(folder), failure, 'data_folder_unusable');
  }
}

function ofAnotherUser(folder: string, uid: number): AppError {
  return new AppError('data_folder_unusable', {
    message: sentence`The data folder belongs to another user (number ${uid}), who could read and replace what is stored there. Nothing was changed.`,
    data: { folder, uid },
  });
}
