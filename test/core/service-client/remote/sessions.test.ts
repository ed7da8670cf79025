import { expect, test } from 'vitest';
import { createManualClock } from '#test/servers/manual-clock.ts';
import {
  failureOf,
  fixedAccess,
  giveResult,
  inTurn,
  initializeResult,
  openClient,
  openEvents,
  refuse,
  sessionId,
  silence,
  startFakeMcp,
} from './fake-mcp.ts';

test('nothing is sent before the first call, and simultaneous first calls share one session', async () => {
  const fake = await startFakeMcp();
  const client = openClient(fake.mcpUrl);
  expect(fake.received).toEqual([]);
  await Promise.all([
    client.supportsCompletion(),
    client.listTools(),
    client.callTool('x', {}),
    client.callTool('y', {}),
  ]);
  expect(fake.methods().filter((method) => method === 'initialize')).toHaveLength(1);
  const after = fake.received.slice(1);
  expect(after.every(({ headers }) => headers['mcp-session-id'] === sessionId)).toBe(true);
  expect(after.every(({ headers }) => headers['mcp-protocol-version'] === '2025-11-25')).toBe(true);
  expect(fake.received.every(({ headers }) => headers.authorization === 'Bearer token-1')).toBe(true);
});

test('the client speaks the older version of a service, and sends no session id if it got none', async () => {
  const fake = await startFakeMcp({
    initialize: giveResult({ ...initializeResult, protocolVersion: '2025-06-18' }),
  });
  const client = openClient(fake.mcpUrl);
  await client.supportsCompletion();
  expect(fake.received.at(-1)?.headers['mcp-session-id']).toBeUndefined();
  expect(fake.received.at(-1)?.headers['mcp-protocol-version']).toBe('2025-06-18');
});

test('the start of a session and reads wait for a service that is not ready, and calls do not', async () => {
  const clock = createManualClock();
  const reported: number[] = [];
  const pauses = {
    clock: {
      ...clock,
      after(delayMs: number, call: () => void) {
        if (delayMs < 10_000) setImmediate(call);
        return clock.after(delayMs, () => undefined);
      },
    },
    random: () => 0,
    onWait: ({ retryAtMs }: { retryAtMs: number }) => {
      reported.push(retryAtMs - clock.nowMs());
      return () => undefined;
    },
  };
  const fake = await startFakeMcp({
    'tools/list': inTurn(refuse(429, { 'retry-after': '3' }), giveResult({ tools: [] })),
    'tools/call': refuse(503),
  });
  const usual = giveResult(initializeResult);
  fake.answers['initialize'] = inTurn(refuse(503), refuse(503, { 'retry-after': '2' }), usual);
  const client = openClient(fake.mcpUrl, { pauses });
  expect(await client.listTools()).toEqual([]);
  expect(reported).toEqual([0, 2000, 3000]);
  expect((await failureOf(client.callTool('x', {}))).code).toBe('service_unavailable');
  expect(fake.methods().filter((method) => method === 'tools/call')).toHaveLength(1);
});

test('a call that joins the beginning of a session shortly before its time is up gets a time of its own', async () => {
  const clock = createManualClock();
  const fake = await startFakeMcp({ initialize: inTurn(silence, giveResult(initializeResult)) });
  const client = openClient(fake.mcpUrl, { timeoutMs: 1000, pauses: { clock, random: () => 0 } });
  const first = failureOf(client.listTools());
  await fake.came('initialize');
  clock.advance(999);
  const joined = [client.listTools(), client.supportsCompletion()];
  clock.advance(1);
  expect((await first).code).toBe('service_unreachable');
  expect(await Promise.all(joined)).toEqual([[], false]);
  expect(fake.methods().filter((method) => method === 'initialize')).toHaveLength(2);
});

test.each(['token\n', 'tökén', ''])(
  'a token that is invalid as a header (%j) is never sent',
  async (token) => {
    const fake = await startFakeMcp();
    const failure = await failureOf(openClient(fake.mcpUrl, { access: fixedAccess(token) }).listTools());
    expect(failure.code).toBe('credential_missing');
    expect(fake.received).toEqual([]);
  },
);

test('disposing the client ends the session, closes every connection, and is final', async () => {
  const closed = Promise.withResolvers<void>();
  const fake = await startFakeMcp({
    'tools/call': silence,
    GET: (response) => {
      openEvents(response);
      response.on('close', closed.resolve);
    },
  });
  const client = openClient(fake.mcpUrl);
  const calling = failureOf(client.callTool('wait', {}));
  await Promise.all([fake.came('GET'), fake.came('tools/call')]);
  await Promise.all([client.dispose(), client.dispose()]);
  await closed.promise;
  const { headers } = fake.received.at(-1) ?? {};
  expect(fake.methods().at(-1)).toBe('DELETE');
  expect(headers).toMatchObject({ 'mcp-session-id': sessionId, authorization: 'Bearer token-1' });
  expect((await calling).code).toBe('outcome_unknown');
  expect((await failureOf(client.listTools())).code).toBe('call_cancelled');
});

test('a client can be disposed before its first use, while its session begins, and if the service refuses to end the session', async () => {
  const unused = openClient('http://127.0.0.1:1');
  await unused.dispose();

  const hanging = await startFakeMcp({ initialize: silence });
  const beginning = openClient(hanging.mcpUrl);
  const call = failureOf(beginning.listTools());
  await hanging.came('initialize');
  await beginning.dispose();
  expect((await call).code).toBe('call_cancelled');

  for (const answer of [refuse(405), refuse(500), refuse(404)]) {
    const fake = await startFakeMcp({ DELETE: answer });
    const client = openClient(fake.mcpUrl);
    await client.supportsCompletion();
    await client.dispose();
    expect(fake.methods().at(-1)).toBe('DELETE');
  }
});

test('a session id that is invalid as a header fails the session', async () => {
  const fake = await startFakeMcp({
    initialize: (response, received) => {
      response.setHeader('mcp-session-id', 'two words');
      giveResult(initializeResult)(response, received);
    },
  });
  expect((await failureOf(openClient(fake.mcpUrl).listTools())).code).toBe('service_answer_unreadable');
});

test('no redirect is followed for any request, so that the token goes to one address only', async () => {
  const elsewhere = await startFakeMcp();
  const away = (status: number) => refuse(status, { location: `${elsewhere.mcpUrl}/mcp` });
  const answers = { 'tools/list': away(303), 'tools/call': away(307), GET: away(302), DELETE: away(308) };
  const fake = await startFakeMcp(answers);
  const client = openClient(fake.mcpUrl);
  expect((await failureOf(client.listTools())).code).toBe('service_unreachable');
  expect((await failureOf(client.callTool('x', {}))).code).toBe('outcome_unknown');
  await fake.came('GET');
  await client.dispose();
  expect(fake.methods().at(-1)).toBe('DELETE');
  expect(elsewhere.received).toEqual([]);
});
