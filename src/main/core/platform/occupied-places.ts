import { type Stats, statSync } from 'node:fs';
import { basename } from 'node:path';
import { AppError } from '#shared/errors/index.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

/** Refuses, with `path_occupied`, if a folder stands where one of these files is or would be made. */
export function refuseFolders(files: readonly string[]): void {
  refuse(files, (stats) => stats.isDirectory());
}

/** The same for everything but a file: a pipe holds its reader, and every start, for good. */
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
