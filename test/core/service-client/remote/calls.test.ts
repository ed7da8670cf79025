import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { type CallProgress, callReadOnly, ExactJson } from '#core/service-client/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import {
  eventOf,
  failureOf,
  giveResult,
  openClient,
  openEvents,
  refuse,
  silence,
  startFakeMcp,
  type Answer,
} from './fake-mcp.ts';

const result = {
  content: [{ type: 'text', text: 'Zoë 🦊' }],
  isError: true,
  structuredContent: { a: { b: [1] } },
  ofTheirOwn: 1,
};

function answerOf(id: number | null): object {
  return { jsonrpc: '2.0', id, result };
}

const progressOf = (progressToken: unknown, progress: number, more: object = {}): object => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken, progress, ...more },
});

test('a connection whose stream was read up to the answer is used again for the next call', async () => {
  const sockets = new Set<Socket | null>();
  const fake = await startFakeMcp({
    'tools/call': (response, { id }) => {
      sockets.add(response.socket);
      const event = eventOf(answerOf(id));
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        'content-length': Buffer.byteLength(event),
      });
      response.end(event);
    },
  });
  const client = openClient(fake.mcpUrl);
  for (let call = 0; call < 5; call += 1) expect(await client.callTool('svc_one', {})).toEqual(result);
  // Two, because the session begins with two requests at once.
  expect(sockets.size).toBeLessThanOrEqual(2);
});

test('a write uses a new connection, because the service may close an idle connection at that moment', async () => {
  const fake = await startFakeMcp({
    'tools/call': (response, { id }) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answerOf(id)));
      response.socket?.end();
    },
  });
  const client = openClient(fake.mcpUrl);
  await client.callTool('svc_one', {});
  expect(await client.callTool('svc_commit', new ExactJson('{}'))).toEqual(result);
});

test('a call that changes nothing is repeated once over a new connection if its connection breaks, and a write is not', async () => {
  let calls = 0;
  const fake = await startFakeMcp({
    'tools/call': (response, { id }) => {
      calls += 1;
      if (calls % 2 === 1) response.socket?.destroy();
      else giveResult({ ...result, isError: false })(response, { id } as never);
    },
  });
  const client = openClient(fake.mcpUrl);
  expect(await callReadOnly(client, { name: 'svc_one', args: {} })).toEqual(result.structuredContent);
  expect(calls).toBe(2);
  expect((await failureOf(client.callTool('svc_commit', new ExactJson('{}')))).code).toBe('outcome_unknown');
  expect(calls).toBe(3);
});

/** Pauses that end at once. */
function hastyPauses() {
  const clock = createManualClock();
  const waits: number[] = [];
  return {
    waits,
    clock: {
      ...clock,
      after(delayMs: number, call: () => void) {
        if (delayMs >= 10_000) return clock.after(delayMs, call);
        waits.push(delayMs);
        setImmediate(call);
        return () => undefined;
      },
    },
    random: () => 0.5,
  };
}

test.each<[what: string, answer: Answer]>([
  ['as JSON', (response, { id }) => giveResult(result)(response, { id } as never)],
  [
    'as an event stream, split anywhere',
    (response, { id }) => {
      openEvents(response);
      const bytes = Buffer.from(`: hello\r\n\r\n${eventOf(answerOf(id))}`);
      const write = (at: number): void => {
        if (at < bytes.length) response.write(bytes.subarray(at, at + 3), () => write(at + 3));
      };
      write(0);
    },
  ],
  [
    'after other messages, and the stream stays open',
    (response, { id }) => {
      openEvents(response);
      response.write(
        eventOf({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 1 } }),
      );
      response.write('event: other\ndata: not for us\n\n');
      response.write(eventOf(answerOf(id)));
    },
  ],
])('a result arrives complete, %s', async (_what, answer) => {
  const fake = await startFakeMcp({ 'tools/call': answer });
  const args = { name: 'x', $defs: [null, { a: 1.5 }] };
  expect(await openClient(fake.mcpUrl).callTool('svc_commit', args)).toEqual(result);
  expect(fake.received.at(-1)?.params).toEqual({ name: 'svc_commit', arguments: args });
});

