import { expect, test } from 'vitest';
import { ExactJson } from '#core/service-client/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { systemClock } from '#core/platform/clock.ts';
import {
  type Answer,
  eventOf,
  failureOf,
  fixedAccess,
  giveJson,
  giveResult,
  inTurn,
  initializeResult,
  openClient,
  openEvents,
  protocolMemory,
  refuse,
  silence,
  startFakeMcp,
} from './fake-mcp.ts';

const version = '2026-07-28';
const discovered = {
  resultType: 'complete',
  supportedVersions: [version],
  capabilities: { tools: { listChanged: true }, resources: {} },
  serverInfo: { name: 'fake', version: '8' },
};
const modern: Record<string, Answer> = {
  'server/discover': giveResult(discovered),
  'tools/list': giveResult({ resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools: [] }),
  'subscriptions/listen': silence,
};
const unknownProtocol = () => protocolMemory(null);

function metaOf({ params }: { params: JsonObject }): unknown {
  return params['_meta'];
}

test('every request names its version, method and object in its headers', async () => {
  const fake = await startFakeMcp({
    ...modern,
    'tools/call': giveResult({
      resultType: 'complete',
      content: [],
      _meta: { 'io.modelcontextprotocol/serverInfo': {}, kept: 1 },
    }),
    'resources/read': giveResult({ resultType: 'complete', ttlMs: 5, cacheScope: 'public', contents: [] }),
  });
  const client = openClient(fake.mcpUrl, { protocol: unknownProtocol() });
  expect(await client.callTool('svc_whoami', {})).toEqual({ content: [], _meta: { kept: 1 } });
  expect(await client.readResource('svc://tést')).toEqual({ contents: [] });
  expect(await client.protocolVersion()).toBe(version);

  expect(fake.methods()).toEqual(expect.arrayContaining(['server/discover', 'tools/call', 'resources/read']));
  for (const one of fake.received) {
    expect(metaOf(one)).toMatchObject({
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': { name: 'countersign' },
      'io.modelcontextprotocol/clientCapabilities': {},
    });
    expect(one.headers).toMatchObject({ 'mcp-protocol-version': version, 'mcp-method': one.method });
    expect(one.headers['mcp-session-id']).toBeUndefined();
  }
  const named = fake.received.map(({ headers }) => headers['mcp-name']).filter((name) => name !== undefined);
  expect(named).toEqual(['svc_whoami', `=?base64?${Buffer.from('svc://tést').toString('base64')}?=`]);
});

test.each<[how: string, answer: Answer]>([
  ['400 without a code', refuse(400)],
  [
    '400, initialize first',
    refuse(400, {}, { jsonrpc: '2.0', id: null, error: { code: -32_000, message: 'no' } }),
  ],
  ['404', refuse(404)],
  ['405', refuse(405)],
  [
    'an unknown method',
    (response, { id }) => giveJson(response, { jsonrpc: '2.0', id, error: { code: -32_601, message: 'no' } }),
  ],
  ['versions that we do not speak', giveResult({ ...discovered, supportedVersions: ['2027-01-01'] })],
  [
    'an unsupported version',
    refuse(400, {}, { jsonrpc: '2.0', id: 1, error: { code: -32_022, message: 'no' } }),
  ],
])(
  'a service that answers server/discover with %s gets initialize instead, and is probed only once',
  async (_how, answer) => {
    const fake = await startFakeMcp({ 'server/discover': answer });
    const protocol = unknownProtocol();
    const client = openClient(fake.mcpUrl, { protocol });
    await client.listTools();
    expect(await client.protocolVersion()).toBe('2025-11-25');
    expect(protocol.read()).toBe('initialized');

    await openClient(fake.mcpUrl, { protocol }).listTools();
    expect(fake.methods().filter((method) => method === 'server/discover')).toHaveLength(1);
  },
);

