import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAsker } from '#core/doctor/answers/ask.ts';
import { createAsk } from '#core/doctor/contract/ask.ts';
import { systemClock } from '#core/platform/clock.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import {
  createMemberClient,
  createPublisherClient,
  createRemoteClient,
  createUrlPolicy,
} from '#core/service-client/index.ts';
import { createGuardedFetch, refusingFetch } from '#core/service-client/oauth/oauth-requests.ts';
import { AppError } from '#shared/errors/index.ts';
import { endless, stalled } from '#test/core/service-client/oauth/discovery/document-service.ts';
import { watchReach } from '#test/core/service-client/oauth/watch-reach.ts';
import { fixedAccess } from '#test/core/service-client/remote/fake-mcp.ts';

const credential = 'planted-and-never-to-be-quoted';
const range = { from: '2026-11-01', to: '2026-11-02' };

interface Asking {
  origin: string;
  timeoutMs: number;
}

/** One request per client; each resolves with its outcome in a word or two. */
const clients = {
  'a read of the member': (at: Asking) => outcomeOf(memberOf(at).get(7)),
  'a write of the member': (at: Asking) => outcomeOf(memberOf(at).update(7, '{"a":1}')),
  'a report of the publisher': ({ origin, timeoutMs }: Asking) =>
    outcomeOf(
      createPublisherClient({
        apiUrl: origin,
        token: async () => credential,
        timeoutMs,
        logger,
      }).searchReport(range),
    ),
  'a call of a remote tool': ({ origin, timeoutMs }: Asking) => {
    const client = createRemoteClient({ mcpUrl: origin, access: fixedAccess(credential), timeoutMs, logger });
    onTestFinished(() => client.dispose());
    return outcomeOf(client.callTool('svc_update', {}));
  },
  'a token request': ({ origin, timeoutMs }: Asking) => {
    const policy = createUrlPolicy({ mcpUrl: origin });
    const body = new URLSearchParams({ refresh_token: credential });
    const send = refusingFetch(createGuardedFetch({ policy, timeoutMs }));
    return outcomeOf(
      send(`${origin}/token`, { method: 'POST', headers: {}, body }).then((answer) => answer.text()),
    );
  },
  'a step of the doctor': ({ origin, timeoutMs }: Asking) => {
    const { signal } = new AbortController();
    const asker = createAsker({ timeoutMs, signal, clock: systemClock });
    return outcomeOf(
      asker
        .ask(`${origin}/health`)
        .then((asked) => (asked.kind === 'none' ? `none: ${asked.because}` : `${asked.status}${asked.text}`)),
    );
  },
  'a contract check of the doctor': ({ origin, timeoutMs }: Asking) => {
    const { signal } = new AbortController();
    const ask = createAsk({ timeoutMs, signal, maxRequests: 10, onText: () => {} });
    const headers = { authorization: `Bearer ${credential}` };
    return outcomeOf(
      ask({ method: 'GET', url: `${origin}/campaigns`, headers }).then(
        ({ status, text }) => `${status}${text}`,
      ),
    );
  },
} satisfies Record<string, (at: Asking) => Promise<Outcome>>;

type ClientName = keyof typeof clients;

/** The outcome, and the number of requests that reached the service. Reads are retried once after a broken connection. */
type Expected = Record<ClientName, [says: string, requests: number]>;

const unreachable = {
  'a read of the member': ['service_unreachable', 1],
  'a write of the member': ['outcome_unknown', 1],
  'a report of the publisher': ['service_unreachable', 1],
  'a call of a remote tool': ['outcome_unknown', 1],
  'a token request': ['service_unreachable, sent', 1],
  'a step of the doctor': ['none: timeout', 1],
  'a contract check of the doctor': ['NotChecked', 1],
} satisfies Expected;

const cut: Expected = {
  ...unreachable,
  'a read of the member': ['service_unreachable', 2],
  'a report of the publisher': ['service_unreachable', 2],
  'a step of the doctor': ['none: cut', 1],
  'a contract check of the doctor': ['NotChecked', 2],
};

const promises: [name: string, fault: (response: ServerResponse) => void, expected: Expected][] = [
  [
    'follows no redirect',
    (response) => void response.writeHead(307, { location: '/elsewhere' }).end(),
    {
      ...cut,
      'a token request': ['address_refused, sent', 1],
      'a step of the doctor': ['307', 1],
      'a contract check of the doctor': ['Drift', 1],
    },
  ],
  [
    'sends nothing again after 421',
    (response) => void response.writeHead(421).end(),
    {
      'a read of the member': ['wrong_host', 1],
      'a write of the member': ['wrong_host', 1],
      'a report of the publisher': ['wrong_host', 1],
      'a call of a remote tool': ['wrong_host', 1],
      'a token request': ['wrong_host, sent', 1],
      'a step of the doctor': ['421', 1],
      'a contract check of the doctor': ['421', 1],
    },
  ],
  ['ends at its deadline when nothing answers', () => {}, unreachable],
  [
    'ends at its deadline when an answer stalls',
    stalled,
    // The first bytes of a report have arrived, so its read is not retried.
    unreachable,
  ],
  ['knows that a request may have arrived when its connection is cut', (response) => response.destroy(), cut],
  [
    'reads no answer without an end',
    endless,
    {
      'a read of the member': ['service_answer_unreadable', 1],
      'a write of the member': ['outcome_unknown', 1],
      'a report of the publisher': ['service_answer_unreadable', 1],
      'a call of a remote tool': ['outcome_unknown', 1],
      'a token request': ['', 1],
      'a step of the doctor': ['200', 1],
      'a contract check of the doctor': ['200', 1],
    },
  ],
  [
    'quotes no credential of an answer that is no HTTP',
    ({ socket }) => void socket?.end(`HTTP/1.1 200 OK\r\n${credential}\u0001: x\r\n\r\n`),
    cut,
  ],
];

