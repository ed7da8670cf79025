import type { IncomingMessage, ServerResponse } from 'node:http';
import { browserPage, browserPageHeaders, createPageStyle, html } from '#core/platform/browser-page.ts';
import { AppError, type ErrorCode, storageCodes } from '#shared/errors/index.ts';
import type { InteractionStrategy } from '../authorization-server.ts';

/** Sends JSON; to HEAD only the headers. */
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

/** Sends the browser on with a GET (RFC 9700 §4.12: 303). */
export function sendRedirect(
  response: ServerResponse,
  { location, cookies = [] }: { location: string; cookies?: readonly string[] },
): void {
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  response.writeHead(303, { location, 'content-length': 0 });
  response.end();
}

/** Refuses a program. */
export function sendError(
  exchange: { request: IncomingMessage; response: ServerResponse },
  { status, error, error_description, retryAfterSeconds }: WireError,
): void {
  const { request, response } = exchange;
  if (retryAfterSeconds !== null) response.setHeader('retry-after', retryAfterSeconds);
  // A client that tried to authenticate with the header gets the scheme that failed (RFC 6749 §5.2).
  if (status === 401 && request.headers.authorization !== undefined) {
    response.setHeader('www-authenticate', 'Basic realm="countersign"');
  }
  sendJson(exchange, status, { error, error_description });
}

/** Refuses a person with a plain page, or a program that does not take pages with the same as JSON. */
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
    body: pageOf(wire),
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

function pageOf({ error, error_description: description }: WireError): string {
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
  /** Seconds, for 429. */
  retryAfterSeconds: number | null;
}

const prefix = 'oauth_';

/** Failures that have no word of their own in the standards. */
const otherWords = new Map<ErrorCode, readonly [status: number, error: string]>([
  ['quota_exceeded', [429, 'temporarily_unavailable']],
  ...storageCodes.map((code) => [code, [503, 'temporarily_unavailable']] as const),
]);

/** Puts any failure into the words of the standards; what is not expected says nothing of itself. */
export function wireErrorOf(failure: unknown): WireError {
  const error = failure instanceof AppError ? failure : new AppError('internal', { cause: failure });
  const [status, word] = otherWords.get(error.code) ?? [error.status, wordOf(error)];
  const seconds = error.data['retryAfterSeconds'];
  return {
    status,
    error: word,
    error_description: status >= 500 ? 'The service failed. Try again later.' : error.message,
    retryAfterSeconds: typeof seconds === 'number' ? seconds : null,
  };
}

function wordOf({ code, status }: AppError): string {
  if (code.startsWith(prefix)) return code.slice(prefix.length);
  return status >= 500 ? 'server_error' : 'invalid_request';
}
