import { removal } from '#core/platform/disk-places.ts';
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { diskFailure } from '#shared/errors/index.ts';
import { writeWholeFileSync } from '#system/replace-file.ts';

export function onDisk<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw diskFailure(cause, 'storage_failed');
  }
}

export interface RestorePlaces {
  root: string;
  upload: string;
  fresh: string;
  wanted: string;
  /** Exists from the moment at which the restore can no longer be undone, only completed. */
  swap: string;
}

export function restorePlaces(folder: string): RestorePlaces {
  const root = join(folder, 'restore');
  return {
    root,
    upload: join(root, 'upload'),
    fresh: join(root, 'fresh'),
    wanted: join(root, 'wanted.json'),
    swap: join(root, 'swap.json'),
  };
}

export const replacedPrefix = 'replaced-';

export function replacedFolders(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(replacedPrefix))
    .toSorted()
    .toReversed();
}

export function writeMark(file: string, content: unknown): void {
  onDisk(() => writeWholeFileSync(file, `${JSON.stringify(content)}\n`));
}

/** Returns undefined if the mark is missing or damaged. Only this program writes marks, so a damaged mark counts as missing. */
export function readMark(file: string): unknown {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch {
    return undefined;
  }
}

export const deletionMark = (folder: string): string => join(folder, 'delete.json');

/** A deletion keeps the lock, the data key of this run, open logs, and the files of `countersign serve`. */
const preserved = /^(lock\.(sqlite.*|json)|vault\.key|logs|serve|delete\.json)$/u;

/** Deletes the mark last, so that the next start completes a deletion that was killed. */
export function deleteContents(folder: string): void {
  onDisk(() => {
    for (const name of readdirSync(folder)) if (!preserved.test(name)) rmSync(join(folder, name), removal);
    const logs = join(folder, 'logs');
    if (existsSync(logs)) emptyLogs(logs);
    rmSync(deletionMark(folder), { force: true });
  });
}

/** Empties files instead of removing them: Windows cannot remove a log that another program has open. */
function emptyLogs(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) truncateSync(path);
    else rmSync(path, removal);
  }
}
