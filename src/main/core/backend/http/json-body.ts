import type { FastifyInstance } from 'fastify';
import { parseJsonBody } from '#core/platform/loopback/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject } from '#shared/lib/json/json-value.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

/** Hands JSON bodies to the routes as the bytes that came; every other type is refused. */
export function installJsonBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
}

/** The body as one strict JSON object. Fails with a `json_…` code, or `bad_input` for any other JSON value. */
export function readJsonObject(body: unknown): JsonObject {
  if (!Buffer.isBuffer(body)) throw new AppError('json_invalid');
  const value = parseJsonBody(body);
  if (!isJsonObject(value)) throw new AppError('bad_input', { message: 'The body must be a JSON object.' });
  return value;
}
