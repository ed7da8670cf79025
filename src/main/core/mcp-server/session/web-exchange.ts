import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { commonHeaders } from '#core/platform/loopback/index.ts';

/** The headers that the transport looks at. */
const passedHeaders = ['accept', 'content-type', 'mcp-session-id', 'last-event-id'] as const;

/**
 * The request as the SDK's transport reads it, without its body and its credentials. The version is always the one that was
 * negotiated: what a stream may carry follows from it.
 */
export function toWebRequest(request: IncomingMessage, protocolVersion: string): Request {
  const headers: [string, string][] = [['mcp-protocol-version', protocolVersion]];
  for (const name of passedHeaders) {
    const value = request.headers[name];
    if (value !== undefined) headers.push([name, String(value)]);
  }
  return new Request('http://127.0.0.1/mcp', { method: request.method ?? 'GET', headers });
}

/** Sends an answer of the transport as it comes; resolves when it has ended, on whichever side. */
export async function sendWebResponse(answer: Response, response: ServerResponse): Promise<void> {
  // Whether a connection stays is Node's business, and nobody keeps what goes over it.
  const { connection: _connection, ...headers } = Object.fromEntries(answer.headers);
  response.writeHead(answer.status, { ...headers, ...commonHeaders });
  if (answer.body === null) {
    response.end();
    return;
  }
  // A quick answer goes out in one piece with its head; whoever has to wait is told at once that it will come.
  const flush = setImmediate(() => response.flushHeaders());
  const reader = answer.body.getReader();
  response.once('close', () => void reader.cancel());
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (!response.write(part.value) && !response.destroyed) await drained(response);
  }
  clearImmediate(flush);
  response.end();
}

async function drained(response: ServerResponse): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]).finally(() =>
    settled.abort(),
  );
}
