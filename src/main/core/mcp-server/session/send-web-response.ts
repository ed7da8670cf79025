import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { commonHeaders } from '#core/platform/loopback/index.ts';

/** An answer to a message that is whole by then goes out in one piece, in milliseconds: every piece costs both sides. */
const heldMs = 25;

/**
 * Sends an answer of the transport; resolves when it has ended, on whichever side. What is whole soon goes out in one piece;
 * whoever has to wait longer is told that an answer will come, and who listens (GET) is told so at once.
 */
export async function sendWebResponse(answer: Response, response: ServerResponse): Promise<void> {
  // Whether a connection stays is Node's business, and nobody keeps what goes over it.
  const { connection: _connection, ...others } = Object.fromEntries(answer.headers);
  const headers = { ...others, ...commonHeaders };
  if (answer.body === null) {
    response.writeHead(answer.status, headers).end();
    return;
  }
  const held: Uint8Array[] = [];
  const open = (): void => {
    if (response.headersSent) return;
    response.writeHead(answer.status, headers).flushHeaders();
    for (const part of held) response.write(part);
  };
  const opening = setTimeout(open, response.req.method === 'GET' ? 0 : heldMs);
  const reader = answer.body.getReader();
  response.once('close', () => void reader.cancel());
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (!response.headersSent) held.push(part.value);
    else if (!response.write(part.value) && !response.destroyed) await drained(response);
  }
  clearTimeout(opening);
  if (response.headersSent) {
    response.end();
    return;
  }
  const whole = Buffer.concat(held);
  response.writeHead(answer.status, { ...headers, 'content-length': whole.length }).end(whole);
}

async function drained(response: ServerResponse): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]).finally(() =>
    settled.abort(),
  );
}
