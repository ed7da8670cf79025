import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  existsSync,
  mkdirSync,
  statfsSync,
} from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError, diskFailure, type ErrorCode } from '#shared/errors/index.ts';

export interface ReplaceParts {
  platform: NodeJS.Platform;
  rename(from: string, to: string): void;
  isReplaceable(file: string): boolean;
  sleep(ms: number): void;
}

export interface ReplacePartsAsync {
  platform: NodeJS.Platform;
  rename(from: string, to: string): Promise<void>;
  isReplaceable(file: string): boolean;
  sleep(ms: number): Promise<void>;
}

/**
 * Error codes that pass, because Windows reports them while antivirus, the indexer or a spreadsheet has one of the files open.
 */
const heldCodes: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY']);

const pausesMs = [10, 20, 40, 80, 150, 300, 600, 800] as const;

export class FileHeldError extends Error {
  constructor(file: string, cause: unknown) {
    super(`${file} is held by another program`, { cause });
    this.name = 'FileHeldError';
  }
}

/** True if another program has the target open, on Windows for a moment only. Elsewhere these codes mean missing permissions. */
function isHeld(
  failure: unknown,
  to: string,
  { platform, isReplaceable }: Pick<ReplaceParts, 'platform' | 'isReplaceable'>,
): boolean {
  const code = failure instanceof Error && 'code' in failure ? String(failure.code) : '';
  return platform === 'win32' && heldCodes.has(code) && isReplaceable(to);
}

/** Replaces a file atomically and durably. Waits two seconds for a program that has it open, then fails with {@link FileHeldError}. */
export function replaceFileSync(from: string, to: string, parts: ReplaceParts = system): void {
  for (const pause of [...pausesMs, null]) {
    try {
      parts.rename(from, to);
      return syncFolder(dirname(to), parts.platform);
    } catch (failure) {
      if (!isHeld(failure, to, parts)) throw failure;
      if (pause === null) throw new FileHeldError(to, failure);
      parts.sleep(pause);
    }
  }
}

/** Writes a private file completely or not at all, using `<file>.new`. Fails as {@link replaceFileSync} does. */
export function writeWholeFileSync(file: string, text: string): void {
  const next = `${file}.new`;
  // A `.new` file of an interrupted write is never read. It is created again to get the right mode.
  rmSync(next, { force: true });
  writeFileSync(next, text, { flag: 'wx', mode: 0o600, flush: true });
  replaceFileSync(next, file);
}

/** Like {@link replaceFileSync}, but does not block the process. */
export async function replaceFile(
  from: string,
  to: string,
  parts: ReplacePartsAsync = systemAsync,
): Promise<void> {
  for (const pause of [...pausesMs, null]) {
    try {
      await parts.rename(from, to);
      return syncFolder(dirname(to), parts.platform);
    } catch (failure) {
      if (!isHeld(failure, to, parts)) throw failure;
      if (pause === null) throw new FileHeldError(to, failure);
      await parts.sleep(pause);
    }
  }
}

/** A missing name, or a name that cannot be examined, counts as replaceable: then the rename reports the actual problem. */
function isReplaceable(file: string): boolean {
  try {
    if (statSync(file).isDirectory()) return false;
  } catch {
    return true;
  }
  try {
    accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const system: ReplaceParts = {
  platform: process.platform,
  rename: renameSync,
  isReplaceable,
  sleep: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
};

const systemAsync: ReplacePartsAsync = {
  platform: process.platform,
  rename,
  isReplaceable,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** Makes the rename survive a power failure. Windows cannot open folders and does not need it. */
function syncFolder(folder: string, platform: NodeJS.Platform): void {
  if (platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

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

/** Like {@link diskFailure}, but also recognizes a disk without free inodes, which looks full. */
export function diskFailureAt(folder: string, cause: unknown, otherwise: ErrorCode): AppError {
  const failure = diskFailure(cause, otherwise);
  return (failure.code === 'disk_full' ? outOfFiles(folder, cause) : null) ?? failure;
}

/** Returns a failure if the disk has space but no free inodes; null for any other disk. The folder need not exist yet. */
export function outOfFiles(folder: string, cause: unknown): AppError | null {
  let place = folder;
  while (!existsSync(place) && place !== dirname(place)) place = dirname(place);
  try {
    const { files, ffree } = statfsSync(place);
    // Some file systems, such as btrfs, have no fixed number of inodes.
    if (files === 0 || ffree > 0) return null;
  } catch {
    return null;
  }
  const message =
    'The disk can hold no more files: its inodes are used up. Delete files there, however small.';
  return new AppError('disk_full', { message, cause });
}
