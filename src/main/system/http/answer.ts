import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** Headers by case-insensitive name. Not `Headers`, whose first use loads all of `fetch`, which no start needs. */
export interface AnswerHeaders extends Iterable<[name: string, value: string]> {
  /** Joins the values of a repeated header with commas; null if the header is absent. */
  get(name: string): string | null;
  has(name: string): boolean;
}

export interface HttpAnswer {
  status: number;
  headers: AnswerHeaders;
  /** Can be read once. Fails with `RequestFailure`. Leaving the loop early discards the rest. */
  body: AsyncIterable<Uint8Array>;
  /** Reads the whole body as {@link readText} does, in less time. */
  text(): Promise<string>;
  cancel(): void;
  conceal(text: string): string;
}

export const maxAnswerBytes = 32 * 1024 * 1024;

/** Reads the complete text. Returns an empty text for an answer that is too large or not UTF-8, without waiting for its rest. */
export async function readText(
  { body }: { body: AsyncIterable<Uint8Array> | null },
  maxBytes = maxAnswerBytes,
): Promise<string> {
  const bytes = await readBytes({ body }, maxBytes);
  return bytes === null ? '' : textOf(bytes);
}

/** Reads all bytes. Returns null for an answer larger than `maxBytes`, without waiting for its rest. */
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
    get body() {
      return bodyOf(compressed ? unpacked(message) : packed(message), message, failureOf);
    },
    async text() {
      if (compressed) return readText(this);
      const bytes = await wholeBody(message).catch((cause: unknown) => {
        throw failureOf(cause);
      });
      return bytes === null ? '' : textOf(bytes);
    },
    cancel: () => discard(message),
    conceal,
  };
}

/** Reads without an iterator, because that takes several steps for each chunk. Null for a body that is too large. */
function wholeBody(message: IncomingMessage): Promise<Buffer | null> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | null>();
  const chunks: Buffer[] = [];
  let size = 0;
  const lose = (): void => reject(new Error('The connection was closed before the end of the answer'));
  // A message that has already been destroyed emits no further event.
  if (message.destroyed) lose();
  message.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= maxAnswerBytes) {
      chunks.push(chunk);
      return;
    }
    resolve(null);
    discard(message);
  });
  message.once('end', () => resolve(chunks.length === 1 ? (chunks[0] ?? null) : Buffer.concat(chunks)));
  message.once('error', reject);
  message.once('close', () => {
    if (!message.readableEnded) lose();
  });
  return promise;
}

/** Discards the unread rest. The connection of a complete answer can be used for another request. */
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

/** Decompresses the bytes (RFC 9110 §8.4.1). An unknown or repeated coding is not decoded. */
function unpacked(message: IncomingMessage): AsyncIterable<Uint8Array> {
  const coding = message.headers['content-encoding']?.toLowerCase() ?? '';
  if (!Object.hasOwn(unpackers, coding)) return packed(message);
  return unpackedBy(unpackers[coding as keyof typeof unpackers], message);
}

/** Decompresses nothing if there is no body, although such an answer may still name a coding. */
async function* unpackedBy(
  createUnpacker: (typeof unpackers)[keyof typeof unpackers],
  message: IncomingMessage,
): AsyncGenerator<Uint8Array> {
  let isEmpty = true;
  message.once('data', () => {
    isEmpty = false;
  });
  try {
    // A broken connection surfaces as an error of the decompressed stream.
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
