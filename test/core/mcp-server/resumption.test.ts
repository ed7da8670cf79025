import { afterEach, expect, test } from 'vitest';
import type { CallContext } from '#core/mcp-server/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { openEndpoint } from './open-endpoint.ts';
import type { EndpointSetup, OpenEndpoint } from './open-endpoint.ts';
import { openStream } from './open-stream.ts';

let endpoint: OpenEndpoint;

afterEach(() => endpoint.dispose());

async function open(setup: EndpointSetup, protocolVersion = '2025-11-25'): Promise<string> {
  endpoint = await openEndpoint({ resumption: true, ...setup });
  return endpoint.initialize({ protocolVersion });
}

const call = (name: string): JsonObject => ({
  jsonrpc: '2.0',
  id: 'c',
  method: 'tools/call',
  params: { name },
});
const done = { id: 'c', result: { structuredContent: { data: 'done' } } };

/** A tool that ends when the test calls `go`. `begun` resolves with the context of its call. */
function heldTool() {
  const begun = Promise.withResolvers<CallContext>();
  const go = Promise.withResolvers<void>();
  const hold = async (_args: JsonObject, context: CallContext) => {
    begun.resolve(context);
    await go.promise;
    return 'done';
  };
  return { hold, begun: begun.promise, go: go.resolve };
}

test('a client that lost its stream can resume it, and the call was not cancelled', async () => {
  const { hold, begun, go } = heldTool();
  const session = await open({ tools: { hold } });
  const stream = await openStream(endpoint.url, { session, body: call('hold') });
  await stream.opening();
  const { signal } = await begun;
  stream.leave();
  const again = { session, method: 'GET', headers: { 'last-event-id': stream.lastEventId ?? '' } };
  const resumed = await openStream(endpoint.url, again);
  go();
  expect(await resumed.next()).toMatchObject(done);
  expect(signal.aborted).toBe(false);
  resumed.leave();
});

test('an answer without a listener is delivered when the client reconnects', async () => {
  const { hold, begun, go } = heldTool();
  const session = await open({ tools: { hold } });
  const stream = await openStream(endpoint.url, { session, body: call('hold') });
  await stream.opening();
  (await begun).closeStream();
  expect(await stream.rest()).toEqual([]);
  go();
  await expect.poll(async () => (await endpoint.request(session, 'ping')).result).toEqual({});
  const again = { session, method: 'GET', headers: { 'last-event-id': stream.lastEventId ?? '' } };
  const resumed = await openStream(endpoint.url, again);
  expect(await resumed.next()).toMatchObject(done);
  resumed.leave();
});

test('an event of another session, or an unknown event, resumes nothing', async () => {
  const { hold, begun, go } = heldTool();
  const session = await open({ tools: { hold } });
  const stream = await openStream(endpoint.url, { session, body: call('hold') });
  await stream.opening();
  await begun;
  const other = await endpoint.initialize({ token: 'bob' });
  for (const [who, token, id] of [
    [other, 'bob', stream.lastEventId ?? ''],
    [session, 'alice', '999'],
  ] as const) {
    const answer = await endpoint.send({
      session: who,
      token,
      method: 'GET',
      headers: { 'last-event-id': id },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error?.data?.['code']).toBe('bad_request');
  }
  go();
  expect(await stream.next()).toMatchObject(done);
});

test('a client of an earlier version cannot reconnect, so its calls are cancelled', async () => {
  const { hold, begun } = heldTool();
  const session = await open({ tools: { hold } }, '2025-06-18');
  const stream = await openStream(endpoint.url, { session, body: call('hold') });
  const { signal } = await begun;
  stream.leave();
  await expect.poll(() => signal.aborted).toBe(true);
});

test('closing a stream early does nothing if streams cannot be resumed', async () => {
  const session = await open({
    resumption: false,
    tools: {
      eager(_args, { closeStream }) {
        closeStream();
        return 'done';
      },
    },
  });
  const { events } = await endpoint.send({ session, body: call('eager') });
  expect(events).toMatchObject([done]);
});
