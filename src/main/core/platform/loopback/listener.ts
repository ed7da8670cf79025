import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { AppError } from '#shared/errors/index.ts';
import type { AsyncDisposable } from '../disposable.ts';
import type { Logger } from '../logger.ts';
import { createTicks } from '../work-queues.ts';
import {
  answerOnSocket,
  answerRefusal,
  commonHeaders,
  type GuardContext,
  guards,
  defaultLoopbackLimits,
  limitConnections,
  type LoopbackLimits,
} from './guards.ts';
import { randomInt } from 'node:crypto';

/** Answers a request that passed every guard. The handler reads the body itself (`readBody`) and handles its own failures. */
export type LoopbackHandler = (request: IncomingMessage, response: ServerResponse) => void;

export interface LoopbackOptions {
  /** 0 selects any free port. */
  port: number;
  handler: LoopbackHandler;
  logger: Logger;
  limits?: Partial<LoopbackLimits>;
}

export interface LoopbackListener extends AsyncDisposable {
  port: number;
  origin: string;
}

/** Opens the only kind of HTTP server here: on 127.0.0.1, behind the guards. Fails with `port_taken`, also for reserved ports. */
export async function openLoopbackListener(options: LoopbackOptions): Promise<LoopbackListener> {
  const limits = { ...defaultLoopbackLimits, ...options.limits };
  const server = createServer({
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: limits.timeoutCheckMs,
    keepAliveTimeout: limits.keepAliveMs,
    // The guard refuses a missing Host, so that the refusal has the usual headers.
    requireHostHeader: false,
    noDelay: true,
  });
  limitConnections(server, limits.maxConnections);
  // With a count limit, Node silently drops headers, for example a second Host. `maxHeaderSize` limits them instead.
  server.maxHeadersCount = 0;
  const port = await listen(server, options.port);
  const context: GuardContext = {
    hosts: new Set([`127.0.0.1:${port}`, `localhost:${port}`]),
    origins: new Set([`http://127.0.0.1:${port}`, `http://localhost:${port}`]),
    limits,
  };
  attach(server, context, options);
  return { port, origin: `http://127.0.0.1:${port}`, dispose: () => close(server, limits.closeGraceMs) };
}

function attach(server: Server, context: GuardContext, { handler, logger }: LoopbackOptions): void {
  const receive = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void => {
    for (const name in commonHeaders) {
      response.setHeader(name, commonHeaders[name as keyof typeof commonHeaders]);
    }
    try {
      for (const guard of guards) guard(request, context);
      if (hasBody(request)) lingerAfterAnswer(request, response, context.limits.lingerMs);
      if (expectsContinue) continueWhenRead(request, response);
      handler(request, response);
    } catch (failure) {
      refuse(response, failure, logger);
    }
  };
  const line = inTurn(context.limits.maxPipelined, (response) => {
    refuse(response, new AppError('rate_limited'), logger);
  });
  const take = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void =>
    line.take({ request, response, go: () => receive(request, response, expectsContinue) });
  server.on('connection', line.add);
  server.on('request', (request, response) => take(request, response, false));
  server.on('checkContinue', (request, response) => take(request, response, true));
  // Ignores an unknown expectation, as RFC 9110 §10.1.1 allows; the guards still apply.
  server.on('checkExpectation', (request, response) => take(request, response, false));
  server.on('connect', (_request, socket) => answerOnSocket(socket, new AppError('bad_request')));
  server.on('clientError', (error, socket) => line.refuseRest(socket as Socket, refusalOfParserError(error)));
  // Without an 'upgrade' listener Node treats an upgrade as a plain request, so the guards apply to it.
}

function refuse(response: ServerResponse, failure: unknown, logger: Logger): void {
  const error = failure instanceof AppError ? failure : new AppError('internal', { cause: failure });
  if (error.status >= 500) logger.error({ err: failure }, 'A loopback request failed');
  if (response.headersSent) {
    response.destroy();
    return;
  }
  // The end of a refused request cannot be relied on, so the connection cannot be reused.
  response.setHeader('connection', 'close');
  answerRefusal(response, error);
}

function hasBody(request: IncomingMessage): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined || request.headers['content-length'] !== undefined
  );
}

/** Delays `100 Continue` until the handler reads the body, so that a refusal of origin, type or length does not ask for the body. */
function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  request.once('resume', () => {
    if (!response.headersSent) response.writeContinue();
  });
}

/** Includes EACCES, because Windows answers it for the changing port ranges that Hyper-V, WSL and Docker reserve. */
const takenCodes: ReadonlySet<string> = new Set(['EADDRINUSE', 'EACCES']);

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(
        takenCodes.has(cause.code ?? '') ? new AppError('port_taken', { data: { port }, cause }) : cause,
      );
    });
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

async function close(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}

interface Served {
  request: IncomingMessage;
  response: ServerResponse;
  go(): void;
}

interface ConnectionRequests {
  serving: Served | null;
  waiting: Served[];
  newest: Served | null;
  refused: number;
  refusal: AppError | null;
}

interface Lines {
  add(socket: Socket): void;
  take(served: Served): void;
  /** Ends a connection that cannot be read further: sends the answers to earlier requests, then refuses the incomplete request. */
  refuseRest(socket: Socket, refusal: AppError): void;
}

