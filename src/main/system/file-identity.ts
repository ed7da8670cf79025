import { statSync } from 'node:fs';

/** System facts about a file; a test brings doubles. */
export interface IdentityParts {
  platform: NodeJS.Platform;
  /** Undefined where nothing has the name. */
  stat(file: string): { dev: bigint; ino: bigint } | undefined;
}

/**
 * Tells the file under a name from another one that takes its place; null where there is none. Where the numbers of files are
 * not theirs for good (Windows on FAT and exFAT, file systems that number nothing), every file is the same one: there only its
 * presence is told. Windows lets nobody move or delete a database that is open.
 */
export function fileIdentity(file: string, { platform, stat }: IdentityParts = system): string | null {
  const found = stat(file);
  if (found === undefined) return null;
  return platform === 'win32' || found.ino === 0n ? 'present' : `${found.dev} ${found.ino}`;
}

const system: IdentityParts = {
  platform: process.platform,
  stat: (file) => statSync(file, { bigint: true, throwIfNoEntry: false }),
};
