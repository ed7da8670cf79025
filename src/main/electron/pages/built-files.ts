import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#shared/errors/index.ts';
import { entryPage } from '#shared/host-api/index.ts';

/**
 * Every file below the folder of built pages, by its path in an address. Fails with `pages_missing`. Walks by itself:
 * inside a package the folder is an archive, which Node's recursive listing does not enter.
 */
export function listBuiltFiles(folder: string): Map<string, string> {
  const files = new Map<string, string>();
  try {
    walk(folder, '/', files);
  } catch (cause) {
    throw new AppError('pages_missing', { cause });
  }
  for (const entry of Object.values(entryPage)) {
    if (!files.has(entry)) throw new AppError('pages_missing', { data: { page: entry } });
  }
  return files;
}

function walk(folder: string, path: string, files: Map<string, string>): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isFile()) files.set(path + entry.name, join(folder, entry.name));
    else if (entry.isDirectory()) walk(join(folder, entry.name), `${path}${entry.name}/`, files);
  }
}
