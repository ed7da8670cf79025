import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Makes room when every connection is taken, so that nobody shuts others out by holding many. The oldest of those that ask
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
      // Who sent the next request already is not idle.
      if (asking.get(socket) !== request) return;
      asking.delete(socket);
      if (!socket.destroyed) idle.add(socket);
    });
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, watch);
}
