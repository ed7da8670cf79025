import { statSync } from 'node:fs';
import { fileSystemOf } from './network-place.ts';

/** System facts about a file; a test brings doubles. */
export interface IdentityParts {
  platform: NodeJS.Platform;
  /** Undefined where nothing has the name. */
  stat(file: string): { dev: bigint; ino: bigint } | undefined;
  /** Type of the file system that the file is on; null where it is not known. Asked on macOS alone. */
  fileSystem(file: string): string | null;
}

/** On macOS these number a file by the place of its content, so that an empty one gets another number as it grows. */
const numberedByContent: ReadonlySet<string> = new Set(['exfat', 'msdos']);

/**
 * Makes the function that tells the file under a name from another one that takes its place; it returns null where there is none.
 * Where the numbers of files are not theirs for good (Windows on FAT and exFAT, macOS on both, file systems that number nothing),
 * every file is the same one: there only its presence is told. Windows lets nobody move or delete a database that is open.
 */
export function watchIdentity(file: string, parts: IdentityParts = system): () => string | null {
  const { platform, stat, fileSystem } = parts;
  const isNumbered =
    platform !== 'win32' && !(platform === 'darwin' && numberedByContent.has(fileSystem(file) ?? ''));
  return () => {
    const found = stat(file);
    if (found === undefined) return null;
    return isNumbered && found.ino !== 0n ? `${found.dev} ${found.ino}` : 'present';
  };
}

const system: IdentityParts = {
  platform: process.platform,
  stat: (file) => statSync(file, { bigint: true, throwIfNoEntry: false }),
  fileSystem: (file) => fileSystemOf(file),
};
