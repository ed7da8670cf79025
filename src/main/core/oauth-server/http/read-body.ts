import type { IncomingMessage } from 'node:http';
import { bodyJsonLimits, headerValues, readBody } from '#core/platform/loopback/index.ts';
import { AppError, parseStrictJson } from '#shared/errors/index.ts';
import { isJsonObject } from '#shared/lib/json/json-value.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { parseParameters } from './parameters.ts';
import type { Parameters } from './parameters.ts';

/** What a body may weigh: forms hold a few short values, a registration a few addresses. */
const mostBytes = 32 * 1024;

const formType = /^application\/x-www-form-urlencoded[ \t]*(;[ \t]*charset="?utf-8"?[ \t]*)?$/i;
const jsonType = /^application\/json[ \t]*(;[ \t]*charset="?utf-8"?[ \t]*)?$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The body as a form (RFC 6749 §3.2). Fails with `oauth_invalid_request` or `payload_too_large`. */
export async function readForm(request: IncomingMessage): Promise<Parameters> {
  requireType(request, formType, 'application/x-www-form-urlencoded');
  return parseParameters(await readText(request));
}

/** The body as one strict JSON object (RFC 7591 §3.1). Fails with `oauth_invalid_client_metadata` besides. */
export async function readJson(request: IncomingMessage): Promise<JsonObject> {
  requireType(request, jsonType, 'application/json');
  const text = await readText(request);
  try {
    const value = parseStrictJson(text, bodyJsonLimits);
    if (isJsonObject(value)) return value;
  } catch (cause) {
    throw new AppError('oauth_invalid_client_metadata', { message: 'The body is not valid JSON.', cause });
  }
  throw new AppError('oauth_invalid_client_metadata', { message: 'The body must be a JSON object.' });
}

function requireType(request: IncomingMessage, type: RegExp, name: string): void {
  const [given, ...more] = headerValues(request, 'content-type');
  const isPlain = headerValues(request, 'content-encoding').every((coding) => /^identity$/i.test(coding));
  if (given !== undefined && more.length === 0 && type.test(given) && isPlain) return;
  throw new AppError('oauth_invalid_request', { message: `Send the body as ${name}.` });
}

async function readText(request: IncomingMessage): Promise<string> {
  const body = await readBody(request, mostBytes);
  try {
    return utf8.decode(body);
  } catch (cause) {
    throw new AppError('oauth_invalid_request', { message: 'The body is not UTF-8.', cause });
  }
}
