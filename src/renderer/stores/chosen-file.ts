import { AppError } from '#shared/errors/index.ts';
import { toBase64 } from './base64.ts';

/** Reads a file that a person chose, as base64, in parts of so many bytes. Fails with `file_unreadable`. */
export async function* partsOf(file: Blob, partBytes: number): AsyncGenerator<string> {
  for (let at = 0; at < file.size; at += partBytes)
    yield toBase64(new Uint8Array(await readable(file.slice(at, at + partBytes).arrayBuffer())));
}

/** Resolves with what was read of a chosen file. Fails with `file_unreadable` where it was moved, changed or locked since it was chosen. */
export async function readable<Content>(reading: Promise<Content>): Promise<Content> {
  try {
    return await reading;
  } catch (cause) {
    throw new AppError('file_unreadable', { cause });
  }
}
