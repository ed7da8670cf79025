import { rmSync } from 'node:fs';
import { copyFile, type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError, diskFailure } from '#shared/errors/index.ts';
import type { FilePart } from '#shared/host-api/index.ts';
import { FileHeldError, replaceFile } from '#system/replace-file.ts';

/** Writes one file at a time for the page, where a person wants it. Everything fails as the disk does. */
export interface Saver {
  /** Asks where; gives the name that the person chose, or null when none is wanted. An unfinished file is thrown away. */
  begin(suggestedName: string): Promise<string | null>;
  /** Text is written as UTF-8. */
  add(part: FilePart): Promise<void>;
  /** Puts the file in its place, or leaves nothing of it. */
  end(keep: boolean): Promise<void>;
  /** Throws an unfinished file away at once, because its page or the program ends; one that is asked for is not begun. */
  discard(): void;
}

export interface SaverOptions {
  /** The path that the person chose, or null. */
  askWhere(suggestedName: string): Promise<string | null>;
  /**
   * Folder for unfinished files where the system lets the app write the chosen path and nothing beside it; null for beside
   * their targets.
   */
  stagingFolder?: string | null;
  /** Renames a finished file to its target. */
  replace?(from: string, to: string): Promise<void>;
}

interface UnfinishedFile {
  path: string;
  partPath: string;
  handle: FileHandle;
}

/** Writes the file beside its target, or in a folder of its own, and puts it there when it is whole. */
export function createSaver({ askWhere, stagingFolder = null, replace = replaceFile }: SaverOptions): Saver {
  let unfinished: UnfinishedFile | null = null;
  /** Pages that have ended. A person may answer the dialog of one that is gone. */
  let endedPages = 0;

  /** Each start throws away what an earlier one left. */
  async function newPartPath(path: string): Promise<string> {
    if (stagingFolder === null) return `${path}.part`;
    await rm(stagingFolder, { recursive: true, force: true });
    await mkdir(stagingFolder, { recursive: true, mode: 0o700 });
    return join(stagingFolder, 'part');
  }

  async function putInPlace({ partPath, path }: UnfinishedFile): Promise<void> {
    if (stagingFolder === null) return replace(partPath, path);
    const before = await contentMark(path);
    try {
      await copyFile(partPath, path);
    } catch (failure) {
      // A copy that never began has left the file that was there; half a one is no file of the person's any more.
      if ((await contentMark(path)) !== before) await removeQuietly(path);
      throw failure;
    }
    await removeQuietly(partPath);
  }

  async function finish(keep: boolean): Promise<void> {
    if (unfinished === null) return;
    const file = unfinished;
    unfinished = null;
    await asStorage(async () => {
      try {
        try {
          if (keep) await file.handle.sync();
        } finally {
          await file.handle.close();
        }
        if (keep) return await putInPlace(file);
      } catch (failure) {
        await removeQuietly(file.partPath);
        throw failure;
      }
      await rm(file.partPath, { force: true });
    });
  }

  function throwAway(): void {
    if (unfinished === null) return;
    const { handle, partPath } = unfinished;
    unfinished = null;
    // The program may end before anything that is waited for.
    removeNow(partPath);
    void handle.close().catch(() => undefined);
  }

  return {
    async begin(suggestedName) {
      await finish(false);
      const page = endedPages;
      const path = await askWhere(plainName(suggestedName));
      if (path === null || page !== endedPages) return null;
      unfinished = await asStorage(async () => {
        const partPath = await newPartPath(path);
        return { path, partPath, handle: await open(partPath, 'w', 0o600) };
      });
      if (page !== endedPages) throwAway();
      return unfinished === null ? null : basename(path);
    },
    async add(part) {
      if (unfinished === null) throw new AppError('storage_failed', { message: 'No file was begun.' });
      const { handle } = unfinished;
      await asStorage(() => handle.appendFile(part));
    },
    end: finish,
    discard() {
      endedPages += 1;
      throwAway();
    },
  };
}

/** Tells the content under a name from another one that is written there; null where there is none. */
async function contentMark(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found === null ? null : `${found.ino} ${found.size} ${found.mtimeNs}`;
}

/** Leaves what another program holds: the cause of the failure before matters more. */
async function removeQuietly(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined);
}

/** The same without waiting. */
function removeNow(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Another program holds it.
  }
}

/** Reduces the page's suggestion to a file name, never a path. */
function plainName(text: string): string {
  return text.replace(/[^\w.-]+/g, '-').replace(/^\.+/, '');
}

async function asStorage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof FileHeldError) throw new AppError('file_in_use', { cause });
    throw diskFailure(cause, 'storage_failed', 'The file cannot be written there.');
  }
}
