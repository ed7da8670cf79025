import { createServer } from 'node:http';
import { createServer as createPlainServer, type AddressInfo, type Server } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createUrlPolicy } from '#core/service-client/index.ts';
import {
  createGuardedFetch,
  maxDocumentBytes,
  refusingFetch,
  type GuardedFetchOptions,
  wasNeverSent,
} from '#core/service-client/oauth/oauth-requests.ts';
import { AppError } from '#shared/errors/index.ts';
import {
  answer,
  endless,
  json,
  stalled,
  startDocumentService,
  startForeignServer,
  type Served,
} from './discovery/document-service.ts';
import { failureOf } from '../failure-of.ts';
import { watchReach } from './watch-reach.ts';

const secret = 'refresh-token-that-must-not-leak';
const form = {
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({ refresh_token: secret }),
};

function guardedFetch(mcpUrl: string, options: Partial<GuardedFetchOptions> = {}) {
  return createGuardedFetch({ policy: createUrlPolicy({ mcpUrl }), timeoutMs: 20_000, ...options });
}

async function sendTo(served: Served, options: Partial<GuardedFetchOptions> = {}): Promise<Response> {
  const service = await startDocumentService();
  service.serve('/token', served);
  return refusingFetch(guardedFetch(service.origin, options))(`${service.origin}/token`, form);
}

/** Expects that no part of the failure that may be shown or logged contains the secret. */
function expectNoSecret(failure: AppError): void {
  const shown = [failure.message, JSON.stringify(failure.data), String(failure.cause), failure.stack];
  expect(shown.join()).not.toContain(secret);
}

describe('the answers of the guarded fetch', () => {
  test('an answer is complete: status, headers, text', async () => {
    const got = await sendTo(answer('{"error":"invalid_grant"}', { status: 400, headers: { 'x-one': '1' } }));
    expect([got.status, got.headers.get('x-one'), await got.json()]).toEqual([
      400,
      '1',
      { error: 'invalid_grant' },
    ]);
  });

  test('an answer without content has no body', async () => {
    const got = await sendTo((response) => void response.writeHead(204).end());
    expect([got.status, await got.text()]).toEqual([204, '']);
  });

  test('cookies are removed', async () => {
    const cookies: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      cookies.push(request.headers.cookie);
      response.writeHead(200, { 'set-cookie': 'a=b; Path=/' }).end('{}');
    });
    const origin = await listening(server);
    const guarded = guardedFetch(origin);
    await guarded(`${origin}/token`, form);
    await guarded(`${origin}/token`, form);
    await closed(server);
    expect(cookies).toEqual([undefined, undefined]);
  });

  test.each([
    ['as large as allowed', ' '.repeat(maxDocumentBytes), maxDocumentBytes],
    ['one byte larger than allowed', ' '.repeat(maxDocumentBytes + 1), 0],
  ])('a text that is %s', async (_, text, length) => {
    const got = await sendTo(answer(text));
    expect((await got.text()).length).toBe(length);
  });

  test('an answer without an end becomes an empty text', async () => {
    expect(await (await sendTo(endless)).text()).toBe('');
  });
});