test('a call whose token could not be renewed was certainly not sent, whatever requests the renewal made', async () => {
  const fake = await startFakeMcp();
  const away = () =>
    Promise.reject(new AppError('service_unavailable', { data: { sent: true, status: 503 } }));
  let isAway = false;
  const token = () => (isAway ? away() : Promise.resolve('token-1'));
  const client = openClient(fake.mcpUrl, { access: { token, renew: away } });
  await client.supportsCompletion();
  isAway = true;
  expect((await failureOf(client.callTool('svc_commit', {}))).code).toBe('service_unavailable');
  isAway = false;
  fake.answers['tools/call'] = refuse(401);
  expect((await failureOf(client.callTool('svc_commit', {}))).code).toBe('service_unavailable');
  expect(fake.methods().filter((method) => method === 'tools/call')).toHaveLength(1);
});

test('a request from the service is refused', async () => {
  const fake = await startFakeMcp({
    'tools/call': (response, { id }) => {
      openEvents(response);
      for (const [at, method] of [
        'sampling/createMessage',
        'elicitation/create',
        'roots/list',
        'ping',
      ].entries()) {
        response.write(eventOf({ jsonrpc: '2.0', id: `theirs-${at}`, method, params: {} }));
      }
      void fake.came('POST', 4).then(() => response.end(eventOf(answerOf(id))));
    },
  });
  const bodies: unknown[] = [];
  fake.answers['POST'] = (response, received) => {
    bodies.push(received.answered);
    response.writeHead(202).end();
  };
  expect(await openClient(fake.mcpUrl).callTool('ask', {})).toEqual(result);
  expect(bodies).toEqual([
    expect.objectContaining({ error: { code: -32601, message: 'Method not found' } }),
    expect.objectContaining({ error: { code: -32601, message: 'Method not found' } }),
    expect.objectContaining({ error: { code: -32601, message: 'Method not found' } }),
    expect.objectContaining({ result: {} }),
  ]);
  const begun = fake.received.find(({ method }) => method === 'initialize');
  expect(begun?.params['capabilities']).toEqual({});
});

test('progress is passed on, and extends the deadline of the call', async () => {
  const clock = createManualClock();
  const heard: CallProgress[] = [];
  let stream: ServerResponse | null = null;
  let token: unknown;
  const fake = await startFakeMcp({
    'tools/call': (response, { params }) => {
      openEvents(response);
      stream = response;
      ({ progressToken: token } = params['_meta'] as never);
    },
  });
  const client = openClient(fake.mcpUrl, { timeoutMs: 1000, pauses: { clock, random: () => 0 } });
  const { promise: second, resolve: isSecond } = Promise.withResolvers<void>();
  const { promise: first, resolve: isFirst } = Promise.withResolvers<void>();
  const calling = failureOf(
    client.callTool(
      'wait',
      {},
      {
        onProgress: (progress) => {
          heard.push(progress);
          clock.advance(900);
          (heard.length === 1 ? isFirst : isSecond)();
        },
      },
    ),
  );
  await fake.came('tools/call');
  clock.advance(900);
  (stream as ServerResponse | null)?.write(eventOf(progressOf(token, 1, { total: 2, message: 'Half' })));
  await first;
  (stream as ServerResponse | null)?.write(eventOf(progressOf(token, 2)));
  // Progress with an unknown token is ignored.
  (stream as ServerResponse | null)?.write(eventOf(progressOf('another', 3)));
  await second;
  expect(heard).toEqual([
    { progress: 1, total: 2, message: 'Half' },
    { progress: 2, total: null, message: null },
  ]);
  clock.advance(100);
  expect((await calling).code).toBe('outcome_unknown');
});

test('a call without a progress listener requests no progress', async () => {
  const fake = await startFakeMcp();
  await openClient(fake.mcpUrl).callTool('x', {});
  expect(fake.received.at(-1)?.params).toEqual({ name: 'x', arguments: {} });
});

test('after the deadline the service is notified, and the stream of the call ends', async () => {
  const clock = createManualClock();
  const closed = Promise.withResolvers<void>();
  const fake = await startFakeMcp({
    'tools/call': (response) => {
      openEvents(response);
      response.on('close', closed.resolve);
    },
  });
  const client = openClient(fake.mcpUrl, { timeoutMs: 1000, pauses: { clock, random: () => 0 } });
  const calling = failureOf(client.callTool('wait', {}, { timeoutMs: 5000 }));
  await fake.came('tools/call');
  clock.advance(4999);
  clock.advance(1);
  expect((await calling).code).toBe('outcome_unknown');
  await Promise.all([closed.promise, fake.came('notifications/cancelled')]);
  const call = fake.received.find(({ method }) => method === 'tools/call');
  expect(fake.received.at(-1)?.params).toEqual({ requestId: call?.id, reason: 'No answer came in time.' });
});

