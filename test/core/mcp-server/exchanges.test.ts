import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { type CallContext, JsonText } from '#core/mcp-server/index.ts';
import {
  definitionOf,
  openEndpoint,
  type EndpointSetup,
  type OpenEndpoint,
  type SendOptions,
} from './open-endpoint.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { openStream, type OpenStream } from './open-stream.ts';

const version = '2026-07-28';
const key = (name: string): string => `io.modelcontextprotocol/${name}`;
const meta: JsonObject = {
  [key('protocolVersion')]: version,
  [key('clientInfo')]: { name: 'test', version: '1' },
  [key('clientCapabilities')]: {},
};
const withTasks: JsonObject = {
  ...meta,
  [key('clientCapabilities')]: { extensions: { [key('tasks')]: {} } },
};

const opened: OpenEndpoint[] = [];
afterEach(async () => {
  for (const endpoint of opened.splice(0)) await endpoint.dispose();
});

async function open(setup: EndpointSetup = {}): Promise<OpenEndpoint> {
  const endpoint = await openEndpoint(setup);
  opened.push(endpoint);
  return endpoint;
}

/** A request of the revision with its headers. */
function asked(
  method: string,
  params: JsonObject = {},
  { headers = {}, ...more }: SendOptions = {},
): SendOptions {
  const { name, uri, taskId } = params;
  const named = [name, uri, taskId].find((value) => typeof value === 'string');
  return {
    body: { jsonrpc: '2.0', id: 7, method, params: { _meta: meta, ...params } },
    headers: {
      'mcp-protocol-version': version,
      'mcp-method': method,
      ...(typeof named === 'string' ? { 'mcp-name': named } : {}),
      ...headers,
    },
    ...more,
  };
}

const call = (name: string, args: JsonObject = {}, more: SendOptions = {}): SendOptions =>
  asked('tools/call', { name, arguments: args }, more);

test('server/discover states the version, the capabilities and the server', async () => {
  const endpoint = await open();
  const { status, headers, body } = await endpoint.send(asked('server/discover'));
  expect([status, headers.get('content-type'), headers.get('mcp-session-id')]).toEqual([
    200,
    'application/json; charset=utf-8',
    null,
  ]);
  expect(body).toEqual({
    jsonrpc: '2.0',
    id: 7,
    result: {
      resultType: 'complete',
      supportedVersions: [version],
      capabilities: {
        tools: { listChanged: true },
        resources: { listChanged: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
      },
      instructions: 'Be kind.',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { [key('serverInfo')]: { name: 'test', title: 'Test', version: '1' } },
    },
  });
});

test('a call without a session is answered in its own exchange, and a service cannot set the type of its answer', async () => {
  const answer = { content: [], resultType: 'input_required', inputRequests: {}, _meta: { own: 1 } };
  const endpoint = await open({ parts: { callTool: async () => answer } });
  const { body } = await endpoint.send(call('echo'));
  expect(body.result).toMatchObject({ resultType: 'complete', _meta: { own: 1 } });
  expect(body.result).not.toHaveProperty('ttlMs');
});

test('an answer given as JSON text has the same bytes as its value, with and without a session', async () => {
  const value = { 'é "1"': [1.5, null, { text: 'a \u0007\n' }], empty: {} };
  const contents = [value, new JsonText(JSON.stringify(value)), value, new JsonText(JSON.stringify(value))];
  const endpoint = await open({
    parts: {
      async callTool() {
        const structuredContent = contents.shift() ?? {};
        return { content: [], structuredContent, absent: undefined, 'vendor/key': { a: 1 } };
      },
    },
  });
  const session = await endpoint.initialize();
  const inSession = { session, body: { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'x' } } };
  const texts: string[] = [];
  for (const sending of [inSession, inSession, call('x'), call('x')]) {
    texts.push((await endpoint.send(sending)).text);
  }
  expect(contents).toEqual([]);
  expect(texts[0]).toContain('a \\u0007\\n');
  expect([texts[1], texts[3]]).toEqual([texts[0], texts[2]]);
});

const noCapabilities = { [key('protocolVersion')]: version };
const future = { ...meta, [key('protocolVersion')]: '2027-01-01' };
const region = {
  ...definitionOf('region'),
  inputSchema: {
    type: 'object',
    properties: {
      at: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
    },
  },
};