describe('whether a failed request may have reached the server', () => {
  test.each<[string, Served, string]>([
    ['a redirect', answer('', { status: 307, headers: { location: '/other' } }), 'address_refused'],
    ['a connection that breaks', (response) => response.destroy(), 'service_unreachable'],
    ['an answer that stalls', stalled, 'service_unreachable'],
    ['no answer', () => {}, 'service_unreachable'],
    ['421', answer('{}', { status: 421 }), 'wrong_host'],
    ['429', answer('{}', { status: 429, headers: { 'retry-after': '7' } }), 'rate_limited'],
    ['500', answer('{}', { status: 500 }), 'service_failed'],
    ['503', answer('{}', { status: 503 }), 'service_unavailable'],
  ])('%s: the request may have arrived', async (_, served, code) => {
    const failure = await failureOf(sendTo(served, { timeoutMs: 3_000 }));
    expect([failure.code, wasNeverSent(failure)]).toEqual([code, false]);
    if (code === 'rate_limited') expect(failure.data['retryAfterSeconds']).toBe(7);
    expectNoSecret(failure);
  });

  test('a closed port: the request was certainly not sent', async () => {
    const server = createServer();
    const origin = await listening(server);
    await closed(server);
    const failure = await failureOf(guardedFetch(origin)(`${origin}/token`, form));
    expect([failure.code, wasNeverSent(failure)]).toEqual(['service_unreachable', true]);
    expectNoSecret(failure);
  });

  test('an address that the policy refuses: the request was certainly not sent', async () => {
    const foreign = await startForeignServer();
    const guarded = guardedFetch('http://127.0.0.1:1');
    const failure = await failureOf(guarded(`http://localhost:${foreign.port}/token`, form));
    expect([failure.code, wasNeverSent(failure)]).toEqual(['address_refused', true]);
    expect(foreign.received).toEqual([]);
    expectNoSecret(failure);
  });

  test('any other failure does not prove that the request was not sent', () => {
    expect([new Error('x'), new AppError('internal'), null, undefined].map(wasNeverSent)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  test('a server with an untrusted certificate or without TLS: the request was certainly not sent', async () => {
    const received: Buffer[] = [];
    const server = createPlainServer((socket) => {
      socket.on('data', (bytes) => {
        received.push(bytes);
        socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
      });
      socket.on('error', () => {});
    });
    const origin = (await listening(server)).replace('http:', 'https:');
    const failure = await failureOf(guardedFetch(origin)(`${origin}/token`, form));
    await closed(server);
    expect([failure.code, wasNeverSent(failure)]).toEqual(['service_unreachable', true]);
    expect(Buffer.concat(received).toString('latin1')).not.toContain(secret);
    expectNoSecret(failure);
  });

  test('a request is sent once, whatever the answer is', async () => {
    for (const served of [
      answer('{}', { status: 421 }),
      answer('{}', { status: 503 }),
      stalled,
    ] as Served[]) {
      const service = await startDocumentService();
      service.serve('/token', served);
      const guarded = refusingFetch(guardedFetch(service.origin, { timeoutMs: 3_000 }));
      await failureOf(guarded(`${service.origin}/token`, form));
      expect(service.paths).toEqual(['/token']);
    }
  });

  test('a request is not repeated after its connection broke', async () => {
    const service = await startDocumentService();
    service.serve('/token', (response) => response.destroy());
    await failureOf(guardedFetch(service.origin)(`${service.origin}/token`, form));
    expect(service.paths).toEqual(['/token']);
  });
});

describe('host names that were not configured', () => {
  const live = 'https://mcp.example.com';

  test.each([
    ['one private address', ['10.0.0.1']],
    ['a private address among public ones', ['93.184.216.34', '127.0.0.1']],
    ['the metadata service of a cloud', ['169.254.169.254']],
    ['this machine', ['::1']],
    ['an IPv4 address in other clothes', ['::ffff:127.0.0.1']],
    ['no address', []],
  ])('%s: refused before anything is sent', async (_, addresses) => {
    const reach = watchReach();
    const guarded = guardedFetch(live, { lookup: async () => addresses });
    const failure = await failureOf(guarded('https://login.example.org/token', form));
    expect([failure.code, wasNeverSent(failure)]).toEqual(['address_refused', true]);
    expect(reach.connections).toEqual([]);
    expectNoSecret(failure);
  });

  test('a name that does not resolve is unreachable', async () => {
    const reach = watchReach();
    const guarded = guardedFetch(live, { lookup: () => Promise.reject(new Error('ENOTFOUND')) });
    const failure = await failureOf(guarded('https://login.example.org/token', form));
    expect([failure.code, wasNeverSent(failure)]).toEqual(['service_unreachable', true]);
    expect(reach.connections).toEqual([]);
  });

  test('a name lookup that never ends is cancelled after the deadline', async () => {
    const guarded = guardedFetch(live, { lookup: () => new Promise(() => {}), timeoutMs: 50 });
    const failure = await failureOf(guarded('https://login.example.org/token', form));
    expect([failure.code, wasNeverSent(failure)]).toEqual(['service_unreachable', true]);
  });

  test('a name with only public addresses is used; the configured name is not looked up', async () => {
    const asked: string[] = [];
    const reach = watchReach();
    const guarded = guardedFetch(live, {
      lookup: async (name) => {
        asked.push(name);
        return ['93.184.216.34', '2606:4700:4700::1111'];
      },
    });
    // The tests may not reach this host, so only the failure is awaited.
    await failureOf(guarded('https://login.example.org/token', form));
    await failureOf(guarded(`${live}/token`, form));
    expect(asked).toEqual(['login.example.org']);
    expect(reach.connections).toEqual(['login.example.org:443', 'mcp.example.com:443']);
  });
});

describe('a cancelled request fails with the caller’s reason', () => {
  const reason = new AppError('sign_in_cancelled');

  test('before anything was sent', async () => {
    const reach = watchReach();
    const guarded = guardedFetch('http://127.0.0.1:1', { signal: AbortSignal.abort(reason) });
    expect(await failureOf(guarded('http://127.0.0.1:1/token', form))).toBe(reason);
    expect(reach.connections).toEqual([]);
  });

  test('while a name is looked up', async () => {
    const cancel = new AbortController();
    const lookup = (): Promise<string[]> => {
      cancel.abort(reason);
      return new Promise(() => {});
    };
    const guarded = guardedFetch('https://mcp.example.com', { lookup, signal: cancel.signal });
    expect(await failureOf(guarded('https://login.example.org/token', form))).toBe(reason);
  });

  test('while the answer arrives, through the signal of the request', async () => {
    const cancel = new AbortController();
    const service = await startDocumentService();
    service.serve('/token', (response) => {
      stalled(response);
      cancel.abort(reason);
    });
    const guarded = guardedFetch(service.origin);
    const sent = guarded(`${service.origin}/token`, { ...form, signal: cancel.signal });
    expect(await failureOf(sent)).toBe(reason);
  });
});

test('the OAuth library uses the guarded fetch, which follows no redirects', async () => {
  const service = await startDocumentService();
  service.serve('/token', json({ access_token: 'a', token_type: 'bearer' }));
  const { genericTokenEndpointRequest, None, customFetch, allowInsecureRequests } =
    await import('oauth4webapi');
  const got = await genericTokenEndpointRequest(
    { issuer: service.origin, token_endpoint: `${service.origin}/token` },
    { client_id: 'a' },
    None(),
    'refresh_token',
    { refresh_token: secret },
    { [customFetch]: refusingFetch(guardedFetch(service.origin)), [allowInsecureRequests]: true },
  );
  expect(await got.json()).toEqual({ access_token: 'a', token_type: 'bearer' });
});

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function closed(server: Server): Promise<void> {
  await new Promise((resolve) => server.close(resolve));
}
