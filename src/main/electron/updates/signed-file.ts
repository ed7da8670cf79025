import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  rmSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { AppError } from '#shared/errors/index.ts';
import { replaceFileSync } from '#system/replace-file.ts';
import type { FeedFile } from './signed-feed.ts';

const chunkBytes = 4 * 1024 * 1024;

/** Reads a download through one handle. Fails with `update_file_wrong` unless it is this user's file with the signed length and hash. */
export function readSignedFile(path: string, file: FeedFile, take: (part: Buffer) => void = () => {}): void {
  const handle = openOrWrong(path);
  try {
    if (!isOwn(fstatSync(handle))) throw new AppError('update_file_wrong');
    const hash = createHash('sha512');
    const buffer = Buffer.alloc(chunkBytes);
    let size = 0;
    for (;;) {
      const length = readSync(handle, buffer, 0, chunkBytes, null);
      size += length;
      if (length === 0 || size > file.bytes) break;
      const part = buffer.subarray(0, length);
      hash.update(part);
      take(part);
    }
    if (size !== file.bytes || hash.digest('base64') !== file.sha512) throw new AppError('update_file_wrong');
  } finally {
    closeSync(handle);
  }
}

function openOrWrong(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (cause) {
    throw new AppError('update_file_wrong', { cause });
  }
}

/** On Windows modes say nothing: there the folder is closed to others at the start of the app. */
function isOwn(stats: Stats): boolean {
  if (!stats.isFile()) return false;
  return process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o022) === 0);
}

/** Writes the verified bytes next to the running AppImage and renames them over it. A failure leaves the old one untouched. */
export function replaceAppImage(from: string, file: FeedFile, target: string): void {
  const next = `${target}.update`;
  rmSync(next, { force: true });
  try {
    const handle = openSync(next, 'wx', 0o755);
    try {
      readSignedFile(from, file, (part) => writeWhole(handle, part));
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    replaceFileSync(next, target);
  } catch (failure) {
    rmSync(next, { force: true });
    throw failure;
  }
}

function writeWhole(handle: number, part: Buffer): void {
  for (let at = 0; at < part.length;) at += writeSync(handle, part, at);
}
