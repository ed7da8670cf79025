import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Creates a folder with its parents. Node's recursive `mkdir` never returns in `/proc` or below a deleted mount. */
export function makeFolder(folder: string, mode?: number): void {
  const missing: string[] = [];
  for (let path = folder; !existsSync(path) && path !== dirname(path); path = dirname(path))
    missing.push(path);
  // Fails with the system's own error.
  if (missing.length === 0 && !statSync(folder).isDirectory()) mkdirSync(folder);
  for (const path of missing.toReversed()) {
    try {
      mkdirSync(path, { mode });
    } catch (failure) {
      // A concurrent process created the folder in the meantime. A link without a target fails here.
      if (!isTaken(failure) || !statSync(path).isDirectory()) throw failure;
    }
  }
}

const isTaken = (failure: unknown): boolean => (failure as NodeJS.ErrnoException).code === 'EEXIST';
