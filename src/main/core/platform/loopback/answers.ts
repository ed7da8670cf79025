import { STATUS_CODES } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AppError } from '#shared/errors/index.ts';

/** On every answer: nothing is guessed from its bytes and nothing keeps it. A handler may set its own `cache-control`. */
export const commonHeaders = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' } as const;

/** The body of a refusal, the same for the guards and for the services behind them. */
function refusalBody(error: AppError): string {
  return JSON.stringify({ status: 'error', message: error.message, code: error.code });
}

/** Refuses a request that was read well enough to be answered in the usual way. */
export function answerRefusal(response: ServerResponse, error: AppError): void {
  response.statusCode = error.status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(refusalBody(error));
}

/** Refuses on the bare socket, where there is no response object, and ends the connection. */
export function answerOnSocket(socket: Duplex, error: AppError): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = refusalBody(error);
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? 'Error'}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(commonHeaders).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
