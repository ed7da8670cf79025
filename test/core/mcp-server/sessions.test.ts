import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { AppError } from '#shared/errors/index.ts';
import { createManualClock, type ManualClock } from '#test/servers/manual-clock.ts';
import { openEndpoint } from './open-endpoint.ts';
import type { EndpointSetup, OpenEndpoint } from './open-endpoint.ts';
import { openStream } from './open-stream.ts';
import { eventually } from '#test/setup/eventually.ts';

const opened: OpenEndpoint[] = [];

async function open(setup: EndpointSetup = {}): Promise<OpenEndpoint> {
  const endpoint = await openEndpoint(setup);
  opened.push(endpoint);
  return endpoint;
}

afterEach(async () => {
  for (const endpoint of opened.splice(0)) await endpoint.dispose();
});

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

test('initialize states the server, its capabilities and its version', async () => {
  const endpoint = await open();
  const params = { capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const ask = async (protocolVersion: string) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { ...params, protocolVersion } };
    return (await endpoint.send({ body })).body.result;
  };
  expect(await ask('2025-11-25')).toEqual({
    protocolVersion: '2025-11-25',
    capabilities: {
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      prompts: { listChanged: true },
      completions: {},
      logging: {},
    },
    serverInfo: { name: 'test', title: 'Test', version: '1' },
    instructions: 'Be kind.',
  });
  expect(await ask('2025-03-26')).toMatchObject({ protocolVersion: '2025-03-26' });
  expect(await ask('2099-01-01')).toMatchObject({ protocolVersion: '2025-11-25' });
});