test('a cancelled call fails at once, the service is notified, and the connection ends', async () => {
  const closed = Promise.withResolvers<void>();
  const fake = await startFakeMcp({ 'tools/call': (response) => void response.on('close', closed.resolve) });
  const client = openClient(fake.mcpUrl);
  const cancel = new AbortController();
  const calling = failureOf(client.callTool('wait', {}, { signal: cancel.signal }));
  await fake.came('tools/call');
  cancel.abort(new Error('planted reason'));
  expect((await calling).code).toBe('call_cancelled');
  await Promise.all([closed.promise, fake.came('notifications/cancelled')]);
  expect(fake.received.at(-1)?.params['reason']).toBe('The caller no longer waits.');
  // The session is still open.
  expect(await client.listTools()).toEqual([]);
});

test('a call that is cancelled before it is sent is never sent, and an answered call is not cancelled', async () => {
  const fake = await startFakeMcp();
  const client = openClient(fake.mcpUrl);
  expect((await failureOf(client.callTool('x', {}, { signal: AbortSignal.abort() }))).code).toBe(
    'call_cancelled',
  );
  const late = new AbortController();
  await client.callTool('x', {}, { signal: late.signal });
  late.abort();
  await client.listTools();
  expect(fake.methods().filter((method) => method === 'tools/call')).toHaveLength(1);
  expect(fake.methods()).not.toContain('notifications/cancelled');
});

test('a call that is cancelled while a session begins fails at once, and other calls wait for the session', async () => {
  const fake = await startFakeMcp({ initialize: silence });
  const client = openClient(fake.mcpUrl);
  const cancel = new AbortController();
  const calling = failureOf(client.callTool('x', {}, { signal: cancel.signal }));
  await fake.came('initialize');
  cancel.abort();
  expect((await calling).code).toBe('call_cancelled');
  await client.dispose();
  // `initialize` must not be cancelled with a notification.
  expect(fake.methods()).toEqual(['initialize']);
});

/** A stream that ends before the answer, after an event with an id. */
function endingStream(more = ''): Answer {
  return (response) => {
    openEvents(response);
    response.end(`id: place-1\n${more}data:\n\n`);
  };
}

test('a stream that ends before the answer is resumed at the same event, and the call is not sent again', async () => {
  const pauses = hastyPauses();
  const fake = await startFakeMcp({ 'tools/call': endingStream('retry: 700\n') });
  let resumed = 0;
  fake.answers['GET'] = (response, { headers }) => {
    if (headers['last-event-id'] === undefined) return refuse(405)(response, {} as never);
    resumed += 1;
    // The first attempt is refused, the second stream is empty, and the third has the answer.
    if (resumed === 1) return refuse(503)(response, {} as never);
    openEvents(response);
    if (resumed === 2) return void response.end('id: place-2\ndata:\n\n');
    expect(headers['last-event-id']).toBe('place-2');
    const call = fake.received.find(({ method }) => method === 'tools/call');
    response.end(eventOf(answerOf(call?.id ?? null)));
  };
  expect(await openClient(fake.mcpUrl, { pauses }).callTool('svc_commit', {})).toEqual(result);
  expect(pauses.waits.filter((ms) => ms === 700)).toHaveLength(3);
  expect(fake.methods().filter((method) => method === 'tools/call')).toHaveLength(1);
});

test.each<[what: string, get: Answer]>([
  ['ends again and again', endingStream()],
  ['is not known any more', refuse(404)],
  ['is not given', refuse(403)],
  ['is no stream', giveResult({})],
])(
  'a stream to resume that %s: the outcome is unknown, and the call is not sent again',
  async (_what, get) => {
    const pauses = hastyPauses();
    const fake = await startFakeMcp({ 'tools/call': endingStream('retry: 0\n') });
    fake.answers['GET'] = (response, received) =>
      received.headers['last-event-id'] === undefined
        ? refuse(405)(response, received)
        : get(response, received);
    expect((await failureOf(openClient(fake.mcpUrl, { pauses }).callTool('x', {}))).code).toBe(
      'outcome_unknown',
    );
    expect(fake.methods().filter((method) => method === 'tools/call')).toHaveLength(1);
    expect(fake.methods().filter((method) => method === 'GET').length).toBeLessThan(15);
    // The client waits a little, even if the service asks it to reconnect at once.
    expect(Math.min(...pauses.waits)).toBeGreaterThanOrEqual(100);
  },
);