test('a service that refuses the version, but lists it as supported, is asked again once', async () => {
  const error = { code: -32_022, message: 'no', data: { supported: [version] } };
  const fake = await startFakeMcp({
    ...modern,
    'server/discover': inTurn(refuse(400, {}, { jsonrpc: '2.0', id: 1, error }), giveResult(discovered)),
  });
  expect(await openClient(fake.mcpUrl, { protocol: unknownProtocol() }).protocolVersion()).toBe(version);
});

test.each([
  [401, 'sign_in_needed'],
  [403, 'forbidden'],
  [429, 'rate_limited'],
  [503, 'service_unavailable'],
])(
  'a service that refuses the first request with %i is not mistaken for an older service',
  async (status, code) => {
    const fake = await startFakeMcp({ 'server/discover': refuse(status) });
    const access = { token: async () => 'token', renew: async () => 'token-2' };
    const failure = await failureOf(
      openClient(fake.mcpUrl, { protocol: unknownProtocol(), access }).callTool('x', {}),
    );
    expect(failure.code).toBe(code);
    expect(fake.methods()).not.toContain('initialize');
  },
);

test('a service that changed its protocol is probed again, from old to new and from new to old', async () => {
  const fake = await startFakeMcp({
    initialize: refuse(400, {}, { jsonrpc: '2.0', id: 1, error: { code: -32_022, message: 'no' } }),
    ...modern,
  });
  const protocol = protocolMemory('initialized');
  const client = openClient(fake.mcpUrl, { protocol });
  expect((await failureOf(client.listTools())).code).toBe('protocol_failed');
  await client.listTools();
  expect(protocol.read()).toBe('stateless');

  fake.answers['initialize'] = giveResult(initializeResult);
  const unsupported = refuse(400, {}, { jsonrpc: '2.0', id: 1, error: { code: -32_022, message: 'no' } });
  fake.answers['server/discover'] = unsupported;
  fake.answers['tools/list'] = inTurn(unsupported, giveResult({ tools: [{ name: 'old' }] }));
  expect(await client.listTools()).toEqual([{ name: 'old' }]);
  expect(protocol.read()).toBe('initialized');
});

test('an answer may arrive over a stream after its progress; a stream that ends before the answer is an unknown outcome', async () => {
  const fake = await startFakeMcp({
    ...modern,
    'tools/call': (response, { id }) => {
      openEvents(response);
      const params = { progressToken: id, progress: 1, total: 2, message: 'half' };
      response.write(eventOf({ jsonrpc: '2.0', method: 'notifications/progress', params }));
      response.end(eventOf({ jsonrpc: '2.0', id, result: { resultType: 'complete', content: [] } }));
    },
  });
  const client = openClient(fake.mcpUrl, { protocol: unknownProtocol() });
  const progress: unknown[] = [];
  const result = await client.callTool('x', {}, { onProgress: (now) => progress.push(now) });
  expect(result).toEqual({ content: [] });
  expect(progress).toEqual([{ progress: 1, total: 2, message: 'half' }]);

  fake.answers['tools/call'] = (response) => {
    openEvents(response);
    response.end(': nothing\n\n');
  };
  expect((await failureOf(client.callTool('x', {}))).code).toBe('outcome_unknown');
});

test('a stream that ends before its answer fails at once, because this revision resumes no streams', async () => {
  const fake = await startFakeMcp({
    ...modern,
    'tools/call': (response) => {
      openEvents(response);
      response.end('id: place-1\ndata:\n\n');
    },
  });
  const delays: number[] = [];
  const clock = {
    ...systemClock,
    after(delayMs: number, work: () => void) {
      delays.push(delayMs);
      return systemClock.after(delayMs, work);
    },
  };
  const pauses = { clock, random: () => 1 };
  const client = openClient(fake.mcpUrl, { protocol: unknownProtocol(), pauses, timeoutMs: 10_000 });
  expect((await failureOf(client.callTool('x', {}))).code).toBe('outcome_unknown');
  expect(delays.filter((delayMs) => delayMs !== 10_000)).toEqual([]);
  expect(fake.methods()).not.toContain('GET');
});

