import { createServer, type AddressInfo, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Logger } from '#core/platform/logger.ts';
import { createMemberClient, createPublisherClient, type CallOutcome } from '#core/service-client/index.ts';
import { createHurriedClock } from './hurried-clock.ts';

const range = { from: '2026-11-01', to: '2026-11-02' };

/** Calls of each client, with a credential that every answer below tries to reveal. */
const calls = {
  'a read of a campaign': (at: Asking) => createMemberClient(at).get(7),
  'a read of the list': (at: Asking) => createMemberClient(at).list({ page: 1, perPage: 1 }),
  'a write': (at: Asking) => createMemberClient(at).update(7, '{"a":1}'),
  'the XML statistics': (at: Asking) => createPublisherClient(at).xmlStats({ ...range, tid: 1 }),
  'the Search report': (at: Asking) => createPublisherClient(at).searchReport(range),
  'an export': (at: Asking) =>
    createPublisherClient(at).open({ kind: 'search', ...range }, { format: 'csv' }),
} satisfies Record<string, (at: Asking) => Promise<unknown>>;

interface Asking {
  baseUrl: string;
  apiUrl: string;
  token(): Promise<string>;
  timeoutMs: number;
  logger: Logger;
  observe(outcome: CallOutcome): void;
  pauses: { clock: ReturnType<typeof createHurriedClock>; random(): number };
}

const json = (status: number, body: unknown, head = ''): string =>
  `HTTP/1.1 ${status} X\r\ncontent-type: application/json\r\nconnection: close\r\n${head}\r\n${JSON.stringify(body)}`;

/** Answers that repeat the credential, as a service or a proxy before it may. */
const echoes: [string, (credential: string) => string | null][] = [
  ['cuts the connection', () => ''],
  ['never answers', () => null],
  ['answers with something that is no HTTP', (credential) => `${credential} HTTP/9.9 what\r\n\r\n`],
  ['answers with a broken header', (credential) => `HTTP/1.1 200 OK\r\n${credential}\u0001: x\r\n\r\n`],
  ['redirects', (credential) => json(307, {}, `location: http://127.0.0.1:1/${credential}\r\n`)],
  [
    'refuses with it',
    (credential) =>
      json(422, {
        status: 'error',
        message: `Unknown: ${credential}, ${encodeURIComponent(credential)}`,
        code: credential,
        errors: [{ field: credential, code: credential, message: `x${credential}` }],
      }),
  ],
  ['refuses the token', (credential) => json(401, { status: 'error', message: `Expired: ${credential}` })],
  [
    'refuses with it where a message is cut',
    (credential) => json(400, { status: 'error', message: `${'x'.repeat(490)}${credential}` }),
  ],
  ['asks for a pause', (credential) => json(429, { status: 'error', message: credential })],
  [
    'answers with it as a key',
    (credential) => json(200, { status: 'success', message: '', data: { [credential]: 1 } }),
  ],
  [
    'answers with it as a key, twice',
    (credential) => `HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"${credential}":1,"${credential}":2}`,
  ],
  ['answers with it alone', (credential) => `HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${credential}`],
];

const credentials = {
  'as a key looks': 'pk_planted-and-never-to-be-seen',
  'with characters that an address spells otherwise': 'planted+key/that=is&never%to#be?seen~(ever)!',
};

describe.each(Object.entries(credentials))('a credential %s', (_look, credential) => {
  test.each(echoes)('appears in no failure, log or outcome when the service %s', async (_name, echo) => {
    const { origin, received } = await startEcho(echo(credential));
    for (const [name, call] of Object.entries(calls)) {
      const said: unknown[] = [];
      await call(asking(origin, credential, said)).then(
        () => undefined,
        (failure: unknown) => said.push(failure),
      );
      expect(said.length, name).toBeGreaterThan(0);
      expectSilence(said, credential);
    }
    // Proves that the credential was sent: in the header and in the query.
    expect(received.join('')).toContain(`Bearer ${credential}\r\n`);
    expect(received.join('')).toContain(`token=${spelled(credential)}&`);
  });
});

test.each(['key with a blank', 'key-with-a-new-line\r\nx: y', 'key-with-a-“quotation”'])(
  'a credential that cannot be sent is neither sent nor quoted: %s',
  async (credential) => {
    const { origin, received } = await startEcho(null);
    for (const call of Object.values(calls)) {
      const said: unknown[] = [];
      await expect(call(asking(origin, credential, said))).rejects.toMatchObject({
        code: 'credential_missing',
      });
      await call(asking(origin, credential, said)).catch((failure: unknown) => said.push(failure));
      expectSilence(said, credential);
    }
    expect(received).toEqual([]);
  },
);

test('an invalid address is reported as a bug without quoting the key', async () => {
  const said: unknown[] = [];
  const key = credentials['as a key looks'];
  await createPublisherClient({ ...asking('', key, said), apiUrl: 'nowhere' })
    .searchReport(range)
    .catch((failure: unknown) => said.push(failure));
  expect(said).toHaveLength(1);
  expectSilence(said, key);
});

/** Collects every message, hidden members and causes included. Nothing is redacted, unlike in a log file. */
function asking(origin: string, credential: string, said: unknown[]): Asking {
  const log = (...words: unknown[]): void => void said.push(words);
  const logger: Logger = { info: log, warn: log, error: log, child: () => logger };
  return {
    baseUrl: `${origin}/api/v1`,
    apiUrl: origin,
    token: async () => credential,
    timeoutMs: 100,
    logger,
    observe: log,
    pauses: { clock: createHurriedClock(), random: () => 0.5 },
  };
}

function expectSilence(said: readonly unknown[], credential: string): void {
  const text = inspect(said, {
    depth: Infinity,
    showHidden: true,
    maxStringLength: Infinity,
    maxArrayLength: Infinity,
  });
  for (const spelling of [credential, encodeURIComponent(credential), spelled(credential)]) {
    expect(text).not.toContain(spelling);
    expect(text).not.toContain(spelling.slice(0, 9));
  }
}

const spelled = (credential: string): string =>
  new URLSearchParams({ credential }).toString().slice('credential='.length);

/** Answers every request with these bytes and closes the connection; with null it never answers. */
async function startEcho(answer: string | null): Promise<{ origin: string; received: string[] }> {
  const received: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      received.push(String(bytes));
      if (answer !== null) socket.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}
