import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyJsonLimits, readBody } from '#core/platform/loopback/requests.ts';
import { headerValues } from '#core/platform/loopback/guards.ts';
import { AppError, parseStrictJson, type ErrorCode, storageCodes } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';
import { browserPage, browserPageHeaders, createPageStyle, html } from '#core/platform/browser-page.ts';
import type { InteractionStrategy } from './authorization-server.ts';

export interface Parameters {
  /** The first value of each parameter, decoded. A parameter without a value counts as omitted (RFC 6749 §3.1). */
  values: ReadonlyMap<string, string>;
  repeated: ReadonlySet<string>;
}

const maxParameters = 64;

/** Parses `application/x-www-form-urlencoded` strictly. Fails with `oauth_invalid_request` if the text is not valid UTF-8. */
export function parseParameters(text: string): Parameters {
  const values = new Map<string, string>();
  const seen = new Set<string>();
  const repeated = new Set<string>();
  // Empty parts are no parameters: `a=b&&c=d&` has two (URL Standard, §5.1).
  const parts = text.split('&').filter((part) => part !== '');
  if (parts.length > maxParameters) refuse(sentence`There are too many parameters.`);
  for (const part of parts) {
    const end = part.indexOf('=');
    const name = decode(end < 0 ? part : part.slice(0, end));
    const value = end < 0 ? '' : decode(part.slice(end + 1));
    if (seen.has(name)) repeated.add(name);
    else if (value !== '') values.set(name, value);
    seen.add(name);
  }
  return { values, repeated };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw new AppError('oauth_invalid_request', { message: 'A parameter is not well-formed UTF-8.', cause });
  }
}

function refuse(message: Sentence): never {
  throw new AppError('oauth_invalid_request', { message });
}

const maxBodyBytes = 32 * 1024;

const formType = /^application\/x-www-form-urlencoded[ \t]*(;[ \t]*charset="?utf-8"?[ \t]*)?$/i;
const jsonType = /^application\/json[ \t]*(;[ \t]*charset="?utf-8"?[ \t]*)?$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The body as a form (RFC 6749 §3.2). Fails with `oauth_invalid_request` or `payload_too_large`. */
export async function readForm(request: IncomingMessage): Promise<Parameters> {
  requireType(request, formType, 'application/x-www-form-urlencoded');
  return parseParameters(await readText(request));
}

/** The body as one strict JSON object (RFC 7591 §3.1). Fails as `readForm` does, and with `oauth_invalid_client_metadata`. */
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
  throw new AppError('oauth_invalid_request', { message: sentence`Send the body as ${ownWords(name)}.` });
}

async function readText(request: IncomingMessage): Promise<string> {
  const body = await readBody(request, maxBodyBytes);
  try {
    return utf8.decode(body);
  } catch (cause) {
    throw new AppError('oauth_invalid_request', { message: 'The body is not UTF-8.', cause });
  }
}

/** Selects the library's cookies of one interaction, and drops those of a lasting browser session. */
export interface CookieFilter {
  incoming(request: IncomingMessage): string | undefined;
  outgoing(cookies: readonly string[]): string[];
  valueOf(request: IncomingMessage, name: string): string | null;
}

export function createCookieFilter(names: readonly string[]): CookieFilter {
  const isOurs = (cookie: string): boolean => {
    const name = cookieName(cookie);
    return names.some((ours) => name === ours || name === `${ours}.sig`);
  };
  const sent = (request: IncomingMessage) => (request.headers.cookie ?? '').split('; ').filter(isOurs);
  return {
    incoming(request) {
      const cookies = sent(request);
      return cookies.length === 0 ? undefined : cookies.join('; ');
    },
    outgoing: (cookies) => cookies.filter(isOurs),
    valueOf: (request, name) =>
      sent(request)
        .find((cookie) => cookieName(cookie) === name)
        ?.slice(name.length + 1) ?? null,
  };
}

function cookieName(cookie: string): string {
  return cookie.slice(0, Math.max(0, cookie.indexOf('=')));
}

export function sendJson(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  status: number,
  value: object,
): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Redirects the browser to a GET (RFC 9700 §4.12: status 303). */
export function sendRedirect(
  response: ServerResponse,
  { location, cookies = [] }: { location: string; cookies?: readonly string[] },
): void {
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  response.writeHead(303, { location, 'content-length': 0 });
  response.end();
}

export function sendError(
  exchange: { request: IncomingMessage; response: ServerResponse },
  { status, error, error_description, retryAfterSeconds }: WireError,
): void {
  const { request, response } = exchange;
  if (retryAfterSeconds !== null) response.setHeader('retry-after', retryAfterSeconds);
  // A client that tried to authenticate with a header gets the scheme that failed (RFC 6749 §5.2).
  if (status === 401 && request.headers.authorization !== undefined) {
    response.setHeader('www-authenticate', 'Basic realm="countersign"');
  }
  sendJson(exchange, status, { error, error_description });
}

/** Sends a refusal as a page, or as JSON to a program that does not accept HTML. */
export function sendErrorPage(
  exchange: { request: IncomingMessage; response: ServerResponse },
  wire: WireError,
  interaction: InteractionStrategy,
): void {
  const { request, response } = exchange;
  if (!(request.headers.accept ?? '').includes('text/html')) {
    sendError(exchange, wire);
    return;
  }
  const { error, error_description: description } = wire;
  const page = interaction.refusalPage?.({ error, description }) ?? {
    body: defaultRefusalPage(wire),
    headers: browserPageHeaders(style),
  };
  const body = Buffer.from(page.body);
  response.writeHead(wire.status, {
    ...page.headers,
    'content-type': 'text/html; charset=utf-8',
    'content-length': body.length,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

const style = createPageStyle('main { padding: 24px; display: grid; gap: 8px; } p { margin: 0; }');

function defaultRefusalPage({ error, error_description: description }: WireError): string {
  const title = 'Not connected';
  const card = html`<h1>${title}</h1>
    <p>${description}</p>
    <p>You can close this page and connect again from your program.</p>
    <p><small>${error}</small></p>`;
  return browserPage({ style, site: 'Countersign', title, card }).text;
}

/** A refusal in the form of the standards (RFC 6749 §5.2, RFC 7591 §3.2.2). */
interface WireError {
  status: number;
  error: string;
  error_description: string;
  retryAfterSeconds: number | null;
}

const oauthPrefix = 'oauth_';

const otherErrors = new Map<ErrorCode, readonly [status: number, error: string]>([
  ['quota_exceeded', [429, 'temporarily_unavailable']],
  ...storageCodes.map((code) => [code, [503, 'temporarily_unavailable']] as const),
]);

/** Converts any failure into a standard error. An unexpected failure reveals no details. */
export function toWireError(failure: unknown): WireError {
  const error = failure instanceof AppError ? failure : new AppError('internal', { cause: failure });
  const [status, word] = otherErrors.get(error.code) ?? [error.status, errorNameOf(error)];
  const seconds = error.data['retryAfterSeconds'];
  return {
    status,
    error: word,
    error_description: status >= 500 ? 'The service failed. Try again later.' : error.message,
    retryAfterSeconds: typeof seconds === 'number' ? seconds : null,
  };
}

function errorNameOf({ code, status }: AppError): string {
  if (code.startsWith(oauthPrefix)) return code.slice(oauthPrefix.length);
  return status >= 500 ? 'server_error' : 'invalid_request';
}
