import { METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSocket, readAll, speak } from '#test/core/platform/loopback/raw-socket.ts';
import { startBackend } from '../open-backend.ts';
import type { RunningBackend } from '../open-backend.ts';

let service: RunningBackend;
let accessToken: string;

beforeAll(async () => {
  service = await startBackend({ campaigns: 5 });
  ({ accessToken } = await service.backend.issueRemoteGrant({
    account: 'buyer',
    scopes: ['svc:read', 'svc:write'],
  }));
});
afterAll(() => service.dispose());

/** Every path of the service with its allowed methods. */
const addresses: readonly [path: string, methods: readonly string[]][] = [
  ['/api/v1/login/campaigns/campaigns', ['GET']],
  ['/api/v1/login/campaigns/104201', ['GET', 'PUT']],
  ['/api/v1/login/campaigns/update-status', ['PUT']],
  ['/xml/stats', ['GET']],
  ['/publisher/search-report', ['GET']],
  ['/uploads/none.png', ['GET']],
  ['/health', ['GET']],
  ['/ready', ['GET']],
  ['/.well-known/oauth-protected-resource/mcp', ['GET', 'HEAD']],
  ['/.well-known/oauth-authorization-server', ['GET', 'HEAD']],
  ['/authorize', ['GET', 'POST']],
  ['/token', ['POST']],
  ['/register', ['POST']],
  ['/revoke', ['POST']],
  ['/mcp', ['GET', 'POST', 'DELETE']],
];

const paths = addresses.map(([path]) => path);
const routes = addresses.flatMap(([path, methods]) => methods.map((method) => [method, path] as const));

interface Answer {
  status: number;
  headers: Map<string, string>;
  body: string;
}

function answerOf(bytes: string): Answer {
  const [head = '', ...body] = bytes.split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const headers = fields.map((field): [string, string] => {
    const colon = field.indexOf(':');
    return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
  });
  return { status: Number(line.split(' ')[1]), headers: new Map(headers), body: body.join('\r\n\r\n') };
}

/** Sends a request with these lines and reads the connection to its end. The Host header is ours unless `host` is given. */
async function send(
  line: string,
  {
    host = [`Host: 127.0.0.1:${service.port}`],
    fields = [],
    body = '',
  }: { host?: string[]; fields?: string[]; body?: string } = {},
): Promise<Answer> {
  const head = [`${line} HTTP/1.1`, ...host, ...fields, 'Connection: close'];
  return answerOf(await speak(service.port, `${head.join('\r\n')}\r\n\r\n${body}`));
}

/**
 * Checks the rules for every answer (checks.md, "every answer: nosniff, no-store, no stack, no version"), and that there is
 * no CORS header.
 */
