import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { ChangedList } from '#core/service-client/index.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import {
  cut,
  eventOf,
  inTurn,
  openClient,
  openEvents,
  refuse,
  sessionId,
  startFakeMcp,
  type Answer,
  type ClientSetup,
  type FakeMcp,
} from './fake-mcp.ts';

const changed = (list: string): object => ({ jsonrpc: '2.0', method: `notifications/${list}/list_changed` });

const everything: ChangedList[] = ['tools', 'resources', 'prompts'];

/** Streams that the service keeps open, in the order of their requests. */
function heldStreams(): { answer: Answer; streams: ServerResponse[] } {
  const streams: ServerResponse[] = [];
  return {
    streams,
    answer: (response) => {
      openEvents(response);
      streams.push(response);
    },
  };
}

/** A client with a listener, and a wait until it has reported a number of changes. */
async function listenTo(fake: FakeMcp, setup: ClientSetup = {}) {
  const client = openClient(fake.mcpUrl, setup);
  const heard: ChangedList[] = [];
  let wake = (): void => undefined;
  const stop = client.onListChanged((list) => {
    heard.push(list);
    wake();
  });
  await client.supportsCompletion();
  return {
    client,
    heard,
    stop,
    async hears(times: number) {
      while (heard.length < times) await new Promise<void>((resolve) => (wake = resolve));
    },
  };
}

/** A clock that the test advances, and a wait until the client has set a number of timers. */
function watchedClock() {
  const clock = createManualClock();
  const delays: number[] = [];
  let wake = (): void => undefined;
  return {
    delays,
    async waits(times: number) {
      while (delays.length < times) await new Promise<void>((resolve) => (wake = resolve));
    },
    pauses: {
      clock: {
        ...clock,
        after(delayMs: number, call: () => void) {
          // Leaves out the deadlines of requests.
          if (delayMs !== 10_000) {
            delays.push(delayMs);
            wake();
          }
          return clock.after(delayMs, call);
        },
      },
      random: () => 1,
    },
    advance: clock.advance,
  };
}

test('a changed list is reported over the session’s own stream', async () => {
  const { answer, streams } = heldStreams();
  const fake = await startFakeMcp({ GET: answer });
  const { heard, hears, stop, client } = await listenTo(fake);
  const others: ChangedList[] = [];
  client.onListChanged((list) => others.push(list));
  await fake.came('GET');
  expect(fake.received.find(({ http }) => http === 'GET')?.headers).toMatchObject({
    'mcp-session-id': sessionId,
    'mcp-protocol-version': '2025-11-25',
    accept: 'text/event-stream',
    authorization: 'Bearer token-1',
  });
  for (const list of ['prompts', 'tools', 'nothing', '__proto__', 'resources'])
    streams[0]?.write(eventOf(changed(list)));
  await hears(3);
  expect(heard).toEqual(['prompts', 'tools', 'resources']);
  stop();
  streams[0]?.write(eventOf(changed('tools')));
  while (others.length < 4) await new Promise((resolve) => setImmediate(resolve));
  expect(heard).toHaveLength(3);
});

test('a broken stream is resumed at the same event after growing waits, and every list counts as changed', async () => {
  const { answer, streams } = heldStreams();
  const fake = await startFakeMcp({ GET: inTurn(answer, refuse(503), cut, refuse(409), answer) });
  const { waits, delays, pauses, advance } = watchedClock();
  const { heard, hears } = await listenTo(fake, { pauses });
  await fake.came('GET');
  streams[0]?.end('id: place-7\ndata:\n\n');
  for (const [at, delayMs] of [1000, 2000, 4000, 8000].entries()) {
    await waits(at + 1);
    expect(delays[at]).toBe(delayMs);
    expect(heard).toEqual([]);
    advance(delayMs);
    await fake.came('GET', at + 2);
  }
  await hears(3);
  expect(heard).toEqual(everything);
  expect(
    fake.received.filter(({ http }) => http === 'GET').map(({ headers }) => headers['last-event-id']),
  ).toEqual([undefined, 'place-7', 'place-7', 'place-7', 'place-7']);
});

test('the wait never exceeds a minute, and a service that allows an immediate retry is not flooded with requests', async () => {
  const fake = await startFakeMcp({
    GET: (response) => {
      openEvents(response);
      response.end('retry: 0\ndata:\n\n');
    },
  });
  const { waits, delays, pauses, advance } = watchedClock();
  await listenTo(fake, { pauses });
  for (let at = 0; at < 9; at += 1) {
    await waits(at + 1);
    advance(delays[at] ?? 0);
  }
  await waits(10);
  expect(delays).toEqual([100, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000, 60_000]);
});

test('an unreadable message ends only the stream', async () => {
  const { answer, streams } = heldStreams();
  const fake = await startFakeMcp({ GET: answer });
  const { waits, pauses, advance } = watchedClock();
  const { hears, client } = await listenTo(fake, { pauses });
  await fake.came('GET');
  streams[0]?.write('data: {"jsonrpc":"2.0","method":"a","method":"b"}\n\n');
  await waits(1);
  expect(await client.listTools()).toEqual([]);
  advance(1000);
  await fake.came('GET', 2);
  streams[1]?.write(eventOf(changed('tools')));
  await hears(4);
});

test.each<[what: string, answer: Answer]>([
  ['405: the service has no stream', refuse(405)],
  ['404: the service has no such address', refuse(404)],
  ['403', refuse(403)],
  [
    'an answer that is no stream',
    (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(),
  ],
])('a stream that the service does not offer is not requested again: %s', async (_what, answer) => {
  const fake = await startFakeMcp({ GET: answer });
  const { delays, pauses } = watchedClock();
  const { client } = await listenTo(fake, { pauses });
  await fake.came('GET');
  for (let more = 0; more < 3; more += 1) await client.listTools();
  expect(delays).toEqual([]);
  expect(fake.methods().filter((method) => method === 'GET')).toHaveLength(1);
  expect(fake.methods().filter((method) => method === 'initialize')).toHaveLength(1);
});

test('a new session begins if the session ends during listening, and every list counts as changed', async () => {
  const { answer } = heldStreams();
  const fake = await startFakeMcp({ GET: inTurn(cut, refuse(404), answer) });
  const { waits, pauses, advance } = watchedClock();
  const { heard, hears } = await listenTo(fake, { pauses });
  await waits(1);
  advance(1000);
  await hears(3);
  await fake.came('GET', 3);
  expect(heard).toEqual(everything);
  expect(fake.methods().filter((method) => method === 'initialize')).toHaveLength(2);
  // The service does not know the old session any more, so the client does not end it there.
  expect(fake.methods()).not.toContain('DELETE');
});
