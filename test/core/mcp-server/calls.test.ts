import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import type { CallContext } from '#core/mcp-server/index.ts';
import type { Logger } from '#core/platform/logger.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { openEndpoint } from './open-endpoint.ts';
import type { EndpointSetup, OpenEndpoint } from './open-endpoint.ts';
import { openStream } from './open-stream.ts';
import { sentence } from '#shared/lib/sentence.ts';

let endpoint: OpenEndpoint;

async function open(setup: EndpointSetup = {}, protocolVersion = '2025-11-25'): Promise<string> {
  endpoint = await openEndpoint(setup);
  return endpoint.initialize({ protocolVersion, capabilities: { sampling: {}, elicitation: {} } });
}

afterEach(() => endpoint.dispose());

/** A tool that waits until its call is cancelled. */
function waitingTool() {
  const begun = Promise.withResolvers<CallContext>();
  const gone = Promise.withResolvers<void>();
  const wait = async (_args: JsonObject, context: CallContext): Promise<JsonValue> => {
    begun.resolve(context);
    await new Promise<void>((resolve) => {
      context.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    gone.resolve();
    return 'late';
  };
  return { wait, begun: begun.promise, gone: gone.promise };
}

const callOf = (name: string, more: JsonObject = {}, id: string | number = 'c'): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, ...more },
});

test('arguments and results are passed on in full, including keys that no schema declares', async () => {
  const result = {
    content: [{ type: 'text', text: 'x', $extra: [1] }],
    structuredContent: { deep: { $ref: '#', additionalProperties: false } },
    'vendor/key': { a: 1 },
    _meta: { 'vendor/meta': true },
  };
  const seen: JsonObject[] = [];
  const session = await open({
    parts: {
      callTool: async (_caller, { args }) => {
        seen.push(args);
        return result;
      },
    },
  });
  const args = { $schema: 'x', 'a b': [null, { é: 1.5 }], constructor: 'own' };
  expect((await endpoint.request(session, 'tools/call', { name: 'any', arguments: args })).result).toEqual(
    result,
  );
  expect(seen).toEqual([args]);
});

test('a definition is listed with every key of its schemas', async () => {
  const tool = {
    name: 'full',
    description: 'x',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: { a: { $anchor: 'a', type: 'string' } },
      allOf: [{ if: { required: ['x'] } }],
      additionalProperties: false,
    },
    outputSchema: { type: 'object', unevaluatedProperties: false },
    annotations: { readOnlyHint: true, vendor: 1 },
    execution: { taskSupport: 'forbidden' },
    'vendor/key': 1,
  };
  const session = await open({ parts: { listTools: () => [tool] } });
  expect((await endpoint.request(session, 'tools/list')).result).toEqual({ tools: [tool] });
});

describe('a call is cancelled', () => {
  test('when its client cancels it, and its stream ends without an answer', async () => {
    const { wait, begun, gone } = waitingTool();
    const session = await open({ tools: { wait } });
    const stream = await openStream(endpoint.url, { session, body: callOf('wait', {}, 0) });
    await begun;
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 0 } };
    expect((await endpoint.send({ session, body: cancelled })).status).toBe(202);
    await gone;
    expect(await stream.rest()).toEqual([]);
    expect((await endpoint.request(session, 'ping')).result).toEqual({});
  });

  test('when its client disconnects before the answer', async () => {
    const { wait, begun, gone } = waitingTool();
    const session = await open({ tools: { wait } });
    const stream = await openStream(endpoint.url, { session, body: callOf('wait') });
    await begun;
    stream.leave();
    await gone;
    expect((await endpoint.request(session, 'ping')).result).toEqual({});
  });

  test('but not when another session cancels a call with the same id', async () => {
    const { wait, begun } = waitingTool();
    const session = await open({ tools: { wait } });
    const other = await endpoint.initialize({ token: 'bob' });
    const stream = await openStream(endpoint.url, { session, body: callOf('wait') });
    const { signal } = await begun;
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'c' } };
    await endpoint.send({ session: other, token: 'bob', body: cancelled });
    await endpoint.request(session, 'ping');
    expect(signal.aborted).toBe(false);
    stream.leave();
  });

  test('and occupies its place until its work has really ended', async () => {
    const begun = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const session = await open({
      limits: { maxCallsPerSession: 1 },
      tools: {
        async stubborn() {
          begun.resolve();
          await finish.promise;
          return 'done';
        },
      },
    });
    const stream = await openStream(endpoint.url, { session, body: callOf('stubborn') });
    await begun.promise;
    expect((await endpoint.send({ session, body: callOf('echo', {}, 2) })).status).toBe(429);
    expect((await endpoint.send({ session, body: callOf('echo') })).status).toBe(400);
    stream.leave();
    finish.resolve();
    await expect
      .poll(async () => (await endpoint.send({ session, body: callOf('echo', {}, 3) })).status)
      .toBe(200);
  });
});

