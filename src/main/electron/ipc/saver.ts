import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { copyFile, type FileHandle, open, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError, diskFailure } from '#shared/errors/index.ts';
import type { BegunFile, FilePart } from '#shared/host-api/index.ts';
import { makeFolder, FileHeldError, replaceFile } from '#system/replace-file.ts';
import { sentence } from '#shared/lib/sentence.ts';

export interface FileSaver {
  begin(suggestedName: string): Promise<BegunFile | null>;
  /** Writes text as UTF-8. `add` and `end` fail with `storage_failed` if no unfinished file has this id. */
  add(id: string, part: FilePart): Promise<void>;
  end(id: string, keep: boolean): Promise<void>;
  /** Deletes unfinished files immediately, because their page or the program ends. A file whose dialog is still open is not created. */
  discard(): void;
}

export interface SaverOptions {
  choosePath(suggestedName: string): Promise<string | null>;
  /** Folder for unfinished files if the system allows writing to the chosen path only; null writes them next to their targets. */
  stagingFolder?: string | null;
  replace?(from: string, to: string): Promise<void>;
}

interface UnfinishedFile {
  path: string;
  partPath: string;
  handle: FileHandle;
}

export function createSaver({
  choosePath,
  stagingFolder = null,
  replace = replaceFile,
}: SaverOptions): FileSaver {
  const unfinished = new Map<string, UnfinishedFile>();
  /** Number of ended pages, needed because a person may answer the dialog of a page that has ended. */
  let endedPages = 0;
  /** The last copy to a target. Copies run one after the other, because two concurrent copies into one target would mix. */
  let copied: Promise<void> = Promise.resolve();
  if (stagingFolder !== null) removeNow(stagingFolder);

  async function start(path: string, id: string): Promise<UnfinishedFile> {
    if (stagingFolder !== null) makeFolder(stagingFolder, 0o700);
    const partPath = stagingFolder === null ? `${path}.${id}.part` : join(stagingFolder, `${id}.part`);
    return { path, partPath, handle: await open(partPath, 'wx', 0o600) };
  }

  function putInPlace(file: UnfinishedFile): Promise<void> {
    if (stagingFolder === null) return replace(file.partPath, file.path);
    const mine = copied.then(() => copyInPlace(file));
    copied = mine.catch(() => undefined);
    return mine;
  }

  function fileOf(id: string): UnfinishedFile {
    const file = unfinished.get(id);
    if (file === undefined) throw new AppError('storage_failed', { message: 'No such file was begun.' });
    return file;
  }

  return {
    async begin(suggestedName) {
      const page = endedPages;
      const path = await choosePath(plainName(suggestedName));
      if (path === null || page !== endedPages) return null;
      // Short, because file systems limit the length of a name.
      const id = randomBytes(4).toString('hex');
      const file = await withStorageErrors(() => start(path, id));
      if (page !== endedPages) {
        throwAway(file);
        return null;
      }
      unfinished.set(id, file);
      return { id, name: basename(path) };
    },
    async add(id, part) {
      const { handle } = fileOf(id);
      await withStorageErrors(() => handle.appendFile(part));
    },
    async end(id, keep) {
      const file = fileOf(id);
      unfinished.delete(id);
      await withStorageErrors(async () => {
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
    },
    discard() {
      endedPages += 1;
      unfinished.forEach(throwAway);
      unfinished.clear();
    },
  };
}

/** Deletes synchronously, because the program may end before an awaited deletion. */
function throwAway({ handle, partPath }: UnfinishedFile): void {
  removeNow(partPath);
  void handle.close().catch(() => undefined);
}

async function copyInPlace({ partPath, path }: UnfinishedFile): Promise<void> {
  const before = await contentMark(path);
  try {
    await copyFile(partPath, path);
  } catch (failure) {
    // A copy that never began has left the existing file unchanged, which must be kept. A partial copy is of no use.
    if ((await contentMark(path)) !== before) await removeQuietly(path);
    throw failure;
  }
  await removeQuietly(partPath);
}

async function contentMark(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found === null ? null : `${found.ino} ${found.size} ${found.mtimeNs}`;
}

async function removeQuietly(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined);
}

function removeNow(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The file is open in a different program.
  }
}

function plainName(text: string): string {
  return text.replace(/[^\w.-]+/g, '-').replace(/^\.+/, '');
}

async function withStorageErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof FileHeldError) throw new AppError('file_in_use', { cause });
    throw diskFailure(cause, 'storage_failed', sentence`The file cannot be written there.`);
  }
}
