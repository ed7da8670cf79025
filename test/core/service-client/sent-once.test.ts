import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLogger as logger } from '#core/platform/logger.ts';
import {
  createMemberClient,
  createPublisherClient,
  createRemoteClient,
  type CallOutcome,
} from '#core/service-client/index.ts';
import { refusalCodes, type ErrorCode } from '#shared/errors/index.ts';
import { startFakeService } from '#test/servers/fake-service.ts';
import { createHurriedClock } from './hurried-clock.ts';
import { failureOf } from './failure-of.ts';

const ok = JSON.stringify({ status: 'success', message: 'Saved' });
const refused = JSON.stringify({ status: 'error', message: 'No' });

function clientOf(baseUrl: string, timeoutMs = 20_000) {
  const clock = createHurriedClock();
  const outcomes: CallOutcome[] = [];
  const observe = (outcome: CallOutcome): void => void outcomes.push(outcome);
  const pauses = { clock, random: () => 0.5 };
  const client = createMemberClient({
    baseUrl,
    token: async () => 'a-token',
    timeoutMs,
    logger,
    observe,
    pauses,
  });
  return { client, clock, outcomes };
}

/** Statuses that are not answers of the service: redirects, and a proxy that asks for credentials. */
const unseen = new Set([301, 302, 303, 307, 308, 407]);

const statuses = Array.from({ length: 400 }, (_, index) => 200 + index);

function writeFailure(status: number): ErrorCode | null {
  if (status < 300) return null;
  if (status < 400 || status >= 500 || unseen.has(status)) return 'outcome_unknown';
  return status === 421 ? 'wrong_host' : (refusalCodes[status] ?? 'operation_refused');
}

describe('a write is sent once', () => {
  test('whatever status it is answered with, with or without `Retry-After`', async () => {
    const service = await startFakeService();
    const { client, clock } = clientOf(service.baseUrl);
    const wrong: unknown[] = [];
    for (const status of statuses) {
      for (const headers of [{}, { 'retry-after': '1' }]) {
        service.received.length = 0;
        const body = status < 300 ? ok : refused;
        service.answerWith({
          kind: 'answer',
          status,
          body: status === 204 || status === 205 || status === 304 ? '' : body,
          headers,
        });
        const code = await client.updateStatus('{"ids":[1],"status":3}').then(
          () => null,
          (failure: { code: unknown }) => failure.code,
        );
        const found = { status, code, sent: service.received.length };
        if (code !== writeFailure(status) || service.received.length !== 1) wrong.push(found);
      }
    }
    expect(wrong).toEqual([]);
    expect(clock.waitsMs).toEqual([]);
  });

  test.each([
    ['before any answer', ''],
    ['in the head of the answer', 'HTTP/1.1 200 OK\r\ncontent-type: appl'],
    ['in its body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"status":"succ'],
    [
      'after the head of a refusal',
      'HTTP/1.1 429 Too Many\r\nretry-after: 1\r\ncontent-length: 100\r\n\r\n{',
    ],
    ['with an answer that is no HTTP', 'Hello\r\n\r\n'],
  ])('when the connection is cut %s', async (_name, answer) => {
    const { baseUrl, sent } = await startCutting([answer]);
    const { client, clock } = clientOf(baseUrl);
    expect((await failureOf(client.update(7, '{"a":1}'))).code).toBe('outcome_unknown');
    expect(sent('PUT')).toBe(1);
    expect(clock.waitsMs).toEqual([]);
  });

  test('over a new connection, even if an idle connection exists', async () => {
    const first = `HTTP/1.1 200 OK\r\ncontent-length: ${ok.length}\r\n\r\n${ok}`;
    const { baseUrl, sent, connections, requests } = await startCutting([first, '']);
    const { client } = clientOf(baseUrl);
    await client.update(7, '{"a":1}');
    // The connection would become free a moment after its answer was read.
    await setImmediate();
    expect((await failureOf(client.update(7, '{"a":2}'))).code).toBe('outcome_unknown');
    expect(sent('PUT')).toBe(2);
    expect(connections()).toBe(2);
    expect(requests[1]).toMatch(/content-length: 7\r\n/i);
    expect(requests[1]).not.toMatch(/transfer-encoding/i);
  });

  test('when no answer arrives', async () => {
    const service = await startFakeService();
    const { client } = clientOf(service.baseUrl, 1_000);
    expect((await failureOf(client.update(7, '{"a":1}'))).code).toBe('outcome_unknown');
    expect(service.received).toHaveLength(1);
  });
});

