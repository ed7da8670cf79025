import type { IncomingMessage } from 'node:http';
import { AppError, parseStrictJson } from '#shared/errors/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import type { JsonSizeLimits } from '#shared/lib/json/strict-parse.ts';
import { headerValues } from './guards.ts';

/** What a body may hold, whatever it weighs: more keeps the event loop, and with it everybody else, waiting for seconds. */
export const bodyJsonLimits: JsonSizeLimits = { maxValues: 50_000, maxMembers: 5_000 };

const jsonType = /^application\/json[ \t]*(;[ \t]*charset="?utf-8"?[ \t]*)?$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** One content type, JSON in UTF-8 (RFC 8259 §8.1), and not packed. Fails with `unsupported_media_type`. */
export function requireJsonType(request: IncomingMessage): void {
  const types = headerValues(request, 'content-type');
  const isJson = types.length === 1 && jsonType.test(types[0] ?? '');
  const isPlain = headerValues(request, 'content-encoding').every((coding) => /^identity$/i.test(coding));
  if (!isJson || !isPlain) throw new AppError('unsupported_media_type');
}

/** The body as strict JSON. Fails with a `json_…` code; `json_invalid` for no bytes at all, and for other bytes than UTF-8. */
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
