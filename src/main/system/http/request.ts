import {
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { answerOf, discard, readText, type HttpAnswer } from './answer.ts';
import { attempts, coded, connectMs, failureCodes, concealing, outlineOf } from './failure-codes.ts';
import { untilAborted } from './public-address.ts';
import { isDirect, type Route, routesTo, trustSystem, tunnelAgent } from './system-network.ts';

export interface HttpRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: string | undefined;
  /** The credential in the request, in any part. It is concealed in failures and quoted text. Null if there is none. */
  credential: string | null;
  /** The caller's cancellation with its deadline (see {@link withDeadline}). Also ends the request while its answer is read. */
  signal: AbortSignal;
  /** Numeric addresses to connect to; null lets the system resolve the name. Empty if only a proxy can resolve it. */
  addresses?: readonly string[] | null;
  /** Uses a new connection, which ends with the answer, instead of a connection that may have served earlier requests. */
  ownConnection?: boolean;
  compressed?: boolean;
  /** `answer` returns a redirect like any other status; otherwise a redirect fails. Redirects are never followed. */
  redirects?: 'fail' | 'answer';
}

/** The request has no answer, or its answer was interrupted. `cause` contains only names, codes and concealed messages. */
export class RequestFailure extends Error {
  /** False only if certainly no byte of the request was written. */
  readonly sent: boolean;
  override readonly cause: Error;

  constructor(sent: boolean, cause: Error) {
    super('The request has no answer', { cause });
    this.name = 'RequestFailure';
    this.sent = sent;
    this.cause = cause;
  }

  get isLate(): boolean {
    return this.cause.name === 'TimeoutError';
  }

  get isRedirect(): boolean {
    return 'code' in this.cause && this.cause.code === failureCodes.redirect;
  }
}

const silenceMs = 300_000;

const redirects = new Set([301, 302, 303, 307, 308]);

export function isRedirect({ status }: { status: number }): boolean {
  return redirects.has(status);
}

/** A 407 comes from a proxy, never from the service, so the request counts as failed. */
const proxyAuthentication = 407;

/** Ports of other protocols, to which no request is sent (Fetch, port blocking). */
const refusedPorts = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/**
 * Sends one request once and resolves with the head of its answer. Writes nothing before the certificate is verified, so `sent`
 * is certain. Fails with `RequestFailure` (docs/decisions/0014, 0017).
 */
export async function sendRequest(asked: HttpRequest): Promise<HttpAnswer> {
  const { url, body, signal } = asked;
  const conceal = concealing(asked.credential ?? '');
  const progress = { sent: false };
  const failureOf = (cause: unknown): RequestFailure =>
    new RequestFailure(progress.sent, outlineOf(signal.aborted ? signal.reason : cause, conceal));
  if (signal.aborted) throw failureOf(signal.reason);
  if (refusedPorts.has(Number(url.port))) {
    throw failureOf(coded('The port belongs to another protocol', failureCodes.port));
  }
  try {
    const routes = isDirect(url) ? direct : await untilAborted(routesTo(url), signal);
    // The signal may have aborted while the routes were looked up; its listener is added only after the request exists.
    signal.throwIfAborted();
    const request = createRequest(asked, knownRoutes(routes, asked));
    const answered = responseTo(request, signal);
    whenConnected(request, () => {
      progress.sent = true;
      request.end(body);
    });
    const message = await answered;
    const refusal = refusalOf(message.statusCode ?? 0, asked.redirects ?? 'fail');
    if (refusal === null) {
      return answerOf(message, { conceal, failureOf, compressed: asked.compressed === true });
    }
    discard(message);
    throw refusal;
  } catch (cause) {
    throw failureOf(cause);
  }
}