describe('a read', () => {
  test('is repeated only after 429 and 503, whatever other status it is answered with', async () => {
    const service = await startFakeService();
    const { client } = clientOf(service.baseUrl);
    const wrong: unknown[] = [];
    for (const status of statuses.filter((each) => each >= 300)) {
      service.received.length = 0;
      service.answerWith({
        kind: 'answer',
        status,
        body: status === 304 ? '' : refused,
        headers: { 'retry-after': '1' },
      });
      await failureOf(client.get(7));
      // A redirect and 407 count as broken connections, which are retried once; a 421 is an answer.
      const passing = status === 429 || status === 503 ? 4 : 1;
      const expected = unseen.has(status) ? 2 : passing;
      if (service.received.length !== expected) wrong.push({ status, sent: service.received.length });
    }
    expect(wrong).toEqual([]);
  });

  test('that is redirected reports the redirect, not an unreachable service', async () => {
    const service = await startFakeService();
    const origin = new URL(service.baseUrl).origin;
    const shared = { token: async () => 'token-of-the-profile', timeoutMs: 5_000, logger };
    const range = { from: '2026-11-01', to: '2026-11-02' };
    const access = { token: shared.token, renew: shared.token };
    const remote = createRemoteClient({ ...shared, mcpUrl: origin, access });
    onTestFinished(() => remote.dispose());
    for (const status of [301, 302, 303, 307, 308]) {
      service.answerWith({ kind: 'answer', status, body: '', headers: { location: '/elsewhere' } });
      const reads = [
        clientOf(service.baseUrl, shared.timeoutMs).client.get(7),
        createPublisherClient({ ...shared, apiUrl: origin }).searchReport(range),
        remote.listTools(),
      ];
      for (const failure of await Promise.all(reads.map(failureOf))) {
        expect(failure, `a redirect with ${status}`).toMatchObject({
          code: 'service_unreachable',
          message: 'The service redirects elsewhere. Countersign does not follow.',
        });
      }
    }
  });

  test('that is not answered in time reports the timeout', async () => {
    const service = await startFakeService();
    const { origin } = new URL(service.baseUrl);
    service.answerWith({ kind: 'silence' });
    const shared = { token: async () => 'token-of-the-profile', timeoutMs: 1_000, logger };
    const range = { from: '2026-11-01', to: '2026-11-02' };
    const access = { token: shared.token, renew: shared.token };
    const remote = createRemoteClient({ ...shared, mcpUrl: origin, access });
    onTestFinished(() => remote.dispose());
    const reads = [
      clientOf(service.baseUrl, shared.timeoutMs).client.get(7),
      createPublisherClient({ ...shared, apiUrl: origin }).searchReport(range),
      remote.listTools(),
    ];
    for (const failure of await Promise.all(reads.map(failureOf))) {
      expect(failure).toMatchObject({
        code: 'service_unreachable',
        message: 'The service did not answer in time.',
      });
    }
    expect(service.received).toHaveLength(3);
  });

  test('that waited succeeds when the service is available again', async () => {
    const service = await startFakeService();
    const { client, clock, outcomes } = clientOf(service.baseUrl);
    const data = { data: [], total: 0, currentPage: 1, totalPages: 0 };
    service.answerWith(
      { kind: 'answer', status: 429, body: refused, headers: { 'retry-after': '2' } },
      { kind: 'answer', status: 503, body: refused },
      { kind: 'answer', status: 200, body: JSON.stringify({ status: 'success', message: '', data }) },
    );
    expect(await client.list({ page: 1, perPage: 1 })).toEqual(data);
    expect(clock.waitsMs).toEqual([2_250, 500]);
    expect(outcomes.map(withoutLatency)).toEqual([
      { ready: true, retryAfterSeconds: 2 },
      { ready: false },
      { ready: true, signedIn: true },
    ]);
  });

  test('that is cancelled fails with the caller’s reason, and leaves the state of the service unchanged', async () => {
    const service = await startFakeService();
    const { client, outcomes } = clientOf(service.baseUrl);
    const abort = new AbortController();
    const reason = new Error('The page is gone');
    const read = client.get(7, abort.signal);
    const list = client.list({ page: 1, perPage: 1 }, abort.signal);
    await expect.poll(() => service.received.length).toBe(2);
    abort.abort(reason);
    await expect(read).rejects.toBe(reason);
    await expect(list).rejects.toBe(reason);
    await expect(client.get(7, abort.signal)).rejects.toBe(reason);
    expect(outcomes).toEqual([]);
  });
});

/** A server that sends one of these texts per request, and cuts the connection after every incomplete answer. */
async function startCutting(answers: readonly string[]) {
  const requests: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      const text = String(bytes);
      if (!/^(GET|PUT) /.test(text)) return;
      const answer = answers[requests.length] ?? '';
      requests.push(text);
      socket.write(answer, () => {
        if (!answer.endsWith('}')) socket.destroy();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    sent: (method: string) => requests.filter((request) => request.startsWith(method)).length,
    connections: () => sockets.length,
    requests,
  };
}

function withoutLatency({ ready, signedIn, retryAfterSeconds }: CallOutcome): Omit<CallOutcome, 'latencyMs'> {
  return {
    ready,
    ...(signedIn === undefined ? {} : { signedIn }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}