function expectHardened(name: string, { headers, body }: Answer): void {
  expect([name, headers.get('x-content-type-options')]).toEqual([name, 'nosniff']);
  expect([name, headers.get('cache-control')]).toEqual([name, 'no-store']);
  const telling = [...headers.keys()].filter((header) =>
    /^(access-control-|server$|x-powered-by$|via$)/.test(header),
  );
  expect([name, telling]).toEqual([name, []]);
  expect([name, /\bat \S+ \(|node_modules|\.ts:\d|oidc|fastify|koa|sqlite/i.exec(body)?.[0]]).toEqual([
    name,
    undefined,
  ]);
}

/** One refusal by each guard of the listener. The listener's own tests have the other cases. */
const refusals: readonly [what: string, status: number, options: () => Parameters<typeof send>[1]][] = [
  ['a foreign Host', 421, () => ({ host: ['Host: evil.example'] })],
  ['a foreign Origin', 403, () => ({ fields: ['Origin: https://evil.example'] })],
  ['an unsupported transfer coding', 400, () => ({ fields: ['Transfer-Encoding: gzip, chunked'] })],
];

describe('at every address and before any other check', () => {
  test.each(refusals)('%s is answered with %i', async (what, status, options) => {
    for (const [method, path] of routes) {
      const answer = await send(`${method} ${path}`, options());
      expect([method, path, answer.status]).toEqual([method, path, status]);
      expectHardened(`${what} ${path}`, answer);
    }
  });

  test('a preflight request grants nothing', async () => {
    for (const path of paths) {
      const answer = await send(`OPTIONS ${path}`, {
        fields: [`Origin: http://127.0.0.1:${service.port}`, 'Access-Control-Request-Method: POST'],
      });
      expect([path, [401, 405].includes(answer.status)]).toEqual([path, true]);
      expectHardened(path, answer);
    }
  });
});

describe('every response', () => {
  test('of every address and method has security headers, and an unsupported method is 405 with the supported ones', async () => {
    for (const [path, methods] of addresses) {
      // The service has no path for CONNECT, and refuses it on the bare socket.
      for (const method of METHODS.filter((each) => each !== 'CONNECT')) {
        const answer = await send(`${method} ${path}`, { fields: ['Content-Length: 0'] });
        expectHardened(`${method} ${path}`, answer);
        const isTaken = methods.includes(method);
        expect([method, path, answer.status === 405]).toEqual([method, path, !isTaken]);
        if (isTaken) continue;
        const allowed = answer.headers.get('allow')?.split(', ').toSorted();
        expect([method, path, allowed]).toEqual([method, path, methods.toSorted()]);
      }
    }
  });

  test.each([
    '/',
    '/favicon.ico',
    '/robots.txt',
    '/api',
    '/api/v1',
    '/api/v2/login/campaigns/campaigns',
    '/mcp/',
    '/MCP',
    '/%6dcp',
    '/sse',
    '/messages',
    '/token/',
    '/health/',
    '/.well-known',
    '/.well-known/',
    '/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server/mcp',
    '/.well-known/security.txt',
    '/.well-known/../mcp',
    '/introspect',
    '/userinfo',
    '/jwks',
    '/device/auth',
    '/session/end',
    '/request',
    '/interaction',
    '/uploads',
    '/uploads/',
    '/uploads/../backend.sqlite',
    '/uploads/%2e%2e%2fbackend.sqlite',
  ])('for %s is 404', async (path) => {
    const answer = await send(`GET ${path}`);
    expect(answer.status).toBe(404);
    expectHardened(path, answer);
  });
});

const bearer = (): string => `Authorization: Bearer ${accessToken}`;
const mcpFields = (): string[] => [
  bearer(),
  'Content-Type: application/json',
  'Accept: application/json, text/event-stream',
];

describe('a request body', () => {
  const places: readonly [path: string, fields: () => string[]][] = [
    ['/mcp', mcpFields],
    ['/token', () => ['Content-Type: application/x-www-form-urlencoded']],
    ['/register', () => ['Content-Type: application/json']],
    ['/revoke', () => ['Content-Type: application/x-www-form-urlencoded']],
  ];

  test.each(places)('beyond the limit of %s is refused before it is requested', async (path, fields) => {
    const answer = await send(`POST ${path}`, {
      fields: [...fields(), 'Content-Length: 50000000', 'Expect: 100-continue'],
    });
    expect(answer.status).toBe(413);
    expectHardened(path, answer);
  });

  test.each([
    ['/mcp', 'text/plain', 415],
    ['/mcp', 'application/x-www-form-urlencoded', 415],
    ['/token', 'application/json', 400],
    ['/token', 'multipart/form-data; boundary=x', 400],
    ['/register', 'text/plain', 400],
    ['/api/v1/login/campaigns/update-status', 'text/plain', 415],
  ] as const)('is not read at %s as %s', async (path, type, status) => {
    const method = path.startsWith('/api') ? 'PUT' : 'POST';
    const token = path === '/mcp' ? bearer() : `Authorization: Bearer ${service.credentials.memberToken}`;
    const answer = await send(`${method} ${path}`, {
      fields: [
        ...(path === '/token' || path === '/register' ? [] : [token]),
        'Accept: application/json, text/event-stream',
        `Content-Type: ${type}`,
        'Content-Length: 2',
      ],
      body: '{}',
    });
    expect(answer.status).toBe(status);
    expectHardened(path, answer);
  });
});

describe('a slow sender', () => {
  test('is ended with 408 at every address while health still answers, and an open stream stays', async () => {
    const limits = { headersTimeoutMs: 1_500, requestTimeoutMs: 1_500, timeoutCheckMs: 50, keepAliveMs: 200 };
    const own = await startBackend({ campaigns: 5, limits });
    try {
      const grant = await own.backend.issueRemoteGrant({ account: 'buyer', scopes: ['svc:read'] });
      const headers = {
        authorization: `Bearer ${grant.accessToken}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      };
      const url = `http://127.0.0.1:${own.port}/mcp`;
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
      });
      const opened = await fetch(url, { method: 'POST', headers, body });
      await opened.text();
      const session = { ...headers, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
      const ready = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
      await (await fetch(url, { method: 'POST', headers: session, body: ready })).text();
      const stream = await fetch(url, { headers: session });
      expect(stream.status).toBe(200);

      const slow = [
        ...(['/mcp', '/token', '/register', '/revoke'] as const).map((path) => `POST ${path}`),
        'PUT /api/v1/login/campaigns/104201',
      ].map(async (line) => {
        const socket = openSocket(own.port);
        const type = /token|revoke/.test(line) ? 'application/x-www-form-urlencoded' : 'application/json';
        const token = line.startsWith('PUT') ? own.credentials.memberToken : grant.accessToken;
        const fields = [`Host: 127.0.0.1:${own.port}`, `Content-Type: ${type}`, 'Content-Length: 100'];
        const auth = /mcp|PUT/.test(line)
          ? [`Authorization: Bearer ${token}`, `Accept: ${headers.accept}`]
          : [];
        socket.write(`${[`${line} HTTP/1.1`, ...fields, ...auth].join('\r\n')}\r\n\r\n{`);
        return [line, answerOf(await readAll(socket)).status];
      });
      expect((await fetch(`http://127.0.0.1:${own.port}/health`)).status).toBe(200);
      for (const [line, status] of await Promise.all(slow)) expect([line, status]).toEqual([line, 408]);

      // All timeouts have passed by now, and the stream must still deliver events.
      own.backend.setAccess(own.credentials.uid, { modules: ['uploads'] });
      const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
      let reported = '';
      while (!reported.includes('list_changed')) {
        const { value, done } = await reader.read();
        if (done) break;
        reported += Buffer.from(value).toString();
      }
      expect(reported).toContain('notifications/tools/list_changed');
      await reader.cancel();
    } finally {
      await own.dispose();
    }
  });
});
