import { removal } from '#core/platform/disk-places.ts';
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { diskFailure } from '#shared/errors/index.ts';
import { writeWholeFileSync } from '#system/replace-file.ts';

/** Runs work on files. Fails as the disk does. */
export function onDisk<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw diskFailure(cause, 'storage_failed');
  }
}

export interface RestorePlaces {
  root: string;
  /** The backup as it was handed over. */
  upload: string;
  /** The checked files that shall take the place of the present ones. */
  fresh: string;
  /** There once a person has pressed Restore: the next start goes on. */
  wanted: string;
  /** There from the moment at which the restore can only be completed. */
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

/** Folders with what restores replaced, newest first. */
export function replacedFolders(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(replacedPrefix))
    .toSorted()
    .toReversed();
}

/** Writes a mark completely or not at all, and on disk. Fails as the disk does. */
export function writeMark(file: string, content: unknown): void {
  onDisk(() => writeWholeFileSync(file, `${JSON.stringify(content)}\n`));
}

/** The content of a mark; undefined where there is none. Nothing else writes it, so that a damaged one counts as none. */
export function readMark(file: string): unknown {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch {
    return undefined;
  }
}

export const deletionMark = (folder: string): string => join(folder, 'delete.json');

/** Left by a deletion: the lock that is held, the key of this run, the open logs, and what belongs to `countersign serve`. */
const preserved = /^(lock\.(sqlite.*|json)|vault\.key|logs|serve|delete\.json)$/u;

/** Deletes what a data folder contains, the mark last, so that one that was killed is completed by the next start. Fails as the disk does. */
export function deleteContents(folder: string): void {
  onDisk(() => {
    for (const name of readdirSync(folder)) if (!preserved.test(name)) rmSync(join(folder, name), removal);
    const logs = join(folder, 'logs');
    if (existsSync(logs)) emptyLogs(logs);
    rmSync(deletionMark(folder), { force: true });
  });
}

/** Emptied in their places: a log that another program shows cannot be removed on Windows. What is no log of ours goes. */
function emptyLogs(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) truncateSync(path);
    else rmSync(path, removal);
  }
}
