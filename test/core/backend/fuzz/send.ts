import { connect } from 'node:net';
import { bytesOf } from './raw-request.ts';
import type { RawRequest } from './raw-request.ts';

/** How long an answer may be on its way before it counts as none, in milliseconds. */
const deadlineMs = 15_000;

/** After so long without another byte, a connection that was not closed has said everything. */
const silenceMs = 250;

/** Everything that was answered, as latin-1 text; null when nothing came in time. */
export async function sendRaw(port: number, request: RawRequest): Promise<string | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let silence: NodeJS.Timeout | undefined;
    const done = (answer: string | null): void => {
      clearTimeout(deadline);
      clearTimeout(silence);
      socket.destroy();
      resolve(answer);
    };
    const said = (): string => Buffer.concat(chunks).toString('latin1');
    const deadline = setTimeout(() => done(null), deadlineMs);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      clearTimeout(silence);
      // A stream of events, or a connection that is kept.
      silence = setTimeout(() => done(said()), silenceMs);
    });
    socket.on('error', () => done(said()));
    socket.on('close', () => done(said()));
    socket.write(bytesOf(request));
    // A client that promises more than is sent says at least that nothing follows.
    if (!request.isFramed) socket.end();
  });
}
