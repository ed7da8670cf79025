import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Makes room when every connection is taken: of those that have not asked for anything yet, the oldest is ended. */
export function keepRoom(server: Server, maxConnections: number): void {
  const open = new Set<Socket>();
  const unused = new Set<Socket>();
  server.maxConnections = maxConnections;
  server.on('connection', (socket) => {
    open.add(socket);
    unused.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      unused.delete(socket);
    });
    const [oldest] = unused;
    if (open.size < maxConnections || oldest === undefined || oldest === socket) return;
    open.delete(oldest);
    unused.delete(oldest);
    oldest.destroy();
  });
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.on(event, ({ socket }: { socket: Socket }) => unused.delete(socket));
  }
}
