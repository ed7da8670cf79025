import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { badAddresses, cursorUris } from './addresses.ts';
import { openServer } from './open-server.ts';
import type { RunningServer } from './open-server.ts';
import { createTestClient, redirectUri } from './test-client.ts';
import type { TestClient, Tokens } from './test-client.ts';

let running: RunningServer;
let client: TestClient;

beforeAll(async () => {
  running = await openServer({ registration: { kind: 'open', maxClients: 500, nativeApps: true } });
  client = createTestClient(running.origin);
});
afterAll(() => running.dispose());

interface Registered {
  client_id: string;
  redirect_uris: string[];
}

interface Refused {
  error: string;
  error_description: string;
}

describe('a server for programs on this computer', () => {
  test.each([...badAddresses, 7, null, ['https://client.example/']])(
    'ignores the invalid address %s next to a valid one, and never redirects to it',
    async (bad) => {
      const answer = await client.register({ redirect_uris: [bad, redirectUri] });
      expect(answer.status).toBe(201);
      const { client_id: id, redirect_uris: kept } = (await answer.json()) as Registered;
      expect(kept).toEqual([redirectUri]);
      const asked = await client.authorize(id, { redirect_uri: String(bad) });
      expect([asked.status, asked.headers.get('location')]).toEqual([400, null]);
    },
  );

  test.each([
    ['none', []],
    ['a text instead of a list', redirectUri],
    ['only invalid addresses', badAddresses.slice(0, 10)],
  ])('refuses to register %s', async (_what, uris) => {
    const answer = await client.register({ redirect_uris: uris });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: 'invalid_redirect_uri' });
  });

  test('registers the first ten valid addresses of a longer list', async () => {
    const uris = Array.from({ length: 14 }, (_, at) => `http://127.0.0.1:${4000 + at}/callback`);
    const answer = await client.register({ redirect_uris: ['cursor://callback', ...uris] });
    expect(answer.status).toBe(201);
    expect(((await answer.json()) as Registered).redirect_uris).toEqual(uris.slice(0, 10));
  });

  test('refuses a program that has only a custom scheme with a remedy, at both endpoints', async () => {
    const [, scheme = ''] = cursorUris;
    const refused = await client.register({ redirect_uris: [scheme] });
    expect([refused.status, await refused.json()]).toEqual([
      400,
      {
        error: 'invalid_redirect_uri',
        error_description:
          'A redirect URI must be https, or http on localhost. A program that is answered at a scheme of its own connects through mcp-remote.',
      },
    ]);
    const id = await client.registered({ redirect_uris: cursorUris });
    const asked = (await (await client.authorize(id, { redirect_uri: scheme })).json()) as Refused;
    expect(asked.error).toBe('invalid_redirect_uri');
    expect(asked.error_description).toMatch(/connects through mcp-remote\.$/);
  });
});

describe('the server’s own address', () => {
  const ownAddresses = (): string[] => {
    const { port } = new URL(running.origin);
    return ['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST'].flatMap((host) => [
      `http://${host}:${port}/interaction`,
      `https://${host}:${port}`,
    ]);
  };

  test('cannot be registered', async () => {
    for (const uri of ownAddresses()) {
      const answer = await client.register({ redirect_uris: [uri] });
      expect([uri, answer.status]).toEqual([uri, 400]);
      expect(await answer.json()).toMatchObject({ error: 'invalid_redirect_uri' });
    }
  });

  test('gets no answer even if the port of a registered address may vary', async () => {
    for (const uri of ownAddresses().filter((one) => one.startsWith('http:'))) {
      const elsewhere = uri.replace(/:\d+(?=\/|$)/, ':1');
      const id = await client.registered({ redirect_uris: [elsewhere] });
      const asked = await client.authorize(id, { redirect_uri: uri });
      expect([uri, asked.status, asked.headers.get('location')]).toEqual([uri, 400, null]);
    }
  });
});