/** Requests, each with the HTTP status and the JSON-RPC code of its refusal. */
const refusals: [what: string, sending: SendOptions, status: number, rpc: number][] = [
  ['without a token', asked('server/discover', {}, { token: null }), 401, -32000],
  [
    'with an unknown token, before its missing metadata',
    asked('tools/list', { _meta: {} }, { token: 'nobody' }),
    401,
    -32000,
  ],
  [
    'without metadata',
    { ...asked('tools/list'), body: { jsonrpc: '2.0', id: 7, method: 'tools/list' } },
    400,
    -32602,
  ],
  ['without capabilities', asked('tools/list', { _meta: noCapabilities }), 400, -32602],
  [
    'of an unknown version',
    asked('tools/list', { _meta: future }, { headers: { 'mcp-protocol-version': '2027-01-01' } }),
    400,
    -32022,
  ],
  ['with a version other than its header', asked('tools/list', { _meta: future }), 400, -32020],
  [
    'without the version header',
    asked('tools/list', {}, { headers: { 'mcp-protocol-version': null } }),
    400,
    -32020,
  ],
  [
    'with a header of another method',
    asked('tools/list', {}, { headers: { 'mcp-method': 'prompts/list' } }),
    400,
    -32020,
  ],
  [
    'with a method header in capitals',
    asked('tools/list', {}, { headers: { 'mcp-method': 'TOOLS/LIST' } }),
    400,
    -32020,
  ],
  ['without a method header', asked('tools/list', {}, { headers: { 'mcp-method': null } }), 400, -32020],
  ['with a header of another tool', call('echo', {}, { headers: { 'mcp-name': 'who' } }), 400, -32020],
  ['without a tool header', call('echo', {}, { headers: { 'mcp-name': null } }), 400, -32020],
  [
    'with a tool header in broken Base64',
    call('echo', {}, { headers: { 'mcp-name': '=?base64?ZWNobw?=' } }),
    400,
    -32020,
  ],
  [
    'with a header of another resource',
    asked('resources/read', { uri: 'test://one' }, { headers: { 'mcp-name': 'test://two' } }),
    400,
    -32020,
  ],
  [
    'with a header of another task',
    asked('tasks/get', { taskId: 'one' }, { headers: { 'mcp-name': 'two' } }),
    400,
    -32020,
  ],
  ['without a header of an argument', call('region', { at: { region: 'eu' } }), 400, -32020],
  [
    'with a header of another argument',
    call('region', { at: { region: 'eu' } }, { headers: { 'mcp-param-region': 'us' } }),
    400,
    -32020,
  ],
  ['of an unknown method', asked('nonsense'), 404, -32601],
  ['of initialize with metadata', asked('initialize'), 404, -32601],
  ['of ping', asked('ping'), 404, -32601],
  ['of a method that needs a session', asked('logging/setLevel', { level: 'info' }), 404, -32601],
  [
    'of a subscription that needs a session',
    asked('resources/subscribe', { uri: 'test://one' }),
    404,
    -32601,
  ],
  [
    'of a task if tasks are not offered',
    asked('tasks/get', { taskId: 'one', _meta: withTasks }),
    404,
    -32601,
  ],
  [
    'in a batch',
    {
      ...asked('tools/list'),
      body: [{ jsonrpc: '2.0', id: 7, method: 'tools/list', params: { _meta: meta } }],
    },
    400,
    -32600,
  ],
  [
    'that is a response',
    { ...asked('tools/list'), body: { jsonrpc: '2.0', id: 7, result: {} } },
    400,
    -32600,
  ],
  ['that needs more scopes', call('secret'), 403, -32000],
  ['that listens to nothing', asked('subscriptions/listen'), 400, -32602],
];