describe('a call in a session that ends', () => {
  test('is notified, and its answer is sent before its stream ends', async () => {
    const begun = Promise.withResolvers<void>();
    const session = await open({
      tools: {
        async watch(_args, context) {
          begun.resolve();
          await once(context.signal, 'abort');
          return `ending: ${String(context.isEnding)}`;
        },
      },
    });
    const stream = await openStream(endpoint.url, { session, body: callOf('watch') });
    await begun.promise;
    expect((await endpoint.send({ session, method: 'DELETE' })).status).toBe(204);
    expect(await stream.rest()).toMatchObject([
      { id: 'c', result: { structuredContent: { data: 'ending: true' } } },
    ]);
  });

  test('gets an error if its work does not answer in time, and nothing is sent afterwards', async () => {
    const begun = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const session = await open({
      tools: {
        async stubborn() {
          begun.resolve();
          await finish.promise;
          return 'done';
        },
      },
    });
    const stream = await openStream(endpoint.url, { session, body: callOf('stubborn') });
    await begun.promise;
    expect((await endpoint.send({ session, method: 'DELETE' })).status).toBe(204);
    finish.resolve();
    expect(await stream.rest()).toMatchObject([
      { id: 'c', error: { code: -32000, data: { code: 'session_ended' } } },
    ]);
  });
});

describe('the progress of a call', () => {
  const climb = async (_args: JsonObject, { progress, wantsProgress }: CallContext): Promise<JsonValue> => {
    await progress(1, 3);
    await progress(1, 3);
    await progress(0.5);
    await progress(2, 3, 'Nearly');
    return wantsProgress;
  };

  test('is sent over the stream of the call, with the client’s token, and only increases', async () => {
    const session = await open({ tools: { climb } });
    const body = callOf('climb', { _meta: { progressToken: 0 } });
    const { events } = await endpoint.send({ session, body });
    expect(events).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 0, progress: 1, total: 3 },
      },
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 0, progress: 2, total: 3, message: 'Nearly' },
      },
      expect.objectContaining({
        id: 'c',
        result: expect.objectContaining({ structuredContent: { data: true } }),
      }),
    ]);
  });

  test('is not sent to a client that did not ask for it', async () => {
    const session = await open({ tools: { climb } });
    const { events } = await endpoint.send({ session, body: callOf('climb') });
    expect(events).toHaveLength(1);
    expect(events[0]?.result).toMatchObject({ structuredContent: { data: false } });
  });

  test('is not sent after the answer', async () => {
    const late = Promise.withResolvers<CallContext>();
    const session = await open({
      tools: {
        forget(_args, context) {
          late.resolve(context);
          return 'done';
        },
      },
    });
    await endpoint.send({ session, body: callOf('forget', { _meta: { progressToken: 'p' } }) });
    await expect((await late.promise).progress(1)).resolves.toBeUndefined();
    expect((await endpoint.request(session, 'ping')).result).toEqual({});
  });
});

