import { connect } from 'node:net';
import { parentPort } from 'node:worker_threads';
import { type Endpoint, requestOf } from './request.ts';

/** One round of load: each of `connections` kept-alive connections sends one call after the other for `durationMs`. */
export interface LoadRound {
  endpoint: Endpoint;
  session: string;
  connections: number;
  /** The number of different calls that each connection sends in turn. */
  calls: number;
  durationMs: number;
}

/** Runs as a worker. Uses bare sockets for both servers, because a client of node:http would cost more than the servers do. */
parentPort?.on('message', (round: LoadRound) => {
  void runRound(round).then((perSecond) => parentPort?.postMessage(perSecond));
});

async function runRound({ endpoint, session, connections, calls, durationMs }: LoadRound): Promise<number> {
  const start = performance.now();
  const counts = await Promise.all(
    Array.from({ length: connections }, (_, number) =>
      keepCalling({
        port: endpoint.port,
        requests: Array.from({ length: calls }, (_, offset) =>
          requestOf(endpoint, session, { id: number + 1, offset }),
        ),
        endsAt: start + durationMs,
      }),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - start) / 1000);
}

const lastChunk = Buffer.from('\r\n0\r\n\r\n');

function keepCalling(call: { port: number; requests: Buffer[]; endsAt: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    let answered = 0;
    const send = (): void => {
      const request = call.requests[answered % call.requests.length];
      if (request !== undefined) socket.write(request);
    };
    let length: number | null = null;
    let received: Buffer[] = [];
    let size = 0;
    const socket = connect({ port: call.port, host: '127.0.0.1', noDelay: true }, send);
    socket.on('error', reject);
    socket.on('close', () => resolve(answered));
    socket.on('data', (part) => {
      if (size === 0) length = fixedLength(part);
      received.push(part);
      size += part.length;
      if (length === null ? !endsChunks(received) : size < length) return;
      received = [];
      size = 0;
      answered += 1;
      if (performance.now() < call.endsAt) send();
      else socket.destroy();
    });
  });
}

/** Returns the length of head and body if the answer states its length; null if the body is chunked. */
function fixedLength(part: Buffer): number | null {
  const text = part.toString('latin1');
  if (!text.startsWith('HTTP/1.1 200')) throw new Error(text.slice(0, 300));
  const length = /content-length: (\d+)/i.exec(text)?.[1];
  return length === undefined ? null : text.indexOf('\r\n\r\n') + 4 + Number(length);
}

function endsChunks(parts: readonly Buffer[]): boolean {
  const last = parts.at(-1);
  const tail = last === undefined || last.length >= lastChunk.length ? last : Buffer.concat(parts);
  return tail?.subarray(-lastChunk.length).equals(lastChunk) === true;
}