test.each([-32_602, -32_002])('a resource that the service refuses with %i is not found', async (code) => {
  const error = { code, message: 'no' };
  const fake = await startFakeMcp({
    ...modern,
    'resources/read': (response, { id }) => giveJson(response, { jsonrpc: '2.0', id, error }),
  });
  const client = openClient(fake.mcpUrl, { protocol: unknownProtocol() });
  expect((await failureOf(client.readResource('svc://none'))).code).toBe('object_not_found');
});

test('a cancelled call closes its request', async () => {
  const fake = await startFakeMcp({ ...modern });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  fake.answers['tools/call'] = (response) => void response.once('close', resolve);
  const client = openClient(fake.mcpUrl, { protocol: unknownProtocol() });
  const cancel = new AbortController();
  const called = failureOf(client.callTool('x', {}, { signal: cancel.signal }));
  await fake.came('tools/call');
  cancel.abort();
  expect((await called).code).toBe('call_cancelled');
  await closed;
  expect(fake.methods()).not.toContain('notifications/cancelled');
});

test('changed lists are reported over one stream', async () => {
  const fake = await startFakeMcp({
    ...modern,
    'subscriptions/listen': (response) => {
      openEvents(response);
      response.write(
        eventOf({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: {} }),
      );
      response.write(eventOf({ jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: {} }));
    },
  });
  const client = openClient(fake.mcpUrl, { protocol: unknownProtocol() });
  const changed = new Promise((resolve) => client.onListChanged(resolve));
  await client.listTools();
  expect(await changed).toBe('tools');
  const [asked] = fake.received.filter(({ method }) => method === 'subscriptions/listen');
  expect(asked?.params['notifications']).toMatchObject({ toolsListChanged: true });
});

const region = { type: 'string', 'x-mcp-header': 'Region' };
const annotated = {
  name: 'placed',
  inputSchema: {
    type: 'object',
    properties: {
      region,
      to: { type: 'object', properties: { size: { type: 'integer', 'x-mcp-header': 'Size' } } },
    },
  },
};

test('an argument that a tool requires as a header is also sent as a header, even for an approved text', async () => {
  const fake = await startFakeMcp({
    ...modern,
    'tools/list': giveResult({ resultType: 'complete', tools: [annotated] }),
    'tools/call': inTurn(
      refuse(400, {}, { jsonrpc: '2.0', id: 2, error: { code: -32_020, message: 'header missing' } }),
      giveResult({ resultType: 'complete', content: [] }),
    ),
  });
  const client = openClient(fake.mcpUrl, { protocol: unknownProtocol() });
  await client.callTool('placed', new ExactJson('{"region":"zürich","to":{"size":3}}'));
  const calls = fake.received.filter(({ method }) => method === 'tools/call');
  expect(calls.map(({ headers }) => [headers['mcp-param-region'], headers['mcp-param-size']])).toEqual([
    [undefined, undefined],
    [`=?base64?${Buffer.from('zürich').toString('base64')}?=`, '3'],
  ]);
});

test('an argument is no longer sent as a header when the list of tools does not require that any more', async () => {
  const plain = { ...annotated, inputSchema: { type: 'object' } };
  const fake = await startFakeMcp({
    ...modern,
    'tools/list': inTurn(
      ...[annotated, plain].map((tool) => giveResult({ resultType: 'complete', tools: [tool] })),
    ),
    'tools/call': giveResult({ resultType: 'complete', content: [] }),
  });
  const client = openClient(fake.mcpUrl, { protocol: unknownProtocol() });
  for (let round = 0; round < 2; round += 1) {
    await client.listTools();
    await client.callTool('placed', { region: 'eu' });
  }
  const calls = fake.received.filter(({ method }) => method === 'tools/call');
  expect(calls.map(({ headers }) => headers['mcp-param-region'])).toEqual(['eu', undefined]);
});

