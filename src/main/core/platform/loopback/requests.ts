import type { IncomingMessage } from 'node:http';
import { AppError, parseStrictJson } from '#shared/errors/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import type { JsonSizeLimits } from '#shared/lib/json/strict-parse.ts';
import { headerValues } from './guards.ts';

const bearer = /^Bearer +([\w.~+/-]+=*)$/i;

/** Returns the token of the only Authorization header (RFC 6750 §2.1); null if the header is missing, repeated or malformed. */
export function bearerToken(request: IncomingMessage): string | null {
  const [header, ...more] = headerValues(request, 'authorization');
  return more.length === 0 ? (bearer.exec(header ?? '')?.[1] ?? null) : null;
}

export const defaultBodyBytes = 1024 * 1024;

/** Reads the complete body. Fails with `payload_too_large` as soon as it is too long, and with `bad_request` if the sender disconnects. */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number = defaultBodyBytes,
): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new AppError('payload_too_large');
  // A closed connection emits no further event.
  if (request.destroyed) throw new AppError('bad_request');
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const goneAway = () => reject(new AppError('bad_request'));
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else reject(new AppError('payload_too_large'));
    });
    request.once('end', () => {
      // Removes the listener, because every request ends with `close` and creating an error is slow.
      request.off('close', goneAway);
      resolve(Buffer.concat(chunks));
    });
    request.once('error', (cause) => reject(new AppError('bad_request', { cause })));
    request.once('close', goneAway);
  });
}

/** Maximum number of values in a body of any size. More values would block the event loop for seconds. */
export const bodyJsonLimits: JsonSizeLimits = { maxValues: 50_000, maxMembers: 5_000 };

const jsonType = /^application\/json[ \t]*(;[ \t]*charset="?utf-8"?[ \t]*)?$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Requires exactly one content type, JSON in UTF-8 (RFC 8259 §8.1), and no compression. Fails with `unsupported_media_type`. */
export function requireJsonType(request: IncomingMessage): void {
  const types = headerValues(request, 'content-type');
  const isJson = types.length === 1 && jsonType.test(types[0] ?? '');
  const isPlain = headerValues(request, 'content-encoding').every((coding) => /^identity$/i.test(coding));
  if (!isJson || !isPlain) throw new AppError('unsupported_media_type');
}

/** Parses strict JSON. Fails with a `json_…` code; `json_invalid` also for an empty body and for bytes that are not UTF-8. */
export function parseJsonBody(body: Buffer): JsonValue {
  if (body.length === 0) throw new AppError('json_invalid');
  return parseStrictJson(decode(body), bodyJsonLimits);
}

function decode(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch (cause) {
    throw new AppError('json_invalid', { cause });
  }
}