/** Serves a connection's requests one at a time, each in its own tick (RFC 9112 §9.3.2). Refuses those beyond `maxWaiting`. */
function inTurn(maxWaiting: number, refuse: (response: ServerResponse) => void): Lines {
  const lines = new WeakMap<Socket, ConnectionRequests>();
  const nextTick = createTicks();
  const reading = createReading();

  const serve = (socket: Socket, line: ConnectionRequests, served: Served): void => {
    const { request, response, go } = served;
    line.serving = served;
    response.once('close', () => {
      if (line.newest === served && request.complete) line.newest = null;
      const next = line.waiting.shift();
      if (next !== undefined)
        void nextTick().then(() => (socket.destroyed ? undefined : serve(socket, line, next)));
      else if (line.refused === 0) {
        line.serving = null;
        if (line.refusal !== null) endRefused(socket, line.newest, line.refusal);
      }
    });
    if (line.refusal !== null && !request.complete) endRefused(socket, served, line.refusal);
    else go();
  };

  return {
    add: reading.add,
    take(served) {
      const { socket } = served.request;
      const line = lines.get(socket) ?? newLine();
      lines.set(socket, line);
      reading.count(socket, line.serving !== null);
      if (line.serving === null) {
        line.newest = served;
        serve(socket, line, served);
      } else if (line.waiting.length < maxWaiting) {
        line.newest = served;
        line.waiting.push(served);
      } else {
        line.refused += 1;
        if (line.refused === 1) refuse(served.response);
        if (line.refused > maxWaiting) socket.destroy();
      }
    },
    refuseRest(socket, refusal) {
      const line = lines.get(socket) ?? newLine();
      lines.set(socket, line);
      if (line.refusal !== null) {
        endWithSender(socket, line);
        return;
      }
      line.refusal = refusal;
      const { serving, newest } = line;
      const isOwn = serving !== null && serving === newest && !serving.request.complete;
      if (serving === null || (isOwn && !serving.response.headersSent)) endRefused(socket, newest, refusal);
    },
  };
}

const maxReadAtOnce = 64;

/**
 * Limits how many requests one tick of the event loop reads: after `maxReadAtOnce`, connections that pipeline, or have sent
 * nothing yet, are read in the next tick. A client that waits for each answer is read in every tick.
 */
function createReading() {
  const limited = new Set<Socket>();
  let paused: Socket[] = [];
  let count = 0;

  function resumePaused(): void {
    count = 0;
    const resumed = paused;
    paused = [];
    for (const socket of resumed) socket.resume();
  }

  return {
    add(socket: Socket): void {
      limited.add(socket);
      socket.once('close', () => limited.delete(socket));
    },
    count(socket: Socket, isPipelined: boolean): void {
      if (isPipelined) limited.add(socket);
      else limited.delete(socket);
      if (count === 0) setImmediate(resumePaused);
      count += 1;
      if (count !== maxReadAtOnce) return;
      paused = [...limited].filter((other) => !other.isPaused());
      for (const other of paused) other.pause();
    },
  };
}

function newLine(): ConnectionRequests {
  return { serving: null, waiting: [], newest: null, refused: 0, refusal: null };
}

/** Ends a connection after its last answer. A request that already has an answer must not get a second one. */
function endRefused(socket: Socket, newest: Served | null, refusal: AppError): void {
  if (socket.writableEnded) return;
  if (newest !== null && !newest.request.complete && newest.response.headersSent) socket.destroySoon();
  else answerOnSocket(socket, refusal);
}

/** Ends a long answer when its reader has disconnected, which nothing else reports after a parser failure. */
function endWithSender(socket: Socket, { serving }: ConnectionRequests): void {
  if (socket.readableEnded && serving?.response.headersSent === true) socket.end();
}

/** Discards the rest of a body after an early answer, for at most `lingerMs`: closing with unread bytes would reset the connection. */
function lingerAfterAnswer(request: IncomingMessage, response: ServerResponse, lingerMs: number): void {
  const { socket } = request;
  // Node calls `destroySoon` after the last answer, and would close although the request is still arriving.
  socket.destroySoon = () => {
    if (request.complete) Socket.prototype.destroySoon.call(socket);
    else socket.end();
  };
  response.once('finish', () => {
    if (request.complete) return;
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    timer.unref();
    request.once('close', () => clearTimeout(timer));
    request.once('end', () => {
      clearTimeout(timer);
      if (socket.writableEnded) socket.destroySoon();
    });
    request.resume();
  });
}

interface ParserError extends Error {
  code?: string;
  rawPacket?: Buffer;
}

/** True if the packet has no line end: then the parser was still inside the request line, so the address was too long. */
function isInsideRequestLine(packet: Buffer | undefined): boolean {
  return (
    packet !== undefined && /^[A-Z]+ \//.test(packet.toString('latin1', 0, 32)) && !packet.includes('\n')
  );
}

function refusalOfParserError(error: ParserError): AppError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new AppError(isInsideRequestLine(error.rawPacket) ? 'uri_too_long' : 'headers_too_large');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new AppError('payload_too_large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('request_timeout');
    default:
      return new AppError('bad_request');
  }
}

/**
 * Ports below those that Linux, macOS and Windows assign automatically, because Hyper-V, WSL and Docker reserve blocks of
 * those.
 */
const lowest = 20_000;

const end = 32_768;

const attempts = 8;

/** Opens on a port for later starts too, if possible one that systems do not assign. Fails as `open`, but not with `port_taken`. */
export async function openOnStablePort<T>(
  open: (port: number) => Promise<T>,
  choose: () => number = () => randomInt(lowest, end),
): Promise<T> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    try {
      return await open(choose());
    } catch (failure) {
      if (!isPortTaken(failure)) throw failure;
    }
  }
  return open(0);
}

export function storedPort(text: string | null): number | null {
  const port = /^\d{1,5}$/u.test(text ?? '') ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : null;
}

export function isPortTaken(failure: unknown): boolean {
  return failure instanceof AppError && failure.code === 'port_taken';
}
