import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServer } from './open-server.ts';
import type { RunningServer } from './open-server.ts';
import { createTestClient } from './test-client.ts';
import type { TestClient, Tokens } from './test-client.ts';

let running: RunningServer;
let client: TestClient;

beforeAll(async () => {
  running = await openServer();
  client = createTestClient(running.origin);
});
afterAll(() => running.dispose());

test('a client that registers gets tokens for the resource when the user agrees', async () => {
  const clientId = await client.registered();
  const code = await client.code(clientId, {
    scope: 'svc:read svc:write offline_access',
    state: 'ünïcode & +',
  });
  expect(Object.fromEntries(code.answer)).toEqual({
    code: code.code,
    state: 'ünïcode & +',
    iss: running.origin,
  });
  const answer = await client.redeem(code);
  expect(answer.status).toBe(200);
  const tokens = (await answer.json()) as Tokens;
  expect(tokens).toEqual({
    access_token: expect.stringMatching(/^[\w-]{43}$/),
    refresh_token: expect.stringMatching(/^[\w-]{43}$/),
    scope: 'svc:read svc:write offline_access',
    token_type: 'Bearer',
    expires_in: 600,
  });
  const grant = await running.server.authenticate(tokens.access_token);
  expect(grant).toMatchObject({ subject: '7', clientId });
  expect([...(grant?.scopes ?? [])]).toEqual(['svc:read', 'svc:write', 'offline_access']);

  const refreshed = await client.refresh(clientId, tokens.refresh_token ?? '');
  expect(refreshed.status).toBe(200);
  const next = (await refreshed.json()) as Tokens;
  expect(next.refresh_token).not.toBe(tokens.refresh_token);
  expect(await running.server.authenticate(next.access_token)).not.toBeNull();
});

test.each([
  ['with a query', 'http://127.0.0.1:9/cb?a=b%20c&x=%7E%2f&x=2', '&'],
  [
    'with parameters named like those of the answer',
    'https://client.example/cb?code=own&state=own&iss=own',
    '&',
  ],
  ['without a path', 'https://client.example', '/?'],
])('the redirect address %s is kept in front of the code', async (_name, uri, sign) => {
  const clientId = await client.registered({ redirect_uris: [uri] });
  const { href } = await client.walk(
    await client.authorize(clientId, { redirect_uri: uri, state: 'a state' }),
  );
  expect(href.startsWith(`${uri}${sign}`)).toBe(true);
  expect(Object.fromEntries(new URLSearchParams(href.slice(uri.length + sign.length)))).toEqual({
    code: expect.stringMatching(/^[\w-]{43}$/),
    state: 'a state',
    iss: running.origin,
  });
});

test('a grant issued without a page has valid tokens that can be refreshed', async () => {
  const issued = await running.server.issueGrant({
    subject: '8',
    clientName: 'The app',
    scopes: ['svc:read'],
  });
  expect(await running.server.authenticate(issued.accessToken)).toMatchObject({
    subject: '8',
    clientId: issued.clientId,
    grantId: issued.grantId,
  });
  const refreshed = await client.refresh(issued.clientId, issued.refreshToken);
  expect(refreshed.status).toBe(200);
  const next = (await refreshed.json()) as Tokens;
  expect(next.scope).toBe('svc:read');
  await running.server.revokeGrant(issued.grantId);
  expect(await running.server.authenticate(next.access_token)).toBeNull();
});
