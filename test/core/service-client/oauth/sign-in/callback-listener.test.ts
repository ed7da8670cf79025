import { createServer, type AddressInfo } from 'node:net';
import { onTestFinished, expect, test, describe } from 'vitest';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { openCallbackListener, type CallbackListener } from '#core/service-client/oauth/sign-in/callback.ts';
import { failureOf } from '../../failure-of.ts';
import { openSocket, speak, statusOf } from '#test/core/platform/loopback/raw-socket.ts';
import { visit } from './begin-sign-in.ts';

const state = 'a-state-that-is-secret';

async function openListener(): Promise<{ listener: CallbackListener; port: number }> {
  const listener = await openCallbackListener({ port: 0, state, logger });
  onTestFinished(() => listener.dispose());
  return { listener, port: Number(new URL(listener.redirectUri).port) };
}

async function hasArrived({ arrived }: CallbackListener): Promise<boolean> {
  return Promise.race([
    arrived.then(() => true),
    new Promise<false>((resolve) => setImmediate(resolve, false)),
  ]);
}

const get = (port: number, target: string, headers: readonly string[] = [`Host: 127.0.0.1:${port}`]) =>
  speak(port, `GET ${target} HTTP/1.1\r\n${[...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`);

const good = `/callback?code=abc&state=${state}`;

/** Requests that a stranger on this machine or on the web may send, and the status of the refusal. */
const strangers: [string, (port: number) => Promise<string>, number][] = [
  ['no state', (port) => get(port, '/callback?code=abc'), 400],
  ['an empty state', (port) => get(port, '/callback?code=abc&state='), 400],
  ['a wrong state', (port) => get(port, '/callback?code=abc&state=guessed'), 400],
  ['the state with another letter case', (port) => get(port, good.replace('a-state', 'A-state')), 400],
  ['the state with a space after it', (port) => get(port, `${good}+`), 400],
  ['the beginning of the state', (port) => get(port, good.slice(0, -1)), 400],
  ['an error without a state', (port) => get(port, '/callback?error=access_denied'), 400],
  ['an error with a wrong state', (port) => get(port, '/callback?error=access_denied&state=guessed'), 400],
  ['two states, the right one first', (port) => get(port, `${good}&state=guessed`), 400],
  ['two codes', (port) => get(port, `${good}&code=another`), 400],
  ['two parameters that mean nothing', (port) => get(port, `${good}&x=1&x=2`), 400],
  ['a code and an error', (port) => get(port, `${good}&error=access_denied`), 400],
  ['neither code nor error', (port) => get(port, `/callback?state=${state}`), 400],
  ['an empty code', (port) => get(port, `/callback?code=&state=${state}`), 400],
  ['a code that is too long', (port) => get(port, `/callback?code=${'a'.repeat(4097)}&state=${state}`), 400],
  ['a query that is too long', (port) => get(port, `${good}&x=${'a'.repeat(8200)}`), 414],
  ['no query', (port) => get(port, '/callback'), 400],
  ['the state in a fragment', (port) => get(port, `/callback#${good.slice(10)}`), 404],
  ['another path', (port) => get(port, good.replace('/callback', '/')), 404],
  ['a longer path', (port) => get(port, good.replace('/callback', '/callback/')), 404],
  ['the path spelled otherwise', (port) => get(port, good.replace('/callback', '/%63allback')), 404],
  ['the path with dots', (port) => get(port, good.replace('/callback', '/x/../callback')), 404],
  ['the path in capitals', (port) => get(port, good.replace('/callback', '/CALLBACK')), 404],
  ['an absolute target', (port) => get(port, `http://127.0.0.1:${port}${good}`), 400],
  ['a foreign Host', (port) => get(port, good, ['Host: evil.example']), 421],
  ['the Host of another port', (port) => get(port, good, ['Host: 127.0.0.1:1']), 421],
  [
    'localhost, which is not what was registered',
    (port) => get(port, good, [`Host: localhost:${port}`]),
    421,
  ],
  ['no Host', (port) => get(port, good, []), 421],
  ['two Hosts', (port) => get(port, good, [`Host: 127.0.0.1:${port}`, 'Host: evil.example']), 421],
  [
    'the right Host twice',
    (port) => get(port, good, [`Host: 127.0.0.1:${port}`, `Host: 127.0.0.1:${port}`]),
    421,
  ],
  [
    'a foreign Origin',
    (port) => get(port, good, [`Host: 127.0.0.1:${port}`, 'Origin: http://evil.example']),
    403,
  ],
  ['HEAD', (port) => method(port, 'HEAD'), 405],
  ['POST', (port) => method(port, 'POST'), 405],
  ['OPTIONS', (port) => method(port, 'OPTIONS'), 405],
  ['PUT', (port) => method(port, 'PUT'), 405],
  [
    'CONNECT',
    (port) => speak(port, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`),
    400,
  ],
  ['no HTTP at all', (port) => speak(port, 'hello\r\n\r\n'), 400],
];

const method = (port: number, name: string): Promise<string> =>
  speak(
    port,
    `${name} ${good} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
  );

describe('a request that does not belong to the sign-in neither completes nor ends the wait', () => {
  test.each(strangers)('with %s', async (_what, send, status) => {
    const { listener, port } = await openListener();
    const answer = await send(port);
    expect([statusOf(answer), await hasArrived(listener)]).toEqual([status, false]);
    expect(answer).not.toContain(state);

    expect(statusOf(await Promise.race([get(port, good), answered(listener)]))).toBe(200);
    expect((await listener.arrived).parameters.get('code')).toBe('abc');
  });

  /** Proves that the listener still accepts a request with the right state. */
  async function answered({ arrived }: CallbackListener): Promise<never> {
    void (await arrived).show('signed-in');
    return new Promise(() => {});
  }

  test('with two hundred silent connections', async () => {
    const { listener, port } = await openListener();
    const silent = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const socket = openSocket(port);
        await new Promise((resolve) => socket.once('connect', resolve));
        return socket;
      }),
    );
    const seen = visit(`${listener.redirectUri}?code=abc&state=${state}`);
    await (await listener.arrived).show('signed-in');
    expect((await seen).status).toBe(200);
    await listener.dispose();
    for (const socket of silent) socket.destroy();
  });
});