describe('a request without a session is refused', () => {
  const parts: EndpointSetup['parts'] = {
    listTools: () => [region],
    admit(_caller, { params }) {
      if (params['name'] === 'secret') throw new AppError('scope_missing', { data: { scope: 'svc:write' } });
    },
  };

  test.each(refusals)('%s', async (_what, sending, status, rpc) => {
    const endpoint = await open({ parts });
    const answer = await endpoint.send(sending);
    expect([answer.status, answer.body.error?.code], answer.text).toEqual([status, rpc]);
    expect(endpoint.mcp.sessions).toBe(0);
  });

  test('of an unknown version with the supported versions, so that a client can choose', async () => {
    const endpoint = await open();
    const headers = { 'mcp-protocol-version': '2027-01-01' };
    const { body } = await endpoint.send(asked('server/discover', { _meta: future }, { headers }));
    expect([body.id, body.error?.data]).toEqual([7, { supported: [version], requested: '2027-01-01' }]);
  });

  test.each(['GET', 'DELETE'])('sent as %s, after its token was checked', async (method) => {
    const endpoint = await open();
    const headers = { 'mcp-protocol-version': version };
    const answer = await endpoint.send({ method, headers });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await endpoint.send({ method, headers, token: null })).status).toBe(401);
  });
});

test.each<[what: string, sending: SendOptions]>([
  ['with a Base64 name', call('echo', {}, { headers: { 'mcp-name': '=?base64?ZWNobw==?=' } })],
  ['with spaces around its name', call('echo', {}, { headers: { 'mcp-name': '  echo ' } })],
  [
    'with the headers of its arguments',
    call('region', { at: { region: 'eu' } }, { headers: { 'mcp-param-region': 'eu' } }),
  ],
  ['without an argument that has a header', call('region')],
])('a call %s is answered', async (_what, sending) => {
  const endpoint = await open({ tools: { region: () => 1 }, parts: { listTools: () => [region] } });
  const answer = await endpoint.send(sending);
  expect([answer.status, answer.body.result?.['resultType']], answer.text).toEqual([200, 'complete']);
});

test('a notification is accepted', async () => {
  const endpoint = await open();
  const body = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { _meta: meta, requestId: 7 } };
  const answer = await endpoint.send({ ...asked('notifications/cancelled'), body });
  expect([answer.status, answer.text]).toEqual([202, '']);
});

test('a request in a session belongs to the session, whatever its metadata says', async () => {
  const endpoint = await open();
  const session = await endpoint.initialize();
  const { result } = await endpoint.request(session, 'ping', { _meta: meta });
  expect(result).toEqual({});
});

test('an unknown resource is refused as an invalid parameter with its address', async () => {
  const endpoint = await open();
  const { status, body } = await endpoint.send(asked('resources/read', { uri: 'test://none' }));
  expect([status, body.error]).toMatchObject([200, { code: -32602, data: { uri: 'test://none' } }]);
});

test('progress is sent over the stream of the call', async () => {
  const work = async (_args: JsonObject, { progress }: CallContext): Promise<string> => {
    await progress(1, 2);
    await progress(2, 2);
    return 'done';
  };
  const endpoint = await open({ tools: { work } });
  const _meta = { ...meta, progressToken: 'p' };
  const { headers, events } = await endpoint.send(asked('tools/call', { name: 'work', _meta }));
  expect(headers.get('content-type')).toBe('text/event-stream');
  expect(events).toMatchObject([
    { method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } },
    { method: 'notifications/progress', params: { progressToken: 'p', progress: 2 } },
    { id: 7, result: { resultType: 'complete' } },
  ]);
});

test.each([
  ['at the requested level', 'info', 1],
  ['only if the request asks for them', undefined, 0],
])('a call sends log messages to its client %s', async (_what, level, count) => {
  const work = async (_args: JsonObject, { log }: CallContext): Promise<string> => {
    await log('debug', 'below');
    await log('warning', 'above');
    return 'done';
  };
  const endpoint = await open({ tools: { work } });
  const _meta = { ...meta, ...(level === undefined ? {} : { [key('logLevel')]: level }) };
  const { events } = await endpoint.send(asked('tools/call', { name: 'work', _meta }));
  expect(events.filter((event) => 'method' in event)).toHaveLength(count);
});

/** A tool whose calls end when a test ends them, or when they are cancelled. */
function createWaitingTool() {
  const calls: { context: CallContext; end(): void; isGivenUp: boolean }[] = [];
  return {
    calls,
    wait(_args: JsonObject, context: CallContext): Promise<string> {
      const { promise, resolve } = Promise.withResolvers<string>();
      const waiting = { context, end: () => resolve('done'), isGivenUp: false };
      context.signal.addEventListener('abort', () => {
        waiting.isGivenUp = true;
        resolve('left');
      });
      calls.push(waiting);
      return promise;
    },
  };
}

