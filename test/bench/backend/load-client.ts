import { connect } from 'node:net';
import { parentPort } from 'node:worker_threads';

/** One round of load: each of `connections` kept-alive connections sends one request after the other for `durationMs`. */
export interface LoadRound {
  port: number;
  path: string;
  headers: Record<string, string>;
  connections: number;
  durationMs: number;
}

/**
 * Runs as a worker, so that the load does not share the server's event loop. It uses bare sockets, because a client of
 * node:http costs more than the servers do and would hide the difference. All answers have the same size, which the first
 * answer gives.
 */
parentPort?.on('message', (round: LoadRound) => {
  void runRound(round).then((answered) => parentPort?.postMessage(answered));
});

async function runRound({ port, path, headers, connections, durationMs }: LoadRound): Promise<number> {
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  const start = performance.now();
  const counts = await Promise.all(
    Array.from({ length: connections }, () => keepAsking({ port, request, endsAt: start + durationMs })),
  );
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - start) / 1000);
}

function keepAsking({
  port,
  request,
  endsAt,
}: {
  port: number;
  request: Buffer;
  endsAt: number;
}): Promise<number> {
  return new Promise((resolve, reject) => {
    let answered = 0;
    let size = 0;
    let received = 0;
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => socket.write(request));
    socket.on('error', reject);
    socket.on('close', () => resolve(answered));
    socket.on('data', (chunk) => {
      if (size === 0) size = answerSize(chunk);
      received += chunk.length;
      if (received < size) return;
      received = 0;
      answered += 1;
      if (performance.now() < endsAt) socket.write(request);
      else socket.destroy();
    });
  });
}

function answerSize(chunk: Buffer): number {
  const text = chunk.toString('latin1');
  const length = /content-length: (\d+)/i.exec(text)?.[1];
  if (!text.startsWith('HTTP/1.1 200') || length === undefined) throw new Error(text.slice(0, 200));
  return text.indexOf('\r\n\r\n') + 4 + Number(length);
}