test('log messages follow the level that the session requested', async () => {
  const session = await open({
    tools: {
      async talk(_args, { log }) {
        for (const level of ['debug', 'info', 'error', 'nonsense']) await log(level, { level }, 'talker');
        return 'done';
      },
    },
  });
  const heard = async () => {
    const { events } = await endpoint.send({ session, body: callOf('talk') });
    return events.flatMap((event) => ('params' in event ? [(event.params as { level: string }).level] : []));
  };
  expect(await heard()).toEqual(['info', 'error']);
  await endpoint.request(session, 'logging/setLevel', { level: 'debug' });
  expect(await heard()).toEqual(['debug', 'info', 'error']);
  await endpoint.request(session, 'logging/setLevel', { level: 'critical' });
  expect(await heard()).toEqual([]);
  expect((await endpoint.request(session, 'logging/setLevel', { level: 'loud' })).error?.code).toBe(-32602);
});

describe('a question to the client', () => {
  const question = { messages: [], maxTokens: 1 };
  const curious = async (_args: JsonObject, { ask }: CallContext): Promise<JsonValue> =>
    (await ask('sampling/createMessage', question))['answer'] ?? null;

  test('is sent over the stream of the call, and its answer is passed on in full', async () => {
    const session = await open({ tools: { curious } });
    const stream = await openStream(endpoint.url, { session, body: callOf('curious') });
    const asked = await stream.next();
    expect(asked).toMatchObject({ method: 'sampling/createMessage', params: question });
    const response = { jsonrpc: '2.0', id: asked.id, result: { answer: { $any: 1 } } };
    expect((await endpoint.send({ session, body: response })).status).toBe(202);
    expect((await stream.next()).result).toMatchObject({ structuredContent: { data: { $any: 1 } } });
  });

  test('fails the call with `client_unable` if the client cannot answer', async () => {
    await open({ tools: { curious } });
    const session = await endpoint.initialize();
    const { error } = await endpoint.request(session, 'tools/call', { name: 'curious' });
    expect(error).toMatchObject({ code: -32602, data: { code: 'client_unable', status: 400 } });
  });

  test('cannot be answered by another session', async () => {
    const session = await open({ tools: { curious } });
    const other = await endpoint.initialize({ token: 'bob' });
    const stream = await openStream(endpoint.url, { session, body: callOf('curious') });
    const asked = await stream.next();
    await endpoint.send({
      session: other,
      token: 'bob',
      body: { jsonrpc: '2.0', id: asked.id, result: { answer: 'forged' } },
    });
    await endpoint.send({ session, body: { jsonrpc: '2.0', id: asked.id, result: { answer: 'own' } } });
    expect((await stream.next()).result).toMatchObject({ structuredContent: { data: 'own' } });
  });
});

