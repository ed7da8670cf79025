import type { Socket } from 'node:net';

/** Messages over a socket, one line of JSON each. */
export interface JsonLines {
  /** Sends a message. Drops it if the other end has closed. */
  send(message: unknown): void;
  /** Must be called before the first message can arrive. */
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, when no more messages can arrive. */
  onClose(listener: () => void): void;
  /** Closes the connection after everything was sent. */
  close(): void;
}

export function jsonLines(socket: Socket): JsonLines {
  socket.setEncoding('utf8');
  socket.on('error', () => undefined);
  return {
    send(message) {
      if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
    },
    onMessage(listener) {
      let rest = '';
      socket.on('data', (text) => {
        // readline is not used, because it also splits at the line and paragraph separators within a text.
        const lines = (rest + String(text)).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) listener(JSON.parse(line));
      });
    },
    onClose: (listener) => void socket.once('close', listener),
    close: () => socket.destroySoon(),
  };
}
