import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { once } from 'node:events';
import { METHODS } from 'node:http';
import { connect, createServer, Server, type AddressInfo } from 'node:net';
import { AppError } from '#shared/errors/index.ts';
import { silentLogger } from '#core/platform/logger.ts';
import {
  openLoopbackListener,
  type LoopbackHandler,
  type LoopbackListener,
} from '#core/platform/loopback/listener.ts';
import { readBody } from '#core/platform/loopback/requests.ts';
import { openSocket, readAll, speak, statusOf } from './raw-socket.ts';

let listener: LoopbackListener;
let handled: string[];

/**
 * Echoes the size of the body. `/fail` throws. `/hold` never answers. `/early` answers without reading the body. `/slow`
 * answers after everything sent with the request was parsed. `/stream` answers in two parts, and `/stream/open` sends only
 * the first.
 */
const handler: LoopbackHandler = (request, response) => {
  handled.push(`${request.method} ${request.url}`);
  if (request.url === '/fail') throw new Error('a secret detail');
  if (request.url === '/hold') return;
  if (request.url === '/early') {
    response.end('early');
    return;
  }
  if (request.url === '/slow') {
    setImmediate(() => response.end('slow'));
    return;
  }
  if (request.url?.startsWith('/stream') === true) {
    response.write('first ');
    if (request.url === '/stream') setImmediate(() => response.end('second'));
    return;
  }
  void readBody(request, 1000).then(
    (body) => response.end(`read ${body.length}`),
    (error: unknown) => {
      response.statusCode = error instanceof AppError ? error.status : 500;
      response.end('refused');
    },
  );
};

type Limits = NonNullable<Parameters<typeof openLoopbackListener>[0]['limits']>;

const open = (limits: Limits = {}) =>
  openLoopbackListener({ port: 0, handler, logger: silentLogger, limits });

beforeEach(async () => {
  handled = [];
  listener = await open();
});

async function useShortLimits(headersTimeoutMs = 300): Promise<void> {
  await listener.dispose();
  listener = await open({
    headersTimeoutMs,
    requestTimeoutMs: headersTimeoutMs + 100,
    timeoutCheckMs: 50,
    lingerMs: 100,
  });
}

afterEach(() => listener.dispose());

const host = () => `127.0.0.1:${listener.port}`;

