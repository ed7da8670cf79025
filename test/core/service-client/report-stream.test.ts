import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '#core/platform/logger.ts';
import { createPublisherClient, type CallOutcome, type PublisherClient } from '#core/service-client/index.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { failureOf } from './failure-of.ts';

const key = 'pk_streamed-and-secret';
const address = { kind: 'search', from: '2026-03-01', to: '2026-03-07' } as const;

/** Milliseconds by the client's clock for which it waits for the next bytes of an answer. */
const timeoutMs = 10_000;

async function setUp(...scripts: ((response: ServerResponse) => unknown)[]) {
  let requests = 0;
  let closed = 0;
  const server = createServer((request, response) => {
    response.on('close', () => (closed += 1));
    request.resume();
    const script = scripts[Math.min(requests, scripts.length - 1)];
    requests += 1;
    void script?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const clock = createManualClock();
  const outcomes: CallOutcome[] = [];
  const logged: string[] = [];
  const client: PublisherClient = createPublisherClient({
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: async () => key,
    timeoutMs,
    logger: createLogger({ to: { write: (line: string) => void logged.push(line) }, level: 'info' }),
    observe: (outcome) => void outcomes.push(outcome),
    pauses: { clock, random: () => 0 },
    clock,
  });
  return { client, clock, outcomes, logged, requests: () => requests, closed: () => closed };
}

/** A service whose answer the test continues after its first bytes, and the client's reader of the answer. */
async function openAnswer(begin = (response: ServerResponse): unknown => response.write('first;')) {
  const responding = Promise.withResolvers<ServerResponse>();
  const world = await setUp((response) => {
    begin(response);
    responding.resolve(response);
  });
  const { chunks } = await world.client.open(address);
  const iterator = chunks[Symbol.asyncIterator]();
  const next = async (): Promise<string | null> => {
    const { done, value } = await iterator.next();
    return done === true ? null : Buffer.from(value).toString();
  };
  return { ...world, next, response: await responding.promise };
}

async function read(client: PublisherClient, signal?: AbortSignal): Promise<string> {
  const { chunks } = await client.open(address, signal === undefined ? {} : { signal });
  let text = '';
  for await (const chunk of chunks) text += Buffer.from(chunk).toString();
  return text;
}

test('an answer may take longer than the request deadline if data keeps arriving', async () => {
  const { clock, next, response, outcomes } = await openAnswer();
  expect(await next()).toBe('first;');
  for (let part = 0; part < 6; part += 1) {
    const reading = next();
    clock.advance(timeoutMs - 1);
    response.write(`part ${part};`);
    expect(await reading).toBe(`part ${part};`);
  }
  response.end();
  expect(await next()).toBeNull();
  expect(outcomes).toHaveLength(1);
});

test('an answer that stops arriving is cancelled after the deadline, and is not requested again', async () => {
  const { clock, next, requests, outcomes, logged, closed } = await openAnswer();
  await next();
  const reading = failureOf(next());
  clock.advance(timeoutMs);
  expect((await reading).code).toBe('service_unreachable');
  expect(requests()).toBe(1);
  expect(outcomes.map(({ ready }) => ready)).toEqual([true, false]);
  await expect.poll(closed).toBe(1);
  expect(logged.join('')).not.toContain(key);
});

test('a slow reader does not count as silence of the service', async () => {
  const { clock, next, response } = await openAnswer();
  await next();
  clock.advance(2 * timeoutMs);
  response.end('last');
  expect(await next()).toBe('last');
  expect(await next()).toBeNull();
});

test('a read is repeated if its connection breaks before the first bytes, and not afterwards', async () => {
  const early = await setUp(
    (response) => response.destroy(),
    (response) => response.end('whole'),
  );
  expect(await read(early.client)).toBe('whole');
  expect(early.requests()).toBe(2);

  const late = await openAnswer((response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('begin');
  });
  expect(await late.next()).toBe('begin');
  late.response.destroy();
  const failure = await failureOf(late.next());
  expect(failure.code).toBe('service_unreachable');
  expect(JSON.stringify([failure.message, String(failure.cause)])).not.toContain(key);
  expect(late.requests()).toBe(1);
});

test('a cancelled read fails with the caller’s own reason, and its connection is closed', async () => {
  const { client, closed, outcomes } = await setUp((response) => response.write('first;'));
  const abort = new AbortController();
  const reason = new Error('Cancelled');
  const reading = read(client, abort.signal);
  await expect.poll(() => outcomes.length).toBe(1);
  abort.abort(reason);
  await expect(reading).rejects.toBe(reason);
  await expect.poll(closed).toBe(1);
  expect(outcomes.map(({ ready }) => ready)).toEqual([true]);
});

test('a stream that is no longer needed is closed, whether it was read or not', async () => {
  const { client, closed, logged } = await setUp((response) => response.write('first;'));
  (await client.open(address)).close();
  await expect.poll(closed).toBe(1);
  const second = await client.open(address);
  for await (const chunk of second.chunks) {
    expect(chunk.byteLength).toBeGreaterThan(0);
    break;
  }
  await expect.poll(closed).toBe(2);
  expect(logged).toEqual([]);
});

test('a report of more than a hundred megabytes is read in pieces', async () => {
  const piece = Buffer.alloc(1024 * 1024, 'x');
  const { client } = await setUp(async (response) => {
    for (let part = 0; part < 120; part += 1) {
      if (!response.write(piece)) await new Promise((resolve) => response.once('drain', resolve));
    }
    response.end();
  });
  let size = 0;
  let largest = 0;
  const { chunks } = await client.open(address);
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    largest = Math.max(largest, chunk.byteLength);
  }
  expect(size).toBe(120 * piece.byteLength);
  expect(largest).toBeLessThanOrEqual(piece.byteLength);
});
