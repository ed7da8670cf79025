import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** Opens a bare connection to the listener. */
export function openSocket(port: number): Socket {
  return connect({ port, host: '127.0.0.1' });
}

/** Everything that the other side says until it ends the connection. */
export async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => resolve(Buffer.concat(chunks).toString('latin1')));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  });
}

/** Sends the bytes as they are and reads until the end. */
export async function speak(port: number, bytes: string | Buffer): Promise<string> {
  const socket = openSocket(port);
  socket.write(bytes);
  return readAll(socket);
}

/** The status of the first answer in what was read; 0 when there is none. */
export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
}