test.each<[what: string, headers: Record<string, string>]>([
  ['alone', {}],
  ['with the headers of its revision', { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'initialize' }],
])(
  'a client that initializes with revision 2026-07-28 %s gets a session of 2025-11-25',
  async (_what, headers) => {
    const endpoint = await open();
    const params = {
      protocolVersion: '2026-07-28',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    const answer = await endpoint.send({ body, headers });
    expect(answer.body.result).toMatchObject({ protocolVersion: '2025-11-25' });
    expect(answer.headers.get('mcp-session-id')).not.toBeNull();
  },
);

test('every session has a secret and unique id', async () => {
  const endpoint = await open();
  const ids = await Promise.all([1, 2, 3].map(() => endpoint.initialize()));
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(id).toMatch(/^[\w-]{43}$/);
});

test('DELETE ends a session, which is unknown afterwards', async () => {
  const endpoint = await open();
  const session = await endpoint.initialize();
  const stream = await openStream(endpoint.url, { session, method: 'GET' });
  expect((await endpoint.send({ session, method: 'DELETE' })).status).toBe(204);
  expect(await stream.rest()).toEqual([]);
  expect((await endpoint.send({ session, body: ping })).status).toBe(404);
  expect((await endpoint.send({ session, method: 'DELETE' })).status).toBe(404);
  expect(endpoint.mcp.sessions).toBe(0);
});

test('a stream whose client disconnected before it opened does not keep its session alive', async () => {
  const clock = createManualClock();
  const arrived = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const endpoint = await open({
    clock,
    limits: { sessionIdleMs: 60_000 },
    async authenticate(request) {
      if (request.method === 'GET') {
        arrived.resolve();
        await once(request.socket, 'close');
        left.resolve();
      }
      return { key: 'alice', grantId: null };
    },
  });
  const session = await endpoint.initialize();
  const abort = new AbortController();
  const listening = endpoint.send({ session, method: 'GET', signal: abort.signal });
  await arrived.promise;
  abort.abort();
  await expect(listening).rejects.toThrow();
  await left.promise;
  await eventually(() => {
    clock.advance(120_000);
    expect(endpoint.mcp.sessions).toBe(0);
  });
});

test('a principal has a limited number of sessions, and the least recently used ends first', async () => {
  const endpoint = await open({ limits: { maxSessionsPerPrincipal: 2 } });
  const first = await endpoint.initialize();
  const second = await endpoint.initialize();
  const foreign = await endpoint.initialize({ token: 'bob' });
  await endpoint.send({ session: first, body: ping });
  const third = await endpoint.initialize();
  const statusOf = async (session: string, token = 'alice') =>
    (await endpoint.send({ session, token, body: ping })).status;
  expect(await statusOf(second)).toBe(404);
  expect(await Promise.all([statusOf(first), statusOf(third), statusOf(foreign, 'bob')])).toEqual([
    200, 200, 200,
  ]);
});

test('the number of sessions is limited, and the least recently used ends first', async () => {
  const endpoint = await open({ limits: { maxSessions: 2 } });
  const first = await endpoint.initialize({ token: 'a' });
  await endpoint.initialize({ token: 'b' });
  await endpoint.initialize({ token: 'c' });
  expect(endpoint.mcp.sessions).toBe(2);
  expect((await endpoint.send({ session: first, token: 'a', body: ping })).status).toBe(404);
});

test.each([
  ['of one principal', { maxSessionsPerPrincipal: 2 }],
  ['in total', { maxSessions: 2 }],
])('a session with a waiting call outlasts newer sessions if too many are open %s', async (_what, limits) => {
  const calls: PromiseWithResolvers<string>[] = [];
  const wait = (): Promise<string> => {
    calls.push(Promise.withResolvers<string>());
    return calls.at(-1)?.promise ?? Promise.resolve('');
  };
  const endpoint = await open({ limits, tools: { wait } });
  const statusOf = async (session: string) => (await endpoint.send({ session, body: ping })).status;
  const waitIn = (session: string) => endpoint.request(session, 'tools/call', { name: 'wait' });
  const waiting = await endpoint.initialize();
  const call = waitIn(waiting);
  await expect.poll(() => calls.length).toBe(1);
  const second = await endpoint.initialize();
  const third = await endpoint.initialize();
  expect(await Promise.all([statusOf(second), statusOf(third)])).toEqual([404, 200]);
  calls[0]?.resolve('Done');
  expect((await call).error).toBeUndefined();

  // If a call is waiting in each session, the least recently used session ends.
  const ended = waitIn(third);
  await expect.poll(() => calls.length).toBe(2);
  const kept = waitIn(waiting);
  await expect.poll(() => calls.length).toBe(3);
  const last = await endpoint.initialize();
  expect((await ended).error).toBeDefined();
  expect(await Promise.all([statusOf(third), statusOf(waiting), statusOf(last)])).toEqual([404, 200, 200]);
  calls[2]?.resolve('Done');
  expect((await kept).error).toBeUndefined();
});

test('an unused session ends, and a session with an open stream stays', async () => {
  const clock = createManualClock();
  const endpoint = await open({ clock, limits: { sessionIdleMs: 60_000 } });
  clock.advance(10_000);
  const idle = await endpoint.initialize();
  const asked = await endpoint.initialize();
  const listening = await endpoint.initialize();
  const stream = await openStream(endpoint.url, { session: listening, method: 'GET' });
  // The first sweep runs before any session is idle, and the second sweep after the checks below.
  clock.advance(40_000);
  clock.advance(20_001);
  expect(endpoint.mcp.sessions).toBe(3);
  expect((await endpoint.send({ session: asked, body: ping })).status).toBe(404);
  clock.advance(10_000);
  expect(endpoint.mcp.sessions).toBe(1);
  expect((await endpoint.send({ session: idle, body: ping })).status).toBe(404);
  expect((await endpoint.send({ session: listening, body: ping })).status).toBe(200);
  stream.leave();
});

test('a session counts as present while its stream is open, and the end of the stream is reported', async () => {
  let reports = 0;
  const endpoint = await open({ onSessions: () => (reports += 1) });
  const session = await endpoint.initialize();
  expect([...endpoint.mcp.present()]).toEqual([]);
  const stream = await openStream(endpoint.url, { session, method: 'GET' });
  expect([...endpoint.mcp.present()]).toEqual(['alice']);
  const before = reports;
  stream.leave();
  await expect.poll(() => reports).toBe(before + 1);
  expect([...endpoint.mcp.present()]).toEqual([]);
});

test('setting the clock forward ends no session, and setting it back keeps none alive', async () => {
  const clock = createManualClock();
  const endpoint = await open({ clock, limits: { sessionIdleMs: 60_000 } });
  const session = await endpoint.initialize();
  await endpoint.initialize();
  clock.setForward(24 * 60 * 60_000);
  clock.advance(30_000);
  expect(endpoint.mcp.sessions).toBe(2);
  expect((await endpoint.send({ session, body: ping })).status).toBe(200);
  clock.setForward(-48 * 60 * 60_000);
  clock.advance(30_001);
  clock.advance(30_000);
  expect(endpoint.mcp.sessions).toBe(0);
});

test('a session can listen on one stream at a time', async () => {
  const endpoint = await open();
  const session = await endpoint.initialize();
  const stream = await openStream(endpoint.url, { session, method: 'GET' });
  const second = await endpoint.send({ session, method: 'GET' });
  expect(second.status).toBe(409);
  expect(second.body).toMatchObject({ id: null, error: { data: { code: 'stream_open' } } });
  stream.leave();
});

test('the end of a grant ends its sessions, streams and calls, and no other session', async () => {
  const calls: AbortSignal[] = [];
  const begun = Promise.withResolvers<void>();
  const endpoint = await open({
    tools: {
      wait: async (_args, { signal }) => {
        calls.push(signal);
        begun.resolve();
        return new Promise(() => {});
      },
    },
  });
  const ended = await endpoint.initialize({ token: 'alice/grant-1' });
  const other = await endpoint.initialize({ token: 'alice/grant-2' });
  const stream = await openStream(endpoint.url, { session: ended, token: 'alice/grant-1', method: 'GET' });
  const call = endpoint.send({
    session: ended,
    token: 'alice/grant-1',
    body: { ...ping, method: 'tools/call', params: { name: 'wait' } },
  });
  await begun.promise;
  endpoint.mcp.endGrant('grant-1');
  expect(await stream.rest()).toEqual([]);
  expect((await call).events).toMatchObject([{ id: 1, error: { data: { code: 'session_ended' } } }]);
  expect(calls[0]?.aborted).toBe(true);
  expect((await endpoint.send({ session: ended, token: 'alice/grant-1', body: ping })).status).toBe(404);
  expect((await endpoint.send({ session: other, token: 'alice/grant-2', body: ping })).status).toBe(200);
});

test.each(['grant-1', 'grant-2'])(
  'a session continues with a new grant of the same client, and ends when either grant ends: %s',
  async (ended) => {
    const endpoint = await open();
    const session = await endpoint.initialize({ token: 'alice/grant-1' });
    const status = async () => (await endpoint.send({ session, token: 'alice/grant-2', body: ping })).status;
    expect(await status()).toBe(200);
    endpoint.mcp.endGrant(ended);
    expect(await status()).toBe(404);
  },
);

test('closing the endpoint answers every call and ends every stream within seconds, and accepts nothing more', async () => {
  const begun = Promise.withResolvers<AbortSignal>();
  const endpoint = await open({
    tools: {
      wait: (_args, { signal }) => {
        begun.resolve(signal);
        return new Promise(() => {});
      },
    },
  });
  const session = await endpoint.initialize();
  const stream = await openStream(endpoint.url, { session, method: 'GET' });
  const call = endpoint.request(session, 'tools/call', { name: 'wait' });
  const signal = await begun.promise;
  await endpoint.mcp.dispose();
  expect(await stream.rest()).toEqual([]);
  expect(await call).toMatchObject({ error: { data: { code: 'session_ended' } } });
  expect(signal.aborted).toBe(true);
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const late = await endpoint.send({ body: { ...ping, method: 'initialize', params } });
  expect(late.status).toBe(503);
  expect(endpoint.mcp.sessions).toBe(0);
});

test('a stream sends comments so that no proxy closes it', async () => {
  const endpoint = await open({ limits: { keepAliveMs: 5 } });
  const session = await endpoint.initialize();
  const leaving = new AbortController();
  const answer = await fetch(endpoint.url, {
    headers: { authorization: 'Bearer alice', accept: 'text/event-stream', 'mcp-session-id': session },
    signal: leaving.signal,
  });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const part = await answer.body?.getReader().read();
  expect(new TextDecoder().decode(part?.value)).toBe(': keepalive\n\n');
  leaving.abort();
});

describe('the end of a session is reported once with its reason', () => {
  type Way = (endpoint: OpenEndpoint, session: string, clock: ManualClock) => Promise<unknown> | void;
  const alice = 'alice/grant-1';
  const ways: [string, 'asked' | 'dropped', Way][] = [
    ['its client ended it', 'asked', (endpoint, session) => endpoint.send({ session, method: 'DELETE' })],
    ['it was idle', 'dropped', (_endpoint, _session, clock) => clock.advance(60_001)],
    ['its client opened too many sessions', 'dropped', (endpoint) => endpoint.initialize({ token: alice })],
    [
      'too many sessions were open',
      'dropped',
      async (endpoint) => {
        await endpoint.initialize({ token: 'bob' });
        await endpoint.initialize({ token: 'carol' });
      },
    ],
    ['its grant ended', 'dropped', (endpoint) => endpoint.mcp.endGrant('grant-1')],
    ['its client is no longer registered', 'dropped', (endpoint) => endpoint.mcp.listsChanged(() => true)],
    ['the endpoint closed', 'dropped', (endpoint) => endpoint.mcp.dispose()],
  ];

  test.each(ways)('%s: %s', async (_why, how, way) => {
    const clock = createManualClock();
    const reported: unknown[] = [];
    const endpoint = await open({
      clock,
      limits: { sessionIdleMs: 60_000, maxSessionsPerPrincipal: 1, maxSessions: 2 },
      parts: {
        current: () => null,
        sessionEnded: ({ key }, id, end) => void reported.push([key, id, end]),
      },
    });
    const session = await endpoint.initialize({ token: alice });
    await way(endpoint, session, clock);
    await expect.poll(() => reported).toEqual([['alice', session, how]]);
    expect((await endpoint.send({ session, method: 'DELETE' })).status).not.toBe(204);
    expect(reported).toHaveLength(1);
  });

  test('and an error in that report does not prevent new sessions', async () => {
    const endpoint = await open({
      limits: { maxSessionsPerPrincipal: 1 },
      parts: {
        sessionEnded() {
          throw new AppError('storage_failed');
        },
      },
    });
    const first = await endpoint.initialize();
    const second = await endpoint.initialize();
    expect((await endpoint.send({ session: first, body: ping })).status).toBe(404);
    expect((await endpoint.send({ session: second, method: 'DELETE' })).status).toBe(507);
  });
});
