import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

export interface SentRequest {
  method: 'POST' | 'GET' | 'DELETE';
  headers: Record<string, string>;
  /** The exact text to send. */
  body?: string;
  signal: AbortSignal;
}

/** An answer whose head is here; its body comes while it is read. */
export interface ServiceAnswer {
  status: number;
  /** One header, its values joined; null where it is not there. */
  header(name: string): string | null;
  /** All of them; made when somebody asks. */
  readonly headers: Headers;
  /** To be read once. Leaving the loop lets the rest go. */
  body: AsyncIterable<Uint8Array>;
  /** Lets an answer go that nobody reads. */
  cancel(): void;
}

/** The code of a connection that was not made in time: nothing has left. */
export const connectTimeout = 'CONNECT_TIMEOUT';

/** A connection that does not stand after so long is none, in milliseconds. */
const connectMs = 10_000;
/** Nothing was heard for so long: the connection is dead, in milliseconds. */
const silenceMs = 300_000;

/** Statuses that send a client elsewhere. */
const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Sends one request over a connection that may have served before, once: nothing is followed, asked for again or unpacked.
 * Why it is not `fetch`: docs/decisions/0017. Fails as the connection does, with {@link connectTimeout} where it never stood, with
 * a redirect, and with the signal's reason when it aborts, also while the body is read.
 */
export function sendRequest(endpoint: string, sent: SentRequest): Promise<ServiceAnswer> {
  const { method, headers, body, signal } = sent;
  const { promise, resolve, reject } = Promise.withResolvers<ServiceAnswer>();
  const url = new URL(endpoint);
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const request = start(url, {
    method,
    headers: { ...headers, ...length, 'accept-encoding': 'identity' },
    timeout: silenceMs,
  });
  let message: IncomingMessage | null = null;
  const abort = (): void => {
    if (message === null) request.destroy(reasonOf(signal));
    else letGo(message, reasonOf(signal));
  };
  signal.addEventListener('abort', abort, { once: true });
  request.once('socket', () => limitConnecting(request));
  request.once('timeout', () => request.destroy(new Error('Nothing was heard any more')));
  request.on('error', reject);
  request.once('close', () => {
    signal.removeEventListener('abort', abort);
    reject(new Error('The connection was closed without an answer'));
  });
  request.once('response', (answer) => {
    message = answer;
    // What breaks it shows where it is read.
    answer.on('error', () => {});
    if (!redirects.has(answer.statusCode ?? 0)) return resolve(answerOf(answer));
    letGo(answer);
    reject(new Error('The service redirects elsewhere'));
  });
  request.end(body);
  return promise;
}

function limitConnecting(request: ClientRequest): void {
  const { socket } = request;
  if (socket === null || !socket.connecting) return;
  const timer = setTimeout(() => {
    request.destroy(
      Object.assign(new Error('The connection was not made in time'), { code: connectTimeout }),
    );
  }, connectMs);
  const settled = (): void => clearTimeout(timer);
  socket.once(request.protocol === 'https:' ? 'secureConnect' : 'connect', settled).once('close', settled);
}

function answerOf(message: IncomingMessage): ServiceAnswer {
  return {
    status: message.statusCode ?? 0,
    header(name) {
      const value = message.headers[name];
      return value === undefined ? null : String(value);
    },
    get headers() {
      return headersOf(message);
    },
    body: bodyOf(message),
    cancel: () => letGo(message),
  };
}

async function* bodyOf(message: IncomingMessage): AsyncGenerator<Uint8Array, void> {
  try {
    yield* message.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  } finally {
    letGo(message);
  }
}

/** What has come whole leaves its connection to the next request. */
function letGo(message: IncomingMessage, reason?: Error): void {
  if (message.complete) message.resume();
  else message.destroy(reason);
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  }
  return headers;
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