function responseTo(request: ClientRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  let message: IncomingMessage | null = null;
  const abort = (): void => {
    if (message === null) {
      request.destroy(errorOf(signal.reason));
      // A request that still waits for its tunnel emits no event when it is destroyed.
      reject(errorOf(signal.reason));
    } else discard(message, errorOf(signal.reason));
  };
  signal.addEventListener('abort', abort, { once: true });
  request.once('timeout', () => request.destroy(new Error('Nothing was heard any more')));
  request.on('error', reject);
  request.once('close', () => {
    signal.removeEventListener('abort', abort);
    if (message === null) reject(new Error('The connection was closed without an answer'));
  });
  request.once('response', (answer) => {
    message = answer;
    // An error of the answer is reported when its body is read.
    answer.on('error', () => {});
    resolve(answer);
  });
  return promise;
}

/** Sends a request and returns its complete answer as text (see {@link readText} for the limits). Fails as {@link sendRequest} does. */
export async function requestText(
  request: HttpRequest,
  maxBytes?: number,
): Promise<Pick<HttpAnswer, 'status' | 'headers' | 'conceal'> & { text: string }> {
  const answer = await sendRequest(request);
  const { status, headers, conceal } = answer;
  return { status, headers, conceal, text: await readText(answer, maxBytes) };
}

/** Runs `work` with a signal that aborts at the deadline or with one of `cancels`. */
export async function withDeadline<T>(
  timeoutMs: number,
  cancels: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  for (const cancel of cancels) {
    if (cancel?.aborted === true) controller.abort(cancel.reason);
    cancel?.addEventListener('abort', cancelled, { once: true });
  }
  const timer = setTimeout(
    () => controller.abort(new DOMException('No answer came in time', 'TimeoutError')),
    timeoutMs,
  );
  try {
    return await work(signal);
  } finally {
    clearTimeout(timer);
    for (const cancel of cancels) cancel?.removeEventListener('abort', cancelled);
  }

  function cancelled(this: AbortSignal): void {
    controller.abort(this.reason);
  }
}

const direct: readonly Route[] = ['direct'];

function knownRoutes(routes: readonly Route[], { url, addresses }: HttpRequest): readonly Route[] {
  if (url.protocol === 'https:') trustSystem();
  const known = addresses?.length === 0 ? routes.filter((route) => route !== 'direct') : routes;
  if (known.length > 0) return known;
  throw coded('The name is not known here', 'ENOTFOUND');
}

function createRequest(
  { url, method, headers, body, addresses, ...asked }: HttpRequest,
  routes: readonly Route[],
): ClientRequest {
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return start(url, {
    method,
    headers: {
      ...headers,
      ...length,
      // Not `deflate`, because servers disagree about its format.
      'accept-encoding': asked.compressed === true ? 'gzip, br' : 'identity',
    },
    timeout: silenceMs,
    // By default Node lets an environment variable switch off verification.
    rejectUnauthorized: true,
    ...attempts,
    ...agentFor(routes, asked.ownConnection === true),
    ...(addresses == null ? {} : { lookup: lookupOf(addresses) }),
  });
}

function agentFor(routes: readonly Route[], ownConnection: boolean): Pick<RequestOptions, 'agent'> {
  if (routes[0] !== 'direct') return { agent: tunnelAgent(routes, ownConnection) };
  return ownConnection ? { agent: false } : {};
}

/** Calls `write` when the request may be written: the connection is established and its certificate is verified. */
function whenConnected(request: ClientRequest, write: () => void): void {
  request.once('socket', (socket) => {
    if (request.reusedSocket) return write();
    const timer = setTimeout(() => {
      request.destroy(coded('The connection was not made in time', failureCodes.connectTimeout));
    }, connectMs);
    socket.once('close', () => clearTimeout(timer));
    socket.once(request.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      if (!request.destroyed) write();
    });
  });
}

function lookupOf(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, options, call) => {
    if (options.all === true) return call(null, all);
    call(null, all[0]?.address ?? '', all[0]?.family);
  };
}

function refusalOf(status: number, onRedirect: 'fail' | 'answer'): Error | null {
  if (isRedirect({ status }) && onRedirect === 'fail') {
    return coded('The service redirects elsewhere', failureCodes.redirect);
  }
  if (status === proxyAuthentication) return new Error('A proxy asks for credentials');
  return status < 200 || status > 599 ? new Error('The status is none of HTTP') : null;
}

function errorOf(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
