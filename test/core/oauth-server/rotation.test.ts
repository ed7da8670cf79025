import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMemoryRows } from '#core/store/oauth-rows.ts';
import { openServer } from './open-server.ts';
import type { RunningServer } from './open-server.ts';
import { createTestClient } from './test-client.ts';
import type { TestClient, Tokens } from './test-client.ts';

let running: RunningServer;
let client: TestClient;
let revoked: string[];

beforeEach(async () => {
  running = await openServer();
  client = createTestClient(running.origin);
  revoked = [];
  running.server.onRevoked((grantId) => void revoked.push(grantId));
});
afterEach(() => running.dispose());

const isAlive = async (token: string) => (await running.server.authenticate(token)) !== null;

async function bodyOf(answer: Response): Promise<Tokens & { error?: string }> {
  return (await answer.json()) as Tokens & { error?: string };
}

async function refreshed(clientId: string, token: string | undefined): Promise<Tokens> {
  const answer = await client.refresh(clientId, token ?? '');
  expect(answer.status).toBe(200);
  return bodyOf(answer);
}

test('of fifty simultaneous refreshes one succeeds, and its tokens stay valid', async () => {
  const { clientId, tokens } = await client.signIn();
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => client.refresh(clientId, tokens.refresh_token ?? '')),
  );
  const bodies = await Promise.all(answers.map(bodyOf));
  const winners = bodies.filter(({ access_token }) => access_token !== undefined);
  expect(winners).toHaveLength(1);
  expect(bodies.filter(({ error }) => error === 'invalid_grant')).toHaveLength(49);
  expect(await isAlive(winners[0]?.access_token ?? '')).toBe(true);
  await refreshed(clientId, winners[0]?.refresh_token);
  expect(revoked).toEqual([]);
});

test('a used refresh token is refused within the grace period and ends nothing', async () => {
  const { clientId, tokens } = await client.signIn();
  const next = await refreshed(clientId, tokens.refresh_token);
  running.clock.move(9_000);
  expect((await client.refresh(clientId, tokens.refresh_token ?? '')).status).toBe(400);
  expect(await isAlive(next.access_token)).toBe(true);
  await refreshed(clientId, next.refresh_token);
});

test('a used refresh token ends its whole family after the grace period, and listeners are notified', async () => {
  const { clientId, tokens } = await client.signIn();
  const grantId = (await running.server.authenticate(tokens.access_token))?.grantId;
  const second = await refreshed(clientId, tokens.refresh_token);
  const third = await refreshed(clientId, second.refresh_token);
  running.clock.move(11_000);
  const answer = await client.refresh(clientId, tokens.refresh_token ?? '');
  expect([answer.status, (await bodyOf(answer)).error]).toEqual([400, 'invalid_grant']);
  expect(revoked).toEqual([grantId]);
  for (const { access_token: token } of [tokens, second, third]) expect(await isAlive(token)).toBe(false);
  expect((await client.refresh(clientId, third.refresh_token ?? '')).status).toBe(400);
});

test.each([
  ['back by the same time', -11_000],
  ['back by an hour', -3_600_000],
  ['forward by an hour', 3_600_000],
])(
  'a used refresh token ends its family after the grace period even if the clock was set %s',
  async (_how, ms) => {
    const { clientId, tokens } = await client.signIn();
    const next = await refreshed(clientId, tokens.refresh_token);
    running.clock.pass(11_000);
    running.clock.move(ms);
    expect((await client.refresh(clientId, tokens.refresh_token ?? '')).status).toBe(400);
    expect(await isAlive(next.access_token)).toBe(false);
    running.clock.move(-ms);
  },
);

test('setting the clock back within the grace period ends nothing', async () => {
  const { clientId, tokens } = await client.signIn();
  const next = await refreshed(clientId, tokens.refresh_token);
  running.clock.move(-1_000);
  expect((await client.refresh(clientId, tokens.refresh_token ?? '')).status).toBe(400);
  running.clock.move(1_000);
  expect(await isAlive(next.access_token)).toBe(true);
});

test('another client that sends a used refresh token ends nothing', async () => {
  const { clientId, tokens } = await client.signIn();
  const other = await client.registered();
  const next = await refreshed(clientId, tokens.refresh_token);
  running.clock.move(60_000);
  expect((await client.refresh(other, tokens.refresh_token ?? '')).status).toBe(400);
  expect(await isAlive(next.access_token)).toBe(true);
  expect(revoked).toEqual([]);
});

test('a refresh may narrow the scopes of its access token, and the next refresh restores them', async () => {
  const { clientId, tokens } = await client.signIn({ scope: 'svc:read svc:write offline_access' });
  const narrow = await bodyOf(
    await client.refresh(clientId, tokens.refresh_token ?? '', { scope: 'svc:read' }),
  );
  expect(narrow.scope).toBe('svc:read');
  expect([...((await running.server.authenticate(narrow.access_token))?.scopes ?? [])]).toEqual(['svc:read']);
  const wide = await refreshed(clientId, narrow.refresh_token);
  expect(wide.scope).toBe('svc:read svc:write offline_access');
});