describe('access to a loopback listener', () => {
  const refused: [string, () => string, number][] = [
    ['a foreign Host', () => 'GET / HTTP/1.1\r\nHost: evil.example\r\n', 421],
    ['our address with another port', () => 'GET / HTTP/1.1\r\nHost: 127.0.0.1:1\r\n', 421],
    ['our name without a port', () => 'GET / HTTP/1.1\r\nHost: localhost\r\n', 421],
    ['a rebound name with our port', () => `GET / HTTP/1.1\r\nHost: evil.example:${listener.port}\r\n`, 421],
    ['no Host', () => 'GET / HTTP/1.1\r\n', 421],
    ['no Host in HTTP/1.0', () => 'GET / HTTP/1.0\r\n', 421],
    ['an empty Host', () => 'GET / HTTP/1.1\r\nHost:\r\n', 421],
    ['two Hosts, ours first', () => `GET / HTTP/1.1\r\nHost: ${host()}\r\nHost: evil.example\r\n`, 421],
    ['two Hosts, both ours', () => `GET / HTTP/1.1\r\nHost: ${host()}\r\nhOST: ${host()}\r\n`, 421],
    ['a Host list', () => `GET / HTTP/1.1\r\nHost: ${host()}, ${host()}\r\n`, 421],
    ['an absolute target', () => `GET http://evil.example/ HTTP/1.1\r\nHost: ${host()}\r\n`, 400],
    ['an absolute target of ours', () => `GET http://${host()}/ HTTP/1.1\r\nHost: ${host()}\r\n`, 400],
    ['an absolute target and a foreign Host', () => `GET http://${host()}/ HTTP/1.1\r\nHost: evil\r\n`, 421],
    ['the asterisk target', () => `OPTIONS * HTTP/1.1\r\nHost: ${host()}\r\n`, 400],
    ['a foreign Origin', () => `POST / HTTP/1.1\r\nHost: ${host()}\r\nOrigin: http://evil.example\r\n`, 403],
    ['the Origin of a file', () => `GET / HTTP/1.1\r\nHost: ${host()}\r\nOrigin: null\r\n`, 403],
    [
      'our Origin with another port',
      () => `GET / HTTP/1.1\r\nHost: ${host()}\r\nOrigin: http://127.0.0.1:1\r\n`,
      403,
    ],
    [
      'two Origins',
      () =>
        `GET / HTTP/1.1\r\nHost: ${host()}\r\nOrigin: http://${host()}\r\nOrigin: http://evil.example\r\n`,
      403,
    ],
    ['a preflight', () => `OPTIONS / HTTP/1.1\r\nHost: ${host()}\r\nOrigin: http://evil.example\r\n`, 403],
    ['Expect with a foreign Host', () => 'PUT / HTTP/1.1\r\nHost: evil\r\nExpect: 100-continue\r\n', 421],
    ['an odd expectation with a foreign Host', () => 'PUT / HTTP/1.1\r\nHost: evil\r\nExpect: tea\r\n', 421],
    [
      'an upgrade with a foreign Host',
      () => 'GET / HTTP/1.1\r\nHost: evil\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n',
      421,
    ],
    ['CONNECT', () => 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n', 400],
  ];
  test.each(refused)('%s is refused before any handler', async (_name, head, status) => {
    const answer = await speak(listener.port, `${head()}Connection: close\r\n\r\n`);
    expect(statusOf(answer)).toBe(status);
    expect(handled).toEqual([]);
    expect(answer).not.toContain('100 Continue');
    const headers = answer.toLowerCase();
    expect(headers).toContain('x-content-type-options: nosniff');
    expect(headers).toContain('cache-control: no-store');
    expect(headers).not.toMatch(/^(server|x-powered-by|access-control)/m);
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ status: 'error' });
  });

  test('an unknown method reaches the handler as OPTIONS, so that it is refused with the supported methods', async () => {
    const unknown = METHODS.filter(
      (method) => !['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'CONNECT'].includes(method),
    );
    for (const method of unknown) {
      await speak(listener.port, `${method} / HTTP/1.1\r\nHost: ${host()}\r\nConnection: close\r\n\r\n`);
    }
    expect(handled).toEqual(unknown.map(() => 'OPTIONS /'));
  });

  const accepted: [string, () => string][] = [
    ['the address', () => `GET / HTTP/1.1\r\nHost: ${host()}\r\n`],
    ['the name', () => `GET / HTTP/1.1\r\nHost: LocalHost:${listener.port}\r\n`],
    ['our own Origin', () => `GET / HTTP/1.1\r\nHost: ${host()}\r\nOrigin: http://${host()}\r\n`],
    [
      'the Origin of our name',
      () => `GET / HTTP/1.1\r\nHost: ${host()}\r\nOrigin: http://localhost:${listener.port}\r\n`,
    ],
    [
      'an upgrade, as the plain request that it is',
      () => `GET / HTTP/1.1\r\nHost: ${host()}\r\nUpgrade: h2c\r\n`,
    ],
  ];
  test.each(accepted)('%s is served', async (_name, head) => {
    const answer = await speak(listener.port, `${head()}Connection: close\r\n\r\n`);
    expect(statusOf(answer)).toBe(200);
    expect(answer.toLowerCase()).toContain('x-content-type-options: nosniff');
    expect(answer.toLowerCase()).not.toMatch(/^(server|x-powered-by|access-control)/m);
  });
});

