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

test('arguments and results go through whole, keys included that no schema names', async () => {
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

describe('a call is given up', () => {
  test('when the client cancels it: nothing is answered, and its stream ends', async () => {
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

  test('when the client goes away before the answer', async () => {
    const { wait, begun, gone } = waitingTool();
    const session = await open({ tools: { wait } });
    const stream = await openStream(endpoint.url, { session, body: callOf('wait') });
    await begun;
    stream.leave();
    await gone;
    expect((await endpoint.request(session, 'ping')).result).toEqual({});
  });

  test('but not when another session cancels the same id', async () => {
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

  test('and keeps its place until its work has really ended', async () => {
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

describe('a call whose session ends', () => {
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

  test('gets an error where its work does not answer in time, and nothing comes after it', async () => {
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

describe('progress', () => {
  const climb = async (_args: JsonObject, { progress, wantsProgress }: CallContext): Promise<JsonValue> => {
    await progress(1, 3);
    await progress(1, 3);
    await progress(0.5);
    await progress(2, 3, 'Nearly');
    return wantsProgress;
  };

  test('goes over the stream of the call, with the token of the client, and only ever grows', async () => {
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

  test('is not reported to a client that did not ask', async () => {
    const session = await open({ tools: { climb } });
    const { events } = await endpoint.send({ session, body: callOf('climb') });
    expect(events).toHaveLength(1);
    expect(events[0]?.result).toMatchObject({ structuredContent: { data: false } });
  });

  test('after the answer is not reported', async () => {
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

test('log messages follow the level that the session asked for', async () => {
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

  test('goes over the stream of the call, and its answer comes back whole', async () => {
    const session = await open({ tools: { curious } });
    const stream = await openStream(endpoint.url, { session, body: callOf('curious') });
    const asked = await stream.next();
    expect(asked).toMatchObject({ method: 'sampling/createMessage', params: question });
    const response = { jsonrpc: '2.0', id: asked.id, result: { answer: { $any: 1 } } };
    expect((await endpoint.send({ session, body: response })).status).toBe(202);
    expect((await stream.next()).result).toMatchObject({ structuredContent: { data: { $any: 1 } } });
  });

  test('that the client cannot answer fails the call with `client_unable`', async () => {
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

describe('a failure', () => {
  /** Requests, each with its JSON-RPC code and our own code. */
  const rows: [name: string, method: string, params: JsonObject, code: number, ours: string | undefined][] = [
    ['an unknown method', 'tools/none', {}, -32601, undefined],
    ['a name of the language for a method', 'constructor', {}, -32601, undefined],
    ['an unknown tool', 'tools/call', { name: 'none' }, -32602, 'object_not_found'],
    ['a tool without a name', 'tools/call', {}, -32602, undefined],
    ['arguments that are a list', 'tools/call', { name: 'echo', arguments: [] }, -32602, undefined],
    ['an unknown prompt', 'prompts/get', { name: 'none' }, -32602, 'object_not_found'],
    [
      'prompt arguments that are no texts',
      'prompts/get',
      { name: 'greet', arguments: { who: 1 } },
      -32602,
      undefined,
    ],
    ['an unknown resource', 'resources/read', { uri: 'test://none' }, -32002, 'object_not_found'],
    ['a resource without an address', 'resources/read', {}, -32602, undefined],
    ['a subscription to nothing', 'resources/subscribe', { uri: 'test://none' }, -32002, 'object_not_found'],
    ['an unknown cursor', 'tools/list', { cursor: 'made-up' }, -32602, undefined],
    ['a cursor that is no text', 'resources/list', { cursor: 1 }, -32602, undefined],
    ['a refusal', 'tools/call', { name: 'refuse' }, -32000, 'state_moved'],
    ['arguments that are refused', 'tools/call', { name: 'wrong' }, -32602, 'arguments_invalid'],
    ['a part that is down', 'tools/call', { name: 'down' }, -32603, 'not_ready'],
    ['a bug', 'tools/call', { name: 'bug' }, -32603, 'internal'],
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

  test.each(rows)('of %s has its code', async (_name, method, params, code, ours) => {
    const session = await open({ tools });
    const { error } = await endpoint.request(session, method, params);
    expect(error?.code).toBe(code);
    expect(error?.data?.['code']).toBe(ours);
    expect(JSON.stringify(error)).not.toMatch(/swordfish|\/var\/x|\.ts:/);
  });

  test('of arguments names the fields', async () => {
    const session = await open({ tools });
    const { error } = await endpoint.request(session, 'tools/call', { name: 'wrong' });
    expect(error?.data).toEqual({
      code: 'arguments_invalid',
      status: 400,
      errors: [{ field: 'cid', code: 'missing', message: sentence`Name it.` }],
    });
  });

  test('of a capability that is not declared is an unknown method', async () => {
    const session = await open({ parts: { capabilities: {} } });
    for (const method of ['resources/subscribe', 'completion/complete', 'logging/setLevel']) {
      expect((await endpoint.request(session, method)).error?.code).toBe(-32601);
    }
  });

  test('that is a bug is logged, and what is not is not; nothing that was sent is in the log', async () => {
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

test('a client that asks for a task is answered as any other, since none are offered', async () => {
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

test('a call is answered for its own grant, also if a session changes grants', async () => {
  const session = await open();
  const { result } = await endpoint.request(session, 'tools/call', { name: 'who' }, { token: 'alice/next' });
  expect(result).toMatchObject({ structuredContent: { data: 'alice' } });
});