test('an access token is valid for ten minutes, and its refresh token stays valid', async () => {
  const { clientId, tokens } = await client.signIn();
  running.clock.move(599_000);
  expect(await isAlive(tokens.access_token)).toBe(true);
  running.clock.move(2_000);
  expect(await isAlive(tokens.access_token)).toBe(false);
  await refreshed(clientId, tokens.refresh_token);
});

test('a refresh token and its grant are valid for thirty days after the last rotation', async () => {
  const day = 24 * 60 * 60 * 1000;
  const { clientId, tokens } = await client.signIn();
  running.clock.move(29 * day);
  const second = await refreshed(clientId, tokens.refresh_token);
  running.clock.move(29 * day);
  const third = await refreshed(clientId, second.refresh_token);
  expect(await isAlive(third.access_token)).toBe(true);
  running.clock.move(31 * day);
  expect((await client.refresh(clientId, third.refresh_token ?? '')).status).toBe(400);
});

test('a client that did not register for refresh tokens gets only an access token', async () => {
  const clientId = await client.registered({ grant_types: ['authorization_code'] });
  const tokens = await bodyOf(await client.redeem(await client.code(clientId)));
  expect(tokens.refresh_token).toBeUndefined();
  expect(await isAlive(tokens.access_token)).toBe(true);
});

test('the tokens of a subject that may no longer have grants are invalid and cannot be refreshed', async () => {
  const active = new Set(['7']);
  const guarded = await openServer({ isActive: (subject) => active.has(subject) });
  const agent = createTestClient(guarded.origin);
  const { clientId, tokens } = await agent.signIn();
  const { authenticate } = guarded.server;
  expect(await authenticate(tokens.access_token)).toMatchObject({ subject: '7' });
  active.clear();
  expect(await authenticate(tokens.access_token)).toBeNull();
  expect((await agent.refresh(clientId, tokens.refresh_token ?? '')).status).toBe(400);
  expect((await agent.code(clientId)).answer.get('error')).toBe('access_denied');
  await guarded.dispose();
});

test.each(['access_token', 'refresh_token'] as const)('revoking the %s ends the grant', async (kind) => {
  const { clientId, tokens } = await client.signIn();
  const answer = await client.revoke({ client_id: clientId, token: tokens[kind] ?? '' });
  expect([answer.status, await answer.text()]).toEqual([200, '']);
  expect(await isAlive(tokens.access_token)).toBe(false);
  expect((await client.refresh(clientId, tokens.refresh_token ?? '')).status).toBe(400);
  expect(revoked).toHaveLength(1);
});

test('revoking an unknown, foreign or malformed token is answered with 200 and changes nothing', async () => {
  const { clientId, tokens } = await client.signIn();
  const other = await client.registered();
  for (const token of ['x'.repeat(43), 'not a token', 'e30.e30.e30']) {
    expect((await client.revoke({ client_id: clientId, token })).status).toBe(200);
  }
  for (const token of [tokens.access_token, tokens.refresh_token ?? '']) {
    expect((await client.revoke({ client_id: other, token })).status).toBe(200);
  }
  expect(await isAlive(tokens.access_token)).toBe(true);
  await refreshed(clientId, tokens.refresh_token);
  expect(revoked).toEqual([]);
});

test('a grant that its owner ends is invalid immediately', async () => {
  const { clientId, tokens } = await client.signIn();
  const grantId = (await running.server.authenticate(tokens.access_token))?.grantId ?? '';
  await running.server.revokeGrant(grantId);
  expect(await isAlive(tokens.access_token)).toBe(false);
  expect((await client.refresh(clientId, tokens.refresh_token ?? '')).status).toBe(400);
  expect(revoked).toEqual([grantId]);
});

test('a token is valid for one resource only, even if two servers share their storage', async () => {
  const rows = createMemoryRows();
  const [first, second] = [await openServer({ rows }), await openServer({ rows })];
  const { tokens } = await createTestClient(first.origin).signIn();
  expect(await first.server.authenticate(tokens.access_token)).not.toBeNull();
  expect(await second.server.authenticate(tokens.access_token)).toBeNull();
  await first.dispose();
  await second.dispose();
});

test('a token of a deleted grant is invalid', async () => {
  const rows = createMemoryRows();
  const shared = await openServer({ rows });
  const { tokens } = await createTestClient(shared.origin).signIn();
  rows.keepNewest('Grant', 0);
  expect(rows.count('AccessToken')).toBe(1);
  expect(await shared.server.authenticate(tokens.access_token)).toBeNull();
  await shared.dispose();
});

test('only a valid access token is accepted as a credential', async () => {
  const { clientId, tokens } = await client.signIn();
  const { code } = await client.code(clientId);
  for (const token of [tokens.refresh_token ?? '', code, clientId, '', 'x'.repeat(43), 'e30.e30.e30']) {
    expect(await running.server.authenticate(token)).toBeNull();
  }
});