describe('the port of a loopback address', () => {
  const statusOf = async (id: string, uri: string): Promise<number> =>
    (await client.authorize(id, { redirect_uri: uri })).status;

  test.each([
    ['http://127.0.0.1/', 'http://127.0.0.1:59656/'],
    ['http://127.0.0.1:33418/', 'http://127.0.0.1:59656/'],
    ['http://127.0.0.1:33418/', 'http://127.0.0.1/'],
    ['http://localhost:3118/callback', 'http://localhost:1/callback'],
    ['http://localhost:3118/callback', 'http://localhost:65535/callback'],
    ['http://[::1]:9/callback?a=1', 'http://[::1]:10/callback?a=1'],
    ['http://127.0.0.1', 'http://127.0.0.1:9'],
  ])('may vary: %s is registered and %s is accepted', async (registered, asked) => {
    const id = await client.registered({ redirect_uris: [registered] });
    expect(await statusOf(id, asked)).toBe(303);
  });

  test.each([
    ['http://127.0.0.1:9/callback', 'http://localhost:10/callback'],
    ['http://localhost:9/callback', 'http://127.0.0.1:10/callback'],
    ['http://localhost:9/callback', 'http://LOCALHOST:10/callback'],
    ['http://127.0.0.1:9/callback', 'http://[::1]:10/callback'],
    ['http://127.0.0.1:9/callback', 'http://127.0.0.2:10/callback'],
    ['http://127.0.0.1:9/callback', 'http://127.1:10/callback'],
    ['http://127.0.0.1:9/callback', 'https://127.0.0.1:10/callback'],
    ['http://127.0.0.1:9/callback', 'http://127.0.0.1:10/callback/'],
    ['http://127.0.0.1:9/callback', 'http://127.0.0.1:10/Callback'],
    ['http://127.0.0.1:9/callback', 'http://127.0.0.1:10/x/../callback'],
    ['http://127.0.0.1:9/callback', 'http://127.0.0.1:10/callback?a=1'],
    ['http://127.0.0.1:9/callback?a=1', 'http://127.0.0.1:10/callback?a=2'],
    ['http://127.0.0.1:9/callback', 'http://127.0.0.1:10/callback#part'],
    ['http://127.0.0.1:9', 'http://127.0.0.1:10/'],
    ['http://127.0.0.1:9/callback', 'http://user@127.0.0.1:10/callback'],
    ['http://127.0.0.1:9/callback', 'http://127.0.0.1:10@evil.example/callback'],
    ['http://127.0.0.1:9/callback', 'http://127.0.0.1.evil.example:10/callback'],
    ['http://127.0.0.1:9/callback', 'http://127.0.0.1:0/callback'],
    ['http://127.0.0.1:9/callback', 'http://127.0.0.1:010/callback'],
    ['http://127.0.0.1:9/callback', 'http://127.0.0.1:65536/callback'],
    ['http://127.0.0.1:9/callback', 'http://127.0.0.1:/callback'],
    ['https://client.example/callback', 'https://client.example:444/callback'],
    ['https://localhost:9/callback', 'https://localhost:10/callback'],
  ])('may not vary: %s is registered and %s is refused immediately', async (registered, asked) => {
    const id = await client.registered({ redirect_uris: [registered] });
    expect(await statusOf(id, registered)).toBe(303);
    expect(await statusOf(id, asked)).toBe(400);
  });

  test('is exact for a client that also has an https address on this computer', async () => {
    const id = await client.registered({ redirect_uris: ['https://localhost:9/callback', redirectUri] });
    expect(await statusOf(id, redirectUri)).toBe(303);
    expect(await statusOf(id, 'http://127.0.0.1:10/callback')).toBe(400);
  });

  test('of the request is the port for which the code is valid', async () => {
    const id = await client.registered();
    const asked = 'http://127.0.0.1:59656/callback';
    const code = await client.code(id, { redirect_uri: asked });
    for (const other of [redirectUri, 'http://127.0.0.1:59657/callback']) {
      const answer = await client.redeem(code, { redirect_uri: other });
      expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
    }
    const answer = await client.redeem(code, { redirect_uri: asked });
    expect(((await answer.json()) as Tokens).token_type).toBe('Bearer');
    expect(running.asked.at(-1)?.redirectUri).toBe(asked);
  });
});
