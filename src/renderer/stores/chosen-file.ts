import { AppError } from '#shared/errors/index.ts';

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

/** Bytes as base64, for a message. */
export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** The bytes of base64 that the core has made. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
