import { connect } from 'node:net';
import { patienceMs } from '../../../../scripts/lib/test-settings.ts';
import { bytesOf } from './raw-request.ts';
import type { RawRequest } from './raw-request.ts';

/** Milliseconds without another byte after which a complete answer on an open connection is the last answer. */
const silenceMs = 250;

/** Resolves with everything that was answered, as latin-1 text; null if nothing arrived in time. */
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
    const deadline = setTimeout(() => done(null), patienceMs);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      clearTimeout(silence);
      // The connection stays open: the answer is an event stream, or the connection is kept alive.
      if (isWhole(said(), request)) silence = setTimeout(() => done(said()), silenceMs);
    });
    socket.on('error', () => done(said()));
    socket.on('close', () => done(said()));
    socket.write(bytesOf(request));
    // The request promises more bytes than it sends, so the client at least ends its side.
    if (!request.isFramed) socket.end();
  });
}

/** Returns true for a complete answer and for an event stream, which has no end. */
function isWhole(answer: string, { method }: RawRequest): boolean {
  const end = answer.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const head = answer.slice(0, end).toLowerCase();
  const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1];
  if (method === 'HEAD' || head.includes('text/event-stream')) return true;
  if (length !== undefined) return answer.length >= end + 4 + Number(length);
  return !head.includes('transfer-encoding: chunked') || answer.endsWith('0\r\n\r\n');
}