test('the state works once: a later request with it sees that the page has expired', async () => {
  const { listener } = await openListener();
  const url = `${listener.redirectUri}?code=abc&state=${state}`;
  const first = visit(url);
  const { parameters, show } = await listener.arrived;
  expect((await visit(url.replace('abc', 'other'))).title).toBe('This page has expired');
  expect((await visit(url)).status).toBe(400);
  await show('signed-in');
  expect([(await first).title, parameters.get('code')]).toEqual(['You are signed in', 'abc']);
});

test('the page has no scripts, loads nothing, cannot be framed or cached, and shows nothing of its address', async () => {
  const { listener } = await openListener();
  const seen = visit(`${listener.redirectUri}?code=code-secret&state=${state}&iss=<script>`);
  await (await listener.arrived).show('signed-in');
  const { html, headers, status } = await seen;
  expect(status).toBe(200);
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/]+='; form-action 'none'; frame-ancestors 'none'; base-uri 'none'$/,
  );
  expect(
    ['x-frame-options', 'referrer-policy', 'x-content-type-options', 'cache-control', 'connection'].map(
      (name) => headers.get(name),
    ),
  ).toEqual(['DENY', 'no-referrer', 'nosniff', 'no-store', 'close']);
  expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  expect(html).not.toMatch(/<script|<link|<img|<iframe|<form|src=|href=|code-secret|a-state/);
});

test('the listener is bound to 127.0.0.1 only, and closes every open connection at its end', async () => {
  const { listener, port } = await openListener();
  const kept = speak(port, `GET ${good} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  await listener.arrived;
  await listener.dispose();
  await kept;
  await expect(fetch(listener.redirectUri)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});

test('a port that another program uses fails as port_taken', async () => {
  const squatter = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void squatter.close());
  await new Promise((resolve) => squatter.once('listening', resolve));
  const { port } = squatter.address() as AddressInfo;
  expect((await failureOf(openCallbackListener({ port, state, logger }))).code).toBe('port_taken');
});
