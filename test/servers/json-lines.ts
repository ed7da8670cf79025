import type { Socket } from 'node:net';

/** Messages over a socket, one line of JSON each. */
export interface JsonLines {
  /** Where the other end is gone, the line is dropped. */
  send(message: unknown): void;
  /** To be called before anything can have come. */
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, when nothing can come any more. */
  onClose(listener: () => void): void;
  /** Ends the line after what was sent. */
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
        // Not by readline, which takes the line and paragraph separators of a text for ends of lines.
        const lines = (rest + String(text)).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) listener(JSON.parse(line));
      });
    },
    onClose: (listener) => void socket.once('close', listener),
    close: () => socket.destroySoon(),
  };
}
