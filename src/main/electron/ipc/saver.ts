import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { AppError, diskFailure } from '#shared/errors/index.ts';
import type { FilePart } from '#shared/host-api/index.ts';

/** Writes one file at a time for the page, where a person wants it. Everything fails as the disk does. */
export interface Saver {
  /** Asks where; gives the name that the person chose, or null when none is wanted. An unfinished file is thrown away. */
  begin(suggestedName: string): Promise<string | null>;
  /** Text is written as UTF-8. */
  add(part: FilePart): Promise<void>;
  /** Puts the file in its place, or leaves nothing of it. */
  end(keep: boolean): Promise<void>;
}

export interface SaverOptions {
  /** The path that the person chose, or null. */
  askWhere(suggestedName: string): Promise<string | null>;
}

interface UnfinishedFile {
  path: string;
  partPath: string;
  handle: FileHandle;
}

/** Writes the file beside its target and then renames it, so that the target is never half-written. */
export function createSaver({ askWhere }: SaverOptions): Saver {
  let unfinished: UnfinishedFile | null = null;

  async function finish(keep: boolean): Promise<void> {
    if (unfinished === null) return;
    const { path, partPath, handle } = unfinished;
    unfinished = null;
    await asStorage(async () => {
      try {
        if (keep) await handle.sync();
      } finally {
        await handle.close();
      }
      await (keep ? rename(partPath, path) : rm(partPath, { force: true }));
    });
  }

  return {
    async begin(suggestedName) {
      await finish(false);
      const path = await askWhere(plainName(suggestedName));
      if (path === null) return null;
      const partPath = `${path}.part`;
      const handle = await asStorage(() => open(partPath, 'w', 0o600));
      unfinished = { path, partPath, handle };
      return basename(path);
    },
    async add(part) {
      if (unfinished === null) throw new AppError('storage_failed', { message: 'No file was begun.' });
      const { handle } = unfinished;
      await asStorage(() => handle.appendFile(part));
    },
    end: finish,
  };
}

/** Reduces the page's suggestion to a file name, never a path. */
function plainName(text: string): string {
  return text.replace(/[^\w.-]+/g, '-').replace(/^\.+/, '');
}

async function asStorage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw diskFailure(cause, 'storage_failed', 'The file cannot be written there.');
  }
}
