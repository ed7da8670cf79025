import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Limits of one loopback listener. Times in milliseconds, sizes in bytes. */
export interface LoopbackLimits {
  /** The whole header block, request line included; more is 431. */
  maxHeaderBytes: number;
  /** The request target; more is 414. */
  maxTargetBytes: number;
  /** Until the headers have arrived; later is 408. */
  headersTimeoutMs: number;
  /** Until the whole request has arrived; later is 408. */
  requestTimeoutMs: number;
  /** Interval at which both are checked. */
  timeoutCheckMs: number;
  /** Lifetime of an idle connection. */
  keepAliveMs: number;
  /** Time for which the rest of a request is drained after its answer, so that the answer is read before the end. */
  lingerMs: number;
  /** Time limit for running answers when the listener ends. */
  closeGraceMs: number;
  maxConnections: number;
  /** Requests that may wait behind one on the same connection (HTTP pipelining); the next one is 429 and the last. */
  maxPipelined: number;
}

/** Fits people, agents and one app on one machine. */
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

/**
 * Makes room when every connection is taken, so that no client shuts others out by holding many. The oldest of those that ask
 * for nothing, not yet or not any more, is ended; where there is none, the oldest whose request is not whole yet.
 */
export function keepRoom(server: Server, maxConnections: number): void {
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
      // A connection with another request under way is not idle.
      if (asking.get(socket) !== request) return;
      asking.delete(socket);
      if (!socket.destroyed) idle.add(socket);
    });
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, watch);
}
