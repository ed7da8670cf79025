import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { AppError } from '#shared/errors/index.ts';

/** Refuses, with `path_occupied`, if a folder stands where one of these files is or would be made. */
export function refuseFolders(files: readonly string[]): void {
  const occupied = files.find((file) => statSync(file, { throwIfNoEntry: false })?.isDirectory() === true);
  if (occupied === undefined) return;
  const message = `There is a folder in the place of a file of Countersign: ${basename(occupied)}.`;
  throw new AppError('path_occupied', { message, data: { path: occupied } });
}