describe.each(promises)('every client %s', (name, fault, expected) => {
  test.each(Object.entries(expected) as [ClientName, [string, number]][])(
    '%s',
    async (client, [says, times]) => {
      const service = await startFaulty(fault);
      // A short timeout is used only in cases about the timeout.
      const timeoutMs = name.startsWith('ends') ? 250 : 20_000;
      const outcome = await clients[client]({ origin: service.origin, timeoutMs });
      expect([outcome.says, service.faulted()]).toEqual([says, times]);
      expect(service.paths).not.toContain('/elsewhere');
      expect(inspect(outcome, { depth: Infinity, showHidden: true })).not.toContain(credential);
      if (fault === endless) await expect.poll(service.closed).toBe(true);
    },
  );
});

describe('every client knows that nothing was sent to a closed port', () => {
  const expected: Record<ClientName, string> = {
    'a read of the member': 'service_unreachable',
    'a write of the member': 'outcome_unknown',
    'a report of the publisher': 'service_unreachable',
    'a call of a remote tool': 'service_unreachable, not sent',
    'a token request': 'service_unreachable, not sent',
    'a step of the doctor': 'none: refused',
    'a contract check of the doctor': 'NotChecked',
  };
  test.each(Object.entries(expected) as [ClientName, string][])('%s', async (client, says) => {
    const service = await startFaulty(() => {});
    await service.stop();
    const { says: found } = await clients[client]({ origin: service.origin, timeoutMs: 10_000 });
    expect(found).toBe(says);
  });
});

test.each(Object.keys(clients) as ClientName[])(
  'a port that browsers reserve for other protocols is never connected to: %s',
  async (client) => {
    const reach = watchReach();
    const outcome = await clients[client]({ origin: 'http://127.0.0.1:6667', timeoutMs: 10_000 });
    expect(outcome.says).toMatch(/^(service_unreachable|outcome_unknown|none: port|NotChecked)/);
    expect(reach.connections).toEqual([]);
  },
);

test('an address from a service’s document is not connected to if it leads into a private network', async () => {
  const reach = watchReach();
  const policy = createUrlPolicy({ mcpUrl: 'https://mcp.example.com' });
  const send = createGuardedFetch({ policy, timeoutMs: 10_000, lookup: async () => ['10.0.0.1'] });
  const asked = send('https://login.example.org/token', { method: 'POST', headers: {}, body: credential });
  expect((await outcomeOf(asked)).says).toBe('address_refused, not sent');
  expect(reach.connections).toEqual([]);
});

function memberOf({ origin, timeoutMs }: Asking) {
  return createMemberClient({ baseUrl: origin, token: async () => credential, timeoutMs, logger });
}

interface Outcome {
  says: string;
  failure?: unknown;
}

async function outcomeOf(work: Promise<unknown>): Promise<Outcome> {
  try {
    const result = await work;
    return { says: typeof result === 'string' ? result.trim() : 'done' };
  } catch (failure) {
    if (!(failure instanceof AppError)) return { says: (failure as Error).constructor.name, failure };
    const { sent } = failure.data;
    const reported = sent === undefined ? '' : sent === true ? ', sent' : ', not sent';
    return { says: `${failure.code}${reported}`, failure };
  }
}

/** A service that answers each request with the fault, but opens and closes sessions of the remote tools normally. */
async function startFaulty(fault: (response: ServerResponse) => void) {
  const paths: string[] = [];
  let faulted = 0;
  let closed = false;
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    paths.push(request.url ?? '');
    if (request.url === '/mcp' && isOfSession(request, Buffer.concat(chunks).toString(), response)) return;
    faulted += 1;
    response.on('close', () => (closed = true));
    fault(response);
  }
  const server = createServer((request, response) => void handle(request, response).catch(() => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(stop);
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paths,
    faulted: () => faulted,
    closed: () => closed,
    stop,
  };
}

/** Answers requests that belong to a session and are not the call itself. */
function isOfSession({ method }: IncomingMessage, body: string, response: ServerResponse): boolean {
  if (body.includes('"tools/call"')) return false;
  if (!body.includes('"initialize"')) {
    response.writeHead(method === 'GET' ? 405 : 202).end();
    return true;
  }
  const serverInfo = { name: 'faulty', version: '1' };
  const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: 0, result }));
  return true;
}