describe('what a loopback listener reads', () => {
  const head = () => `PUT / HTTP/1.1\r\nHost: ${host()}\r\n`;
  const refused: [string, () => string, number][] = [
    ['two different lengths', () => `${head()}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, 400],
    ['two equal lengths', () => `${head()}Content-Length: 1\r\nContent-Length: 1\r\n\r\na`, 400],
    [
      'a length and chunks',
      () => `${head()}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['chunks that are not last', () => `${head()}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`, 400],
    ['chunks that are packed too', () => `${head()}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 400],
    ['a coding without chunks', () => `${head()}Transfer-Encoding: identity\r\n\r\n`, 400],
    [
      'chunks named twice',
      () => `${head()}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['a negative length', () => `${head()}Content-Length: -1\r\n\r\n`, 400],
    ['a broken chunk size', () => `${head()}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
    [
      'chunks in HTTP/1.0',
      () => `PUT / HTTP/1.0\r\nHost: ${host()}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['a folded header', () => `${head()}X: a\r\n b\r\n\r\n`, 400],
    ['a space before the colon', () => `${head()}Content-Length : 5\r\n\r\nhello`, 400],
    ['a bare line feed in the head', () => `GET / HTTP/1.1\nHost: ${host()}\n\n`, 400],
    ['noise', () => '\u0016\u0003\u0001\u0002\u0000\u0001', 400],
    [
      'a long address',
      () => `GET /${'a'.repeat(9_000)} HTTP/1.1\r\nHost: ${host()}\r\nConnection: close\r\n\r\n`,
      414,
    ],
    ['an endless address', () => `GET /${'a'.repeat(100_000)}`, 414],
    ['one huge header', () => `${head()}X: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['thousands of headers', () => `${head()}${'X-Some: more\r\n'.repeat(5_000)}\r\n`, 431],
    [
      'a body announced as too large',
      () => `${head()}Content-Length: 1001\r\nConnection: close\r\n\r\n`,
      413,
    ],
    [
      'a body that becomes too large',
      () => `${head()}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n7d0\r\n${'a'.repeat(2000)}\r\n`,
      413,
    ],
  ];
  test.each(refused)('%s is refused', async (_name, bytes, status) => {
    expect(statusOf(await speak(listener.port, bytes()))).toBe(status);
  });

  const endless: [string, () => string][] = [
    ['head', () => head()],
    ['body', () => `${head()}Content-Length: 10\r\n\r\nab`],
  ];
  test.each(endless)('a %s that never ends is refused', async (_name, bytes) => {
    await useShortLimits();
    expect(statusOf(await speak(listener.port, bytes()))).toBe(408);
  });

  test('a second Host after thousands of small headers is detected', async () => {
    const many = 'a:b\r\n'.repeat(2_500);
    const answer = await speak(listener.port, `${head()}${many}Host: evil\r\nConnection: close\r\n\r\n`);
    expect(statusOf(answer)).toBe(421);
  });

  test('a body of the maximum size is read completely', async () => {
    const body = 'a'.repeat(1000);
    const answer = await speak(
      listener.port,
      `${head()}Content-Length: 1000\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n${body}`,
    );
    expect(answer).toContain('100 Continue');
    expect(answer).toContain('read 1000');
  });

  test('an unwanted body is not requested', async () => {
    const announced = 'Content-Length: 1001\r\nExpect: 100-continue\r\n\r\n';
    const tooLarge = await speak(listener.port, `${head()}${announced}`);
    expect(statusOf(tooLarge)).toBe(413);
    const early = await speak(listener.port, `PUT /early HTTP/1.1\r\nHost: ${host()}\r\n${announced}`);
    expect(statusOf(early)).toBe(200);
  });

  test('a body is read to its end after an answer that closes the connection, which is never reset', async () => {
    const socket = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true });
    const failures: Error[] = [];
    socket.on('error', (failure) => failures.push(failure));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const lines = 'Content-Length: 200000\r\nConnection: close\r\n\r\n';
    socket.write(`POST /early HTTP/1.1\r\nHost: ${host()}\r\n${lines}`);
    await once(socket, 'data');
    socket.resume();
    for (let sent = 0; sent < 20; sent += 1) {
      await new Promise((resolve) => socket.write(Buffer.alloc(10_000), resolve));
    }
    socket.end();
    await closed;
    expect(failures).toEqual([]);
  });

  test.each(['keep-alive', 'close'])(
    'a refusal reaches a client that is still sending, with Connection: %s',
    async (connection) => {
      const slowListener = await openLoopbackListener({
        port: 0,
        logger: silentLogger,
        handler: (_request, response) => {
          response.setHeader('connection', connection);
          response.statusCode = 413;
          response.end('refused');
        },
      });
      const answers: string[] = [];
      for (let sent = 0; sent < 20; sent += 1) {
        const answer = await fetch(slowListener.origin, { method: 'PUT', body: new Uint8Array(5_000_000) });
        answers.push(`${answer.status} ${await answer.text()}`);
      }
      await slowListener.dispose();
      expect(answers).toEqual(Array<string>(20).fill('413 refused'));
    },
  );

  test('a client that never stops sending is disconnected after its answer', async () => {
    await useShortLimits();
    const socket = openSocket(listener.port);
    socket.write(`POST /early HTTP/1.1\r\nHost: ${host()}\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const sending = setInterval(() => socket.write('3\r\nabc\r\n'), 10);
    const answer = await readAll(socket);
    clearInterval(sending);
    expect(statusOf(answer)).toBe(200);
  });

  const request = (port: number, rest = '') => `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${rest}\r\n`;
  const holders: [string, (port: number) => string, string][] = [
    ['ask for nothing', () => '', 'connect'],
    ['have had their answer', (port) => request(port), 'data'],
    [
      'never end their request',
      (port) => request(port, 'Content-Length: 9\r\nExpect: 100-continue\r\n'),
      'data',
    ],
  ];
  test.each(holders)(
    'connections that are open and %s are closed to make room for others',
    async (_what, said, ready) => {
      const small = await openLoopbackListener({
        port: 0,
        handler,
        logger: silentLogger,
        limits: { maxConnections: 4 },
      });
      const holding = [];
      for (let opened = 0; opened < 12; opened += 1) {
        const socket = openSocket(small.port).on('error', () => {});
        socket.write(said(small.port));
        holding.push(socket);
        await once(socket, ready);
      }
      for (let asked = 0; asked < 3; asked += 1) {
        const answer = await speak(small.port, request(small.port, 'Connection: close\r\n'));
        expect(statusOf(answer)).toBe(200);
      }
      for (const socket of holding) socket.destroy();
      await small.dispose();
    },
  );

  test('other callers are answered while one client sends slowly', async () => {
    const slow = openSocket(listener.port);
    slow.on('error', () => {});
    slow.write(head());
    expect(await (await fetch(`${listener.origin}/`)).text()).toBe('read 0');
    slow.destroy();
  });
});

describe('pipelined requests on one connection', () => {
  const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: ${host()}\r\n${more}\r\n`;

  test('are answered in order', async () => {
    const paths = Array.from({ length: 12 }, (_, at) => `/${at}`);
    const said = paths.map((path) => get(path)).join('') + get('/last', 'Connection: close\r\n');
    const answer = await speak(listener.port, said);
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(13);
    expect(handled).toEqual([...paths, '/last'].map((path) => `GET ${path}`));
  });

  test('reach the handler one at a time', async () => {
    const socket = openSocket(listener.port);
    socket.on('error', () => {});
    socket.write(get('/hold') + get('/behind'));
    await expect.poll(() => handled).toEqual(['GET /hold']);
    expect(await (await fetch(`${listener.origin}/other`)).text()).toBe('read 0');
    expect(handled).toEqual(['GET /hold', 'GET /other']);
    socket.destroy();
  });

  test('end with 429 and their connection when too many wait', async () => {
    const answer = await speak(listener.port, get('/').repeat(60));
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(33);
    expect(answer.match(/HTTP\/1\.1 429/g)).toHaveLength(1);
    expect(handled).toHaveLength(33);
  });

  test('do not delay other callers, however many there are', async () => {
    let served = 0;
    const slowListener = await openLoopbackListener({
      port: 0,
      logger: silentLogger,
      limits: { maxPipelined: 100_000 },
      handler: (asked, response) => {
        served += asked.url === '/many' ? 1 : 0;
        response.end('done');
      },
    });
    const said = `GET /many HTTP/1.1\r\nHost: 127.0.0.1:${slowListener.port}\r\n\r\n`.repeat(5_000);
    const floods = Array.from({ length: 4 }, () => openSocket(slowListener.port).on('error', () => {}));
    for (const flood of floods) flood.write(said);
    await Promise.all(floods.map(async (flood) => once(flood, 'data')));
    const before = served;
    const answer = await speak(
      slowListener.port,
      `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${slowListener.port}\r\nConnection: close\r\n\r\n`,
    );
    expect(statusOf(answer)).toBe(200);
    // One turn of the event loop serves a single request; a packet of 64 KiB holds 1,400.
    expect(served - before).toBeLessThan(200);
    for (const flood of floods) flood.destroy();
    await slowListener.dispose();
  });

  test('of many connections are not all read in one tick of the event loop', async () => {
    const floods = Array.from({ length: 100 }, () => openSocket(listener.port));
    for (const flood of floods) flood.write(get('/').repeat(2));
    await expect.poll(() => handled.length).toBe(200);
    handled = [];
    // The event loop reads nothing in between, so all of them can be read at once afterwards.
    for (const flood of floods) flood.write(get('/').repeat(4));
    let most = 0;
    while (handled.length < 400) {
      const before = handled.length;
      await new Promise(setImmediate);
      most = Math.max(most, handled.length - before);
    }
    // 16 connections, and one request that waited behind another.
    expect(most).toBeLessThan(30);
    for (const flood of floods) flood.destroy();
  });
});

describe('an unreadable request after readable ones', () => {
  const ask = (line: string, more = ''): string => `${line} HTTP/1.1\r\nHost: ${host()}\r\n${more}\r\n`;
  const put = (more: string): string => ask('PUT /', more);
  const noise = 'GARBAGE\r\n\r\n';
  const badChunk = 'Transfer-Encoding: chunked\r\n\r\nzz\r\n';
  const cases: [string, () => string, number[]][] = [
    ['noise behind a change', () => `${put('Content-Length: 2\r\n')}ab${noise}`, [200, 400]],
    ['noise behind a slow answer', () => ask('GET /slow') + noise, [200, 400]],
    ['noise behind a line', () => ask('GET /slow').repeat(3) + noise.repeat(9), [200, 200, 200, 400]],
    ['noise behind a stream', () => ask('GET /stream') + noise, [200, 400]],
    ['noise behind the last request', () => ask('GET /slow', 'Connection: close\r\n') + noise, [200]],
    ['a broken body behind a slow answer', () => ask('GET /slow') + ask('PUT /', badChunk), [200, 400]],
    ['a broken body that was answered early', () => ask('PUT /early', badChunk), [200]],
    [
      'a head that is too large',
      () => `${ask('GET /slow')}GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}`,
      [200, 431],
    ],
    [
      'noise behind too many requests',
      () => ask('GET /').repeat(40) + noise,
      [...Array<number>(33).fill(200), 429],
    ],
  ];
  test.each(cases)('is refused after the earlier answers: %s', async (_name, bytes, statuses) => {
    const answers = await speak(listener.port, bytes());
    expect(answers.match(/HTTP\/1\.1 \d{3}/g)).toEqual(statuses.map((status) => `HTTP/1.1 ${status}`));
  });

  test('with an endless head is refused after the stream before it', async () => {
    await useShortLimits(1_000);
    const answers = await speak(listener.port, `${ask('GET /stream')}GET /`);
    expect(answers.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 408']);
  });

  test('with an invalid body does not reach the handler', async () => {
    await speak(listener.port, ask('GET /slow') + ask('PUT /', badChunk));
    expect(handled).toEqual(['GET /slow']);
  });

  test('does not change an answer that has begun, which ends when its client disconnects', async () => {
    const socket = openSocket(listener.port);
    const answer = readAll(socket);
    socket.write(ask('GET /stream/open'));
    await once(socket, 'data');
    socket.write(noise);
    // The answer to another request proves that earlier bytes were read.
    await (await fetch(`${listener.origin}/other`)).text();
    socket.write(noise);
    socket.end();
    expect(await answer).toMatch(/\r\n\r\n6\r\nfirst \r\n$/);
  });

  test('gets no second answer if only the rest of its body is broken', async () => {
    const socket = openSocket(listener.port);
    const answer = readAll(socket);
    socket.write(ask('PUT /early', 'Transfer-Encoding: chunked\r\n'));
    await once(socket, 'data');
    socket.write('zz\r\n');
    expect((await answer).match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200']);
  });
});

describe('a loopback listener and its owner', () => {
  test('a handler that throws is answered with a neutral 500, and the next request is served', async () => {
    const answer = await fetch(`${listener.origin}/fail`);
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('secret');
    expect((await fetch(`${listener.origin}/`)).status).toBe(200);
  });

  test('closing the listener ends unanswered requests', async () => {
    const waiting = fetch(`${listener.origin}/hold`).catch(() => 'cut');
    await expect.poll(() => handled).toEqual(['GET /hold']);
    await listener.dispose();
    expect(await waiting).toBe('cut');
  });

  test('closing the listener twice has no further effect', async () => {
    await listener.dispose();
    await expect(listener.dispose()).resolves.toBeUndefined();
  });

  test('a port used by another program is named', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    await expect(openLoopbackListener({ port, handler, logger: silentLogger })).rejects.toMatchObject({
      code: 'port_taken',
      data: { port },
    });
    other.close();
  });

  test('a port that the system reserves counts as in use, as on Windows for Hyper-V, WSL and Docker', async () => {
    const { listen } = Server.prototype;
    Server.prototype.listen = function refuse(this: Server) {
      const denied = Object.assign(new Error('listen EACCES: permission denied'), { code: 'EACCES' });
      queueMicrotask(() => this.emit('error', denied));
      return this;
    } as typeof listen;
    try {
      await expect(
        openLoopbackListener({ port: 50_000, handler, logger: silentLogger }),
      ).rejects.toMatchObject({ code: 'port_taken', data: { port: 50_000 } });
    } finally {
      Server.prototype.listen = listen;
    }
  });
});
