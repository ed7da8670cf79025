import { type IncomingMessage, type ServerResponse, STATUS_CODES, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '#shared/errors/index.ts';
import type { Socket } from 'node:net';

/** Headers of every answer: browsers must not guess the content type or cache the answer. A handler may set another `cache-control`. */
export const commonHeaders = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' } as const;

function refusalBody(error: AppError): string {
  return JSON.stringify({ status: 'error', message: error.message, code: error.code });
}

export function answerRefusal(response: ServerResponse, error: AppError): void {
  response.statusCode = error.status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(refusalBody(error));
}

export function answerOnSocket(socket: Duplex, error: AppError): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = refusalBody(error);
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? 'Error'}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(commonHeaders).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

export interface GuardContext {
  hosts: ReadonlySet<string>;
  origins: ReadonlySet<string>;
  limits: LoopbackLimits;
}

type Guard = (request: IncomingMessage, context: GuardContext) => void;

/** Returns every value of a header. Node's `headers` has only the first `Host` and hides duplicates. */
export function headerValues(request: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  const raw = request.rawHeaders;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const key = raw[at];
    if (key !== undefined && key.length === name.length && key.toLowerCase() === name) {
      values.push(raw[at + 1] ?? '');
    }
  }
  return values;
}

/** Protects against DNS rebinding: a rebound name is recognizable only by its foreign Host. */
const rejectForeignHost: Guard = (request, { hosts }) => {
  const [host, ...more] = headerValues(request, 'host');
  if (host === undefined || more.length > 0 || !hosts.has(host.toLowerCase())) {
    throw new AppError('host_not_allowed');
  }
};

/** Refuses the absolute, authority and asterisk forms, which may name a different host than the Host header. */
const rejectForeignTarget: Guard = (request, { limits }) => {
  const target = request.url ?? '';
  if (target.length > limits.maxTargetBytes) throw new AppError('uri_too_long');
  if (!target.startsWith('/')) throw new AppError('bad_request');
};

const rejectForeignOrigin: Guard = (request, { origins }) => {
  const [origin, ...more] = headerValues(request, 'origin');
  if (origin === undefined) return;
  if (more.length > 0 || !origins.has(origin.toLowerCase())) throw new AppError('origin_not_allowed');
};

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Treats unknown methods as OPTIONS, so that the endpoint refuses them with `Allow` (RFC 9110 §15.5.6). */
const renameUnknownMethod: Guard = (request) => {
  if (!methods.has(request.method ?? '')) request.method = 'OPTIONS';
};

/** Accepts only chunked coding in HTTP/1.1; else a proxy and this server could disagree on the body's end (RFC 9112 §6.1). */
const rejectOtherCodings: Guard = (request) => {
  const codings = headerValues(request, 'transfer-encoding');
  if (codings.length === 0) return;
  const isChunked = codings.length === 1 && codings[0]?.toLowerCase() === 'chunked';
  if (!isChunked || request.httpVersion !== '1.1') throw new AppError('bad_request');
};

export const guards: readonly Guard[] = [
  rejectForeignHost,
  rejectForeignTarget,
  rejectForeignOrigin,
  renameUnknownMethod,
  rejectOtherCodings,
];

/** Limits of one loopback listener. Times in milliseconds, sizes in bytes. */
export interface LoopbackLimits {
  /** Maximum size of the header block, including the request line; a larger block gets status 431. */
  maxHeaderBytes: number;
  maxTargetBytes: number;
  /** Deadline for the headers; status 408 after it. */
  headersTimeoutMs: number;
  /** Deadline for the complete request; status 408 after it. */
  requestTimeoutMs: number;
  timeoutCheckMs: number;
  keepAliveMs: number;
  /** Time for which the rest of a request is read after its answer, so that the client can read the answer. */
  lingerMs: number;
  closeGraceMs: number;
  maxConnections: number;
  /** Requests that may wait behind another on a connection (HTTP pipelining). The next gets status 429 and ends the connection. */
  maxPipelined: number;
}

export const defaultLoopbackLimits: LoopbackLimits = {
  maxHeaderBytes: 16 * 1024,
  maxTargetBytes: 8 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  timeoutCheckMs: 5_000,
  keepAliveMs: 30_000,
  lingerMs: 2_000,
  closeGraceMs: 300,
  maxConnections: 512,
  maxPipelined: 32,
};

/** When all connections are in use, closes the oldest idle connection, or else the oldest connection with an incomplete request. */
export function limitConnections(server: Server, maxConnections: number): void {
  const open = new Set<Socket>();
  const idle = new Set<Socket>();
  const asking = new Map<Socket, IncomingMessage>();
  const forget = (socket: Socket): void => {
    open.delete(socket);
    idle.delete(socket);
    asking.delete(socket);
  };
  const findSpare = (newest: Socket): Socket | undefined => {
    const [oldest] = idle;
    if (oldest !== newest) return oldest;
    return [...asking].find(([, request]) => !request.complete)?.[0];
  };
  server.maxConnections = maxConnections;
  server.on('connection', (socket) => {
    open.add(socket);
    idle.add(socket);
    socket.once('close', () => forget(socket));
    const spare = open.size < maxConnections ? undefined : findSpare(socket);
    if (spare === undefined) return;
    forget(spare);
    spare.destroy();
  });
  const watch = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    idle.delete(socket);
    asking.set(socket, request);
    response.once('close', () => {
      // A connection with another request in progress is not idle.
      if (asking.get(socket) !== request) return;
      asking.delete(socket);
      if (!socket.destroyed) idle.add(socket);
    });
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, watch);
}
