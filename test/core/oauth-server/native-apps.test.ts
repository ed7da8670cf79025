import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { badAddresses, cursorUris } from './addresses.ts';
import { openServer } from './open-server.ts';
import type { RunningServer } from './open-server.ts';
import { createTestClient, redirectUri } from './test-client.ts';
import type { TestClient } from './test-client.ts';

let running: RunningServer;
let client: TestClient;

beforeAll(async () => {
  running = await openServer({ registration: { kind: 'open', mostClients: 500, nativeApps: true } });
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

describe('where programs of this machine register', () => {
  test.each([...badAddresses, 7, null, ['https://client.example/']])(
    '%s is left out beside an address that can be taken, and nobody is sent there',
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
    ['a text', redirectUri],
    ['too many', Array.from({ length: 11 }, () => redirectUri)],
    ['only bad ones', badAddresses.slice(0, 10)],
  ])('%s is refused', async (_what, uris) => {
    const answer = await client.register({ redirect_uris: uris });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: 'invalid_redirect_uri' });
  });

  test('a program that knows only a scheme of its own is refused with what helps, at both doors', async () => {
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