test('a long call keeps its connection alive, and its client cancels it by disconnecting', async () => {
  const { calls, wait } = createWaitingTool();
  const endpoint = await open({ tools: { wait }, limits: { keepAliveMs: 20 } });
  const leaving = new AbortController();
  const answer = await fetch(endpoint.url, {
    method: 'POST',
    body: JSON.stringify(call('wait').body),
    headers: {
      authorization: 'Bearer alice',
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': version,
      'mcp-method': 'tools/call',
      'mcp-name': 'wait',
    },
    signal: leaving.signal,
  });
  const { value } = await answer.body!.getReader().read();
  expect(new TextDecoder().decode(value)).toBe(': keepalive\n\n');
  leaving.abort();
  await expect.poll(() => calls[0]?.isGivenUp).toBe(true);
});

test('a principal can run a limited number of requests, however many clients send them', async () => {
  const { calls, wait } = createWaitingTool();
  const endpoint = await open({ tools: { wait }, limits: { maxCallsPerSession: 2 } });
  // Two clients may choose the same id.
  const running = [endpoint.send(call('wait')), endpoint.send(call('wait'))];
  await expect.poll(() => calls.length).toBe(2);
  const refused = await endpoint.send(call('echo'));
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect((await endpoint.send(call('echo', {}, { token: 'bob' }))).status).toBe(200);
  for (const { end } of calls) end();
  for (const answer of await Promise.all(running)) expect(answer.body.result).toHaveProperty('resultType');
  expect((await endpoint.send(call('echo'))).status).toBe(200);
});

test('the end of a grant ends its calls with an answer', async () => {
  const { calls, wait } = createWaitingTool();
  const endpoint = await open({ tools: { wait } });
  const stream = await listen(endpoint, { toolsListChanged: true }, 'alice/one');
  const running = endpoint.send(call('wait', {}, { token: 'alice/one' }));
  await expect.poll(() => calls.length).toBe(1);
  endpoint.mcp.endGrant('one');
  expect((await running).body.result).toMatchObject({ structuredContent: { data: 'left' } });
  expect(await stream.rest()).toMatchObject([{}, { id: 7, result: { resultType: 'complete' } }]);
});

async function listen(
  endpoint: OpenEndpoint,
  notifications: JsonObject,
  token = 'alice',
  _meta: JsonObject = meta,
): Promise<OpenStream> {
  return openStream(endpoint.url, asked('subscriptions/listen', { notifications, _meta }, { token }));
}

test('a principal counts as present for five minutes after its latest request, and changes of its presence are reported', async () => {
  const clock = createManualClock();
  let reports = 0;
  const endpoint = await open({ clock, onSessions: () => (reports += 1) });
  const state = () => [[...endpoint.mcp.present()], reports];
  await endpoint.send(call('echo'));
  expect(state()).toEqual([['alice'], 1]);
  clock.advance(4 * 60_000);
  await endpoint.send(call('echo'));
  clock.advance(5 * 60_000 - 1);
  expect(state()).toEqual([['alice'], 1]);
  clock.advance(1);
  expect(state()).toEqual([[], 2]);
});