test('a token that the service repeats in a result is removed', async () => {
  const token = 'token-0123456789abcdef';
  const content = [{ type: 'text', text: `Bearer ${token} is mine` }];
  const fake = await startFakeMcp({
    ...modern,
    'tools/call': giveResult({ resultType: 'complete', content }),
  });
  const client = openClient(fake.mcpUrl, { protocol: unknownProtocol(), access: fixedAccess(token) });
  const text = JSON.stringify(await client.callTool('x', {}));
  expect(text).toContain('is mine');
  expect(text).not.toContain(token);
});

test.each([
  ['an empty name', { type: 'string', 'x-mcp-header': '' }],
  ['no token', { type: 'string', 'x-mcp-header': 'My Region' }],
  ['no primitive', { type: 'object', 'x-mcp-header': 'Data' }],
  ['a fraction', { type: 'number', 'x-mcp-header': 'Score' }],
  ['a place that names do not lead to', { type: 'array', items: region }],
])('a tool whose header has %s is not offered, and other tools stay', async (_what, value) => {
  const bad = { name: 'bad', inputSchema: { type: 'object', properties: { value } } };
  const doubled = {
    name: 'doubled',
    inputSchema: { type: 'object', properties: { a: region, b: { ...region, 'x-mcp-header': 'REGION' } } },
  };
  const fake = await startFakeMcp({
    ...modern,
    'tools/list': giveResult({ resultType: 'complete', tools: [bad, annotated, doubled] }),
  });
  const client = openClient(fake.mcpUrl, { protocol: unknownProtocol() });
  expect((await client.listTools()).map(({ name }) => name)).toEqual(['placed']);
});

const question = { method: 'elicitation/create', params: { message: 'Sure?' } };

test('a question of the service is declined with its state unchanged, and an approved write is never repeated to answer a question', async () => {
  const asks = { resultType: 'input_required', inputRequests: { sure: question }, requestState: 'opaque' };
  const done = { resultType: 'complete', content: [] };
  const fake = await startFakeMcp({ ...modern, 'tools/call': inTurn(giveResult(asks), giveResult(done)) });
  const client = openClient(fake.mcpUrl, { protocol: unknownProtocol() });
  expect(await client.callTool('x', { a: 1 })).toEqual({ content: [] });
  const [first, second] = fake.received.filter(({ method }) => method === 'tools/call');
  expect(second?.id).not.toBe(first?.id);
  expect(second?.params).toMatchObject({
    arguments: { a: 1 },
    inputResponses: { sure: { action: 'decline' } },
    requestState: 'opaque',
  });

  fake.answers['tools/call'] = giveResult(asks);
  expect((await failureOf(client.callTool('x', {}))).code).toBe('tool_refused');
  const before = fake.received.length;
  const failure = await failureOf(client.callTool('x', new ExactJson('{}')));
  expect(failure.code).toBe('outcome_unknown');
  expect(fake.received.length).toBe(before + 1);
});

test.each(['task', 'partial', 7, null])(
  'a result of the type %j makes the outcome of a call unknown',
  async (resultType) => {
    const fake = await startFakeMcp({ ...modern, 'tools/call': giveResult({ resultType, content: [] }) });
    const client = openClient(fake.mcpUrl, { protocol: unknownProtocol() });
    expect((await failureOf(client.callTool('x', new ExactJson('{}')))).code).toBe('outcome_unknown');
  },
);

test('a refusal that repeats a renewed token does not bring that token into the message, even on its first use', async () => {
  const token = 'renewed-token-0123456789';
  const words = { code: -32_602, message: `Bearer ${token} may not` };
  const fake = await startFakeMcp({
    ...modern,
    'tools/call': (response, { id }) => giveJson(response, { jsonrpc: '2.0', id, error: words }, 400),
  });
  const tokens = ['token-1', token];
  const access = { token: async () => tokens.shift() ?? token, renew: () => Promise.reject(new Error('no')) };
  const client = openClient(fake.mcpUrl, { protocol: unknownProtocol(), access });
  const failure = await failureOf(client.callTool('x', {}));
  expect(fake.received.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
  expect(failure.message).toContain('may not');
  expect(JSON.stringify([failure.message, failure.data])).not.toContain(token);
});
