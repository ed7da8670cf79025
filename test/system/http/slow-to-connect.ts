import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The milliseconds for which the server accepts no connection after it has printed its port. The system queues two. */
const busyMs = 800;

const server = createServer((_request, response) => void response.end('{}'));
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  console.log((server.address() as AddressInfo).port);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyMs);
});