describe('a listening client', () => {
  const subscription = { [key('subscriptionId')]: 7 };

  test('is told first what it is subscribed to, then only about changes of its own lists', async () => {
    let count = 1;
    const endpoint = await open({
      parts: {
        listTools: ({ key: who }) =>
          Array.from({ length: who === 'alice' ? count : 1 }, (_, at) => definitionOf(`t${at}`)),
        listPrompts: () => Array.from({ length: count }, (_, at) => ({ name: `p${at}` })),
      },
    });
    const asking = { toolsListChanged: true, resourcesListChanged: false, nonsense: true };
    const alice = await listen(endpoint, asking);
    const bob = await listen(endpoint, asking, 'bob');
    for (const stream of [alice, bob]) {
      expect(await stream.next()).toEqual({
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: { toolsListChanged: true }, _meta: subscription },
      });
    }
    expect(endpoint.mcp.present()).toEqual(new Set(['alice', 'bob']));
    count = 2;
    endpoint.mcp.listsChanged(() => true);
    await endpoint.dispose();
    opened.length = 0;
    const end = { id: 7, result: { resultType: 'complete', _meta: subscription } };
    const changed = { method: 'notifications/tools/list_changed', params: { _meta: subscription } };
    expect(await alice.rest()).toMatchObject([changed, end]);
    expect(await bob.rest()).toMatchObject([end]);
  });

  test('is told if nothing that it asks for is offered, and its stream ends', async () => {
    const endpoint = await open();
    const stream = await listen(endpoint, { resourceSubscriptions: ['test://one'], taskIds: ['one'] });
    expect(await stream.rest()).toMatchObject([{ params: { notifications: {} } }, { id: 7 }]);
  });

  test.each([
    ['of one principal', { maxSessionsPerPrincipal: 2 }],
    ['in total', { maxSessions: 2 }],
  ])('loses its oldest stream to a third one if two streams may be open %s', async (_what, limits) => {
    const endpoint = await open({ limits });
    const lists = { toolsListChanged: true };
    const first = await listen(endpoint, lists);
    const second = await listen(endpoint, lists);
    await listen(endpoint, lists);
    expect(await first.rest()).toMatchObject([{}, { id: 7, result: { resultType: 'complete' } }]);
    await second.next();
    endpoint.mcp.endGrant('none');
    second.leave();
  });
});

describe('a task', () => {
  const ended = Promise.withResolvers<void>();
  let isCancelled = false;
  const task = (taskId: string) => ({ taskId, status: isCancelled ? 'cancelled' : 'working' });
  const own = (who: string, taskId: string): JsonObject => {
    if (taskId !== `of-${who}`) throw new AppError('object_not_found');
    return task(taskId);
  };
  const parts: EndpointSetup['parts'] = {
    tasks: {
      find: ({ key: who }, taskId) => own(who, taskId),
      cancel({ key: who }, taskId) {
        own(who, taskId);
        isCancelled = true;
        ended.resolve();
      },
      async ended({ key: who }, taskId, signal) {
        await Promise.race([ended.promise, once(signal, 'abort')]);
        return own(who, taskId);
      },
    },
  };
  const ask = (method: string, taskId: string, _meta = withTasks) => asked(method, { taskId, _meta });

  test.each(['tasks/get', 'tasks/cancel', 'tasks/update'])(
    'requires the declared extension and its own principal for %s',
    async (method) => {
      const endpoint = await open({ parts });
      const undeclared = await endpoint.send(ask(method, 'of-alice', meta));
      const requiredCapabilities = { extensions: { [key('tasks')]: {} } };
      expect([undeclared.status, undeclared.body.error]).toMatchObject([
        400,
        { code: -32021, data: { requiredCapabilities } },
      ]);
      for (const id of ['of-bob', 'none']) {
        const { status, body } = await endpoint.send(ask(method, id));
        expect([status, body.error?.code]).toEqual([200, -32602]);
      }
    },
  );

  test('reports its end to its own principal', async () => {
    const endpoint = await open({ parts });
    const discovered = await endpoint.send(asked('server/discover'));
    expect(discovered.body.result).toMatchObject({ capabilities: { extensions: { [key('tasks')]: {} } } });
    const stream = await listen(
      endpoint,
      { taskIds: ['of-alice', 'of-bob', 'of-alice'] },
      'alice',
      withTasks,
    );
    expect(await stream.next()).toMatchObject({ params: { notifications: { taskIds: ['of-alice'] } } });
    expect((await endpoint.send(ask('tasks/get', 'of-alice'))).body.result).toMatchObject({
      ...task('of-alice'),
      resultType: 'complete',
    });
    expect((await endpoint.send(ask('tasks/cancel', 'of-alice'))).body.result).toEqual({
      resultType: 'complete',
      _meta: expect.anything() as unknown,
    });
    expect(await stream.next()).toMatchObject({
      method: 'notifications/tasks',
      params: { taskId: 'of-alice', status: 'cancelled', _meta: { [key('subscriptionId')]: 7 } },
    });
    stream.leave();
  });
});
