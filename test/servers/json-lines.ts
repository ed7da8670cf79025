import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** Messages over a socket, one line of JSON each. */
export interface JsonLines {
  /** Where the other end is gone, nobody is told. */
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, when nothing can come any more. */
  onClose(listener: () => void): void;
  close(): void;
}

export function jsonLines(socket: Socket): JsonLines {
  socket.on('error', () => undefined);
  const lines = createInterface({ input: socket, crlfDelay: Infinity });
  lines.on('error', () => undefined);
  return {
    send(message) {
      if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
    },
    onMessage: (listener) => void lines.on('line', (line) => listener(JSON.parse(line))),
    onClose: (listener) => void socket.once('close', listener),
    close: () => socket.destroySoon(),
  };
}
