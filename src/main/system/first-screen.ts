import { closeSync, constants, fstatSync, openSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type FirstScreen, firstScreenSchema } from '#shared/host-api/index.ts';
import { writeWholeFileSync } from './replace-file.ts';

export const firstScreenName = 'first-screen.json';

const maxBytes = 256 * 1024;

/**
 * Reads the rows and counts that the last run saved for the first frame. Returns null for a file that is missing, damaged, too
 * large, a link, of another version, or accessible to other users. Never fails.
 */
export function readFirstScreen(folder: string, version: string): FirstScreen | null {
  try {
    const text = readOwn(join(folder, firstScreenName));
    const found = text === null ? null : firstScreenSchema.safeParse(JSON.parse(text)).data;
    return found?.version === version ? found : null;
  } catch {
    return null;
  }
}

function readOwn(file: string): string | null {
  // On Windows these flags do not exist.
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;
  const descriptor = openSync(file, (O_RDONLY ?? 0) | O_NOFOLLOW | O_NONBLOCK);
  try {
    const found = fstatSync(descriptor);
    const isOwn =
      process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o077) === 0);
    if (!found.isFile() || !isOwn) return null;
    const bytes = Buffer.alloc(maxBytes + 1);
    const size = readSync(descriptor, bytes, 0, bytes.length, 0);
    return size > maxBytes ? null : new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, size));
  } finally {
    closeSync(descriptor);
  }
}

/** Replaces the file. A screen that is too large is not saved, and the earlier file is removed. Fails as the file system does. */
export function writeFirstScreen(folder: string, screen: FirstScreen): void {
  const text = `${JSON.stringify(screen)}\n`;
  if (Buffer.byteLength(text) > maxBytes) removeFirstScreen(folder);
  else writeWholeFileSync(join(folder, firstScreenName), text);
}

/** Fails as the file system does. */
export function removeFirstScreen(folder: string): void {
  for (const name of [firstScreenName, `${firstScreenName}.new`]) rmSync(join(folder, name), { force: true });
}
