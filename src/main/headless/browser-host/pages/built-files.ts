import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { AppError } from '#shared/errors/index.ts';

/** Every file below a folder by its path in an address, for example `/assets/x.js`. Fails with `pages_missing`. */
export function listFiles(folder: string): Map<string, string> {
  let entries;
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch (cause) {
    throw new AppError('pages_missing', { cause });
  }
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [`/${relative(folder, file).split(sep).join('/')}`, file]));
}
