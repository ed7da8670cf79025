import { connect } from 'node:net';
import { parentPort } from 'node:worker_threads';
import type { ServiceEndpoint } from './service.ts';

/** Every connection sends its requests at once, without waiting for answers, in each round. */
export interface Flood {
  endpoint: ServiceEndpoint;
  connections: number;
  requests: number;
  rounds: number;
}

/** Runs as a worker. Answers with the number of answers that it received. */
parentPort?.on('message', (flood: Flood) => {
  const sending = Array.from({ length: flood.connections }, () => sendAll(flood));
  void Promise.all(sending).then((answered) =>
    parentPort?.postMessage(answered.reduce((sum, count) => sum + count, 0)),
  );
});

const statusLine = 'HTTP/1.1 200';

function sendAll({ endpoint: { port, memberToken }, requests, rounds }: Flood): Promise<number> {
  const lines = [
    'GET /api/v1/login/campaigns/campaigns?page=1&per_page=20 HTTP/1.1',
    `host: 127.0.0.1:${port}`,
    `authorization: Bearer ${memberToken}`,
    'accept: application/json',
  ];
  return new Promise((resolve, reject) => {
    let answered = 0;
    let tail = '';
    const send = (): void => void socket.write(`${lines.join('\r\n')}\r\n\r\n`.repeat(requests));
    const socket = connect({ port, host: '127.0.0.1' }, send);
    socket.on('error', reject);
    socket.on('close', () => resolve(answered));
    socket.on('data', (part) => {
      const text = tail + part.toString('latin1');
      const before = answered;
      answered += text.split(statusLine).length - 1;
      // A status line may be split between two parts, and is counted only once.
      tail = text.endsWith(statusLine) ? '' : text.slice(1 - statusLine.length);
      if (answered === requests * rounds) socket.end();
      else if (answered > before && answered % requests === 0) send();
    });
  });
}
