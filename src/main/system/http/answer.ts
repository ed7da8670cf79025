import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** Headers of an answer, by names in any case. Not `Headers`: the first of those loads the whole of `fetch`, which nothing else needs at a start. */
export interface AnswerHeaders extends Iterable<[name: string, value: string]> {
  /** The values of a repeated header are joined by commas; null if it is absent. */
  get(name: string): string | null;
  has(name: string): boolean;
}

export interface HttpAnswer {
  status: number;
  headers: AnswerHeaders;
  /** To be read once; fails with `RequestFailure`. Leaving the loop lets the rest go. */
  body: AsyncIterable<Uint8Array>;
  cancel(): void;
  conceal(text: string): string;
}

export const maxAnswerBytes = 32 * 1024 * 1024;

/** The whole text; empty for an answer that is too large or not UTF-8, the rest of which is not waited for. */
export async function readText(
  { body }: { body: AsyncIterable<Uint8Array> | null },
  maxBytes = maxAnswerBytes,
): Promise<string> {
  const bytes = await readBytes({ body }, maxBytes);
  return bytes === null ? '' : textOf(bytes);
}

/** Every byte of an answer; null for one that is larger than so many bytes, the rest of which is not waited for. */
export async function readBytes(
  { body }: { body: AsyncIterable<Uint8Array> | null },
  maxBytes: number,
): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return '';
  }
}

interface AnswerOptions {
  conceal(text: string): string;
  failureOf(cause: unknown): Error;
  compressed: boolean;
}

export function answerOf(
  message: IncomingMessage,
  { conceal, failureOf, compressed }: AnswerOptions,
): HttpAnswer {
  return {
    status: message.statusCode ?? 0,
    headers: headersOf(message),
    body: bodyOf(compressed ? unpacked(message) : packed(message), message, failureOf),
    cancel: () => discard(message),
    conceal,
  };
}

/** Lets go of what is not read: an answer that is complete leaves its connection to the next request. */
export function discard(message: IncomingMessage, reason?: Error): void {
  if (message.complete) message.resume();
  else message.destroy(reason);
}

async function* bodyOf(
  bytes: AsyncIterable<Uint8Array>,
  message: IncomingMessage,
  failureOf: (cause: unknown) => Error,
): AsyncGenerator<Uint8Array, void> {
  const chunks = bytes[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await chunks.next().catch((cause: unknown) => {
        throw failureOf(cause);
      });
      if (done === true) return;
      yield value;
    }
  } finally {
    await chunks.return?.();
    discard(message);
  }
}

const unpackers = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The bytes without their compression (RFC 9110 §8.4.1); an unknown or repeated one stays as it is. */
function unpacked(message: IncomingMessage): AsyncIterable<Uint8Array> {
  const coding = message.headers['content-encoding']?.toLowerCase() ?? '';
  if (!Object.hasOwn(unpackers, coding)) return packed(message);
  return unpackedBy(unpackers[coding as keyof typeof unpackers], message);
}

/** An answer that ends without a body may name a coding all the same, and has nothing to unpack. */
async function* unpackedBy(
  createUnpacker: (typeof unpackers)[keyof typeof unpackers],
  message: IncomingMessage,
): AsyncGenerator<Uint8Array> {
  let isEmpty = true;
  message.once('data', () => {
    isEmpty = false;
  });
  try {
    // A broken connection shows in the unpacked stream.
    yield* pipeline(message, createUnpacker(), () => {}) as AsyncIterable<Uint8Array>;
  } catch (failure) {
    if (!isEmpty || !message.complete) throw failure;
  }
}

const packed = (message: IncomingMessage): AsyncIterable<Uint8Array> =>
  message.iterator({ destroyOnReturn: false });

function headersOf({ rawHeaders }: IncomingMessage): AnswerHeaders {
  const found = new Map<string, string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const before = found.get(name);
    const value = rawHeaders[at + 1] ?? '';
    found.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return {
    get: (name) => found.get(name.toLowerCase()) ?? null,
    has: (name) => found.has(name.toLowerCase()),
    [Symbol.iterator]: () => found.entries(),
  };
}
