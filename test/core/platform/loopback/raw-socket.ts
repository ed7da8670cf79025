import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** Opens a bare connection to the listener. */
export function openSocket(port: number): Socket {
  return connect({ port, host: '127.0.0.1' });
}

/** Resolves with everything that the other side sends until it ends the connection. */
export async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => resolve(Buffer.concat(chunks).toString('latin1')));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  });
}

/** Sends the bytes unchanged and reads until the connection ends. */
export async function speak(port: number, bytes: string | Buffer): Promise<string> {
  const socket = openSocket(port);
  socket.write(bytes);
  return readAll(socket);
}

/** Returns the status of the first answer in the text; 0 if there is none. */
export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
}
