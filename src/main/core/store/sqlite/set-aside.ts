import { existsSync, renameSync } from 'node:fs';
import { AppError } from '#shared/errors/index.ts';
import { companions, freeName, timeInName } from './file-names.ts';

/**
 * Moves a damaged database with its companions out of the way, under a name that still opens as one database. Nothing is
 * deleted. Returns the new path. Fails with `data_folder_unusable`.
 */
export function setAside(file: string, nowMs: number): string {
  const aside = freeName(`${file}.corrupt-${timeInName(nowMs)}`);
  try {
    renameSync(file, aside);
    for (const companion of companions) {
      if (existsSync(file + companion)) renameSync(file + companion, aside + companion);
    }
  } catch (failure) {
    throw new AppError('data_folder_unusable', { cause: failure });
  }
  return aside;
}
