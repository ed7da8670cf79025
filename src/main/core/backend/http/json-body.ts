import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { headerValues } from '#core/platform/loopback/index.ts';
import { AppError, parseStrictJson } from '#shared/errors/index.ts';
import { isJsonObject } from '#shared/lib/json/json-value.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

const jsonType = /^application\/json[ \t]*(;[ \t]*charset="?utf-8"?[ \t]*)?$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Hands JSON bodies to the routes as the bytes that came; every other type is refused. */
export function installJsonBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
}

/** One content type, JSON in UTF-8 (RFC 8259 §8.1), and not packed. Fails with `unsupported_media_type`. */
export function requireJsonType(request: IncomingMessage): void {
  const types = headerValues(request, 'content-type');
  const isJson = types.length === 1 && jsonType.test(types[0] ?? '');
  const isPlain = headerValues(request, 'content-encoding').every((coding) => /^identity$/i.test(coding));
  if (!isJson || !isPlain) throw new AppError('unsupported_media_type');
}

/** The body as one strict JSON object. Fails with a `json_…` code, or `bad_input` for any other JSON value. */
export function readJsonObject(body: unknown): JsonObject {
  if (!Buffer.isBuffer(body) || body.length === 0) throw new AppError('json_invalid');
  const value = parseStrictJson(decode(body));
  if (!isJsonObject(value)) throw new AppError('bad_input', { message: 'The body must be a JSON object.' });
  return value;
}

function decode(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch (cause) {
    throw new AppError('json_invalid', { cause });
  }
}