describe('an error', () => {
  /** Requests, each with its JSON-RPC code and our own code. */
  const rows: [name: string, method: string, params: JsonObject, code: number, ours: string | undefined][] = [
    ['about an unknown method', 'tools/none', {}, -32601, undefined],
    ['about a method named like a JavaScript member', 'constructor', {}, -32601, undefined],
    ['about an unknown tool', 'tools/call', { name: 'none' }, -32602, 'object_not_found'],
    ['about a tool without a name', 'tools/call', {}, -32602, undefined],
    ['about arguments that are a list', 'tools/call', { name: 'echo', arguments: [] }, -32602, undefined],
    ['about an unknown prompt', 'prompts/get', { name: 'none' }, -32602, 'object_not_found'],
    [
      'about prompt arguments that are not texts',
      'prompts/get',
      { name: 'greet', arguments: { who: 1 } },
      -32602,
      undefined,
    ],
    ['about an unknown resource', 'resources/read', { uri: 'test://none' }, -32002, 'object_not_found'],
    ['about a resource without an address', 'resources/read', {}, -32602, undefined],
    [
      'about a subscription to an unknown resource',
      'resources/subscribe',
      { uri: 'test://none' },
      -32002,
      'object_not_found',
    ],
    ['about an unknown cursor', 'tools/list', { cursor: 'made-up' }, -32602, undefined],
    ['about a cursor that is not a text', 'resources/list', { cursor: 1 }, -32602, undefined],
    ['for a refusal', 'tools/call', { name: 'refuse' }, -32000, 'state_moved'],
    ['for refused arguments', 'tools/call', { name: 'wrong' }, -32602, 'arguments_invalid'],
    ['for an unavailable part', 'tools/call', { name: 'down' }, -32603, 'not_ready'],
    ['for a bug', 'tools/call', { name: 'bug' }, -32603, 'internal'],
  ];
  const tools = {
    refuse: () => {
      throw new AppError('state_moved');
    },
    wrong: () => {
      throw new AppError('arguments_invalid', {
        fields: [{ field: 'cid', code: 'missing', message: sentence`Name it.` }],
      });
    },
    down: () => {
      throw new AppError('not_ready', { message: 'The file /var/x is gone.' });
    },
    bug: (args: JsonObject) => {
      throw new Error(`The password is swordfish, ${String(args['note'])}`);
    },
  };

  test.each(rows)('%s has its documented code', async (_name, method, params, code, ours) => {
    const session = await open({ tools });
    const { error } = await endpoint.request(session, method, params);
    expect(error?.code).toBe(code);
    expect(error?.data?.['code']).toBe(ours);
    expect(JSON.stringify(error)).not.toMatch(/swordfish|\/var\/x|\.ts:/);
  });

  test('about arguments names the fields', async () => {
    const session = await open({ tools });
    const { error } = await endpoint.request(session, 'tools/call', { name: 'wrong' });
    expect(error?.data).toEqual({
      code: 'arguments_invalid',
      status: 400,
      errors: [{ field: 'cid', code: 'missing', message: sentence`Name it.` }],
    });
  });

  test('about a capability that is not declared is that of an unknown method', async () => {
    const session = await open({ parts: { capabilities: {} } });
    for (const method of ['resources/subscribe', 'completion/complete', 'logging/setLevel']) {
      expect((await endpoint.request(session, method)).error?.code).toBe(-32601);
    }
  });

  test('for a bug is logged, other errors are not, and the log contains nothing that was sent', async () => {
    const lines: [Record<string, unknown>, string][] = [];
    const logger: Logger = { ...silentLogger, error: (facts, message) => void lines.push([facts, message]) };
    const session = await open({ tools: { ...tools, plain: () => tools.bug({}) }, logger });
    for (const name of ['refuse', 'none', 'echo']) {
      await endpoint.request(session, 'tools/call', { name, arguments: { note: 'planted-argument' } });
    }
    expect(lines).toEqual([]);
    await endpoint.request(session, 'tools/call', { name: 'plain', arguments: { note: 'planted-argument' } });
    expect(lines).toEqual([[{ err: expect.any(Error), method: 'tools/call' }, 'An MCP request failed']]);
    expect(JSON.stringify(lines)).not.toMatch(new RegExp(`planted-argument|${session}|alice`));
  });
});

test('a client that asks for a task gets an ordinary answer, because tasks are not offered', async () => {
  const session = await open({
    tools: {
      async climb(_args, { progress }) {
        await progress(1);
        return 'up';
      },
    },
  });
  const related = { 'io.modelcontextprotocol/related-task': { taskId: 't' }, progressToken: 'p' };
  const body = callOf('climb', { task: { ttl: 1000 }, _meta: related });
  const { events } = await endpoint.send({ session, body });
  expect(events.map((event) => event.result ?? event)).toMatchObject([
    { method: 'notifications/progress' },
    { structuredContent: { data: 'up' } },
  ]);
});

test('a call is answered for its own grant, even in a session that changes grants', async () => {
  const session = await open();
  const { result } = await endpoint.request(session, 'tools/call', { name: 'who' }, { token: 'alice/next' });
  expect(result).toMatchObject({ structuredContent: { data: 'alice' } });
});
