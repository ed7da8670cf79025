import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { RequestFailure, requestText } from '#core/service-client/index.ts';
import {
  answer,
  startDocumentService,
  type DocumentService,
} from '#test/core/service-client/oauth/discovery/document-service.ts';

/** Sends a request to the token endpoint under a name that resolves to these addresses. */
function send({ origin }: DocumentService, addresses: readonly string[] | null) {
  const url = new URL(origin.replace('127.0.0.1', 'localhost'));
  url.pathname = '/token';
  url.search = '?tenant=1';
  return requestText({
    url,
    method: 'POST',
    headers: { 'x-one': '1' },
    body: 'grant=ü',
    addresses,
    ownConnection: true,
    credential: null,
    signal: AbortSignal.timeout(10_000),
  });
}

/** Returns whether the failed request was sent. Any error but the request's own failure is a bug and is rethrown. */
async function sentOf(work: Promise<unknown>): Promise<boolean> {
  const failure: unknown = await work.then(
    () => new Error('It did not fail'),
    (reason: unknown) => reason,
  );
  if (failure instanceof RequestFailure) return failure.sent;
  throw failure;
}

test('headers are found in any case, repeated headers are joined, and none that Node would drop is lost', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, ['Retry-After', '1', 'retry-after', '2', 'Date', 'today', 'X-Name', ' a ']);
    response.end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { headers } = await requestText({
    url: new URL(`http://127.0.0.1:${port}/`),
    method: 'GET',
    headers: {},
    credential: null,
    signal: AbortSignal.timeout(10_000),
  });
  expect(headers.get('RETRY-after')).toBe('1, 2');
  expect([
    headers.get('x-name'),
    headers.has('X-NAME'),
    headers.get('x-none'),
    headers.has('x-none'),
  ]).toEqual(['a', true, null, false]);
  expect([...headers]).toContainEqual(['date', 'today']);
});

test('a request connects only to the checked addresses of a name, whatever the name resolves to later', async () => {
  const service = await startDocumentService();
  service.serve('/token?tenant=1', answer('{}'));
  expect((await send(service, ['127.0.0.1'])).status).toBe(200);
  expect(service.paths).toHaveLength(1);

  expect(await sentOf(send(service, ['127.0.0.2']))).toBe(false);
  expect(service.paths).toHaveLength(1);
});

test('if an address does not answer, the next one is tried', async () => {
  const service = await startDocumentService();
  service.serve('/token?tenant=1', answer('{}'));
  expect((await send(service, ['127.0.0.2', '127.0.0.1'])).status).toBe(200);
});

test('a request contains the given headers, its own host, and the end of its connection', async () => {
  const service = await startDocumentService();
  service.serve('/token?tenant=1', (response) => {
    const { headers, method } = response.req;
    response.end(JSON.stringify({ method, headers }));
  });
  expect(JSON.parse((await send(service, null)).text)).toEqual({
    method: 'POST',
    headers: {
      'x-one': '1',
      host: service.origin.replace('http://127.0.0.1', 'localhost'),
      'accept-encoding': 'identity',
      connection: 'close',
      'content-length': '8',
    },
  });
});

test.each([
  ['an invalid status', 'HTTP/1.1 099 x\r\n\r\n'],
  ['a status beyond the last', 'HTTP/1.1 999 x\r\nContent-Length: 0\r\n\r\n'],
  ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'],
  ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['a body that is cut', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}'],
  ['a header without an end', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`],
])('%s does not count as an answer, and the request may have been received', async (_, raw) => {
  const service = await startDocumentService();
  service.serve('/token?tenant=1', ({ socket }) => void socket?.end(raw));
  expect(await sentOf(send(service, null))).toBe(true);
  expect(service.paths).toHaveLength(1);
});

const codings: [coding: string, pack: (text: string) => Buffer][] = [
  ['gzip', gzipSync],
  ['X-GZIP', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
];

/** Requests an answer that may be compressed. */
function readCompressed({ origin }: DocumentService): Promise<{ status: number; text: string }> {
  return requestText({
    url: new URL(`${origin}/packed`),
    method: 'GET',
    headers: {},
    compressed: true,
    credential: null,
    signal: AbortSignal.timeout(10_000),
  });
}

test.each(codings)(
  'an answer compressed with %s is unpacked, and refused if it is cut off',
  async (coding, pack) => {
    const service = await startDocumentService();
    const packed = pack('{"a":"ü"}');
    const headers = { 'content-encoding': coding };
    service.serve('/packed', answer(packed, { headers }));
    expect((await readCompressed(service)).text).toBe('{"a":"ü"}');
    service.serve('/packed', answer(packed.subarray(0, -3), { headers }));
    await expect(readCompressed(service)).rejects.toBeInstanceOf(RequestFailure);
    service.serve('/packed', (response) => {
      response.writeHead(200, headers).flushHeaders();
      response.destroy();
    });
    await expect(readCompressed(service)).rejects.toBeInstanceOf(RequestFailure);
  },
);

test('deflate is not requested, because some servers send it without its header, which only browsers accept', async () => {
  const service = await startDocumentService();
  service.serve('/packed', (response) => response.end(response.req.headers['accept-encoding']));
  expect((await readCompressed(service)).text).toBe('gzip, br');
});

test.each(codings)('an empty answer stays empty when its header announces %s', async (coding) => {
  const service = await startDocumentService();
  for (const status of [200, 204, 401, 429, 503]) {
    service.serve('/packed', answer('', { status, headers: { 'content-encoding': coding } }));
    expect(await readCompressed(service)).toMatchObject({ status, text: '' });
  }
});

test('a request that is cancelled as it begins ends, and nothing is sent', async () => {
  const service = await startDocumentService();
  const cancel = new AbortController();
  const asked = requestText({
    url: new URL(service.origin),
    method: 'GET',
    headers: {},
    credential: null,
    signal: cancel.signal,
  });
  cancel.abort(new Error('Not wanted any more'));
  expect(await sentOf(asked)).toBe(false);
  expect(service.paths).toEqual([]);
});
