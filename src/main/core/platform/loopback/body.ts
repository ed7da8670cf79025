import type { IncomingMessage } from 'node:http';
import { AppError } from '#shared/errors/index.ts';

/** What a request body may weigh when nobody says otherwise: 1 MiB. */
export const defaultBodyBytes = 1024 * 1024;

/**
 * Reads a whole request body as it came.
 * Fails with `payload_too_large` as soon as the length is known or passed, and with `bad_request` when the sender goes away.
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number = defaultBodyBytes,
): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new AppError('payload_too_large');
  // Gone while somebody else was asked: no event is left to come.
  if (request.destroyed) throw new AppError('bad_request');
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const goneAway = () => reject(new AppError('bad_request'));
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else reject(new AppError('payload_too_large'));
    });
    request.once('end', () => {
      // Every request closes at last, and an error is dear to make.
      request.off('close', goneAway);
      resolve(Buffer.concat(chunks));
    });
    request.once('error', (cause) => reject(new AppError('bad_request', { cause })));
    request.once('close', goneAway);
  });
}
