import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#core/platform/clock.ts';
import { silentLogger } from '#core/platform/logger.ts';
import type { Logger } from '#core/platform/logger.ts';
import { openBackendStore } from '#core/store/backend/index.ts';
import { createMemoryRows } from '#core/store/oauth-rows.ts';
import type { OAuthRows } from '#core/store/oauth-rows.ts';
import { AppError } from '#shared/errors/index.ts';
import { tempFolder } from '../../servers/temp-folder.ts';
import { openServer } from './open-server.ts';
import type { RunningServer, ServerSettings } from './open-server.ts';
import { createTestClient, redirectUri } from './test-client.ts';
import type { TestClient, Tokens } from './test-client.ts';

async function open(settings: ServerSettings = {}): Promise<{ running: RunningServer; client: TestClient }> {
  const running = await openServer(settings);
  onTestFinished(() => running.dispose());
  return { running, client: createTestClient(running.origin) };
}

const openStore = (folder: string) =>
  openBackendStore({ file: join(folder, 'backend.sqlite'), clock: systemClock, logger: silentLogger });

test('no code, token or sign-in is stored on disk, only their hashes', async () => {
  const folder = tempFolder();
  const store = openStore(folder);
  const { running, client } = await open({ rows: store.oauth });
  const { clientId, tokens } = await client.signIn({ scope: 'svc:read offline_access' });
  const next = (await (await client.refresh(clientId, tokens.refresh_token ?? '')).json()) as Tokens;
  const unused = await client.code(clientId);
  const issued = await running.server.issueGrant({ subject: '7', clientName: 'App', scopes: ['svc:read'] });
  const secrets = [
    ...[tokens, next].flatMap((given) => [given.access_token, given.refresh_token ?? '']),
    unused.code,
    unused.verifier,
    issued.accessToken,
    issued.refreshToken,
    ...running.asked.map(({ id }) => id),
  ];
  expect(secrets.filter((secret) => secret.length >= 43)).toHaveLength(10);
  const whole = readdirSync(folder).map((name) => readFileSync(join(folder, name)).toString('latin1'));
  expect(whole.join('')).toContain('AccessToken');
  for (const secret of secrets) expect(whole.some((text) => text.includes(secret))).toBe(false);
  await store.dispose();
});

test('grants and clients survive a restart, and a used refresh token is still recognised', async () => {
  const folder = tempFolder();
  const first = openStore(folder);
  const before = await openServer({ rows: first.oauth });
  const client = createTestClient(before.origin);
  const { clientId, tokens } = await client.signIn();
  const next = (await (await client.refresh(clientId, tokens.refresh_token ?? '')).json()) as Tokens;
  await before.dispose();
  await first.dispose();

  const second = openStore(folder);
  const { origin: issuer, resource } = before;
  const { running, client: again } = await open({ rows: second.oauth, issuer, resource });
  expect(await running.server.authenticate(next.access_token)).toMatchObject({ subject: '7', clientId });
  const refreshed = await again.refresh(clientId, next.refresh_token ?? '');
  expect(refreshed.status).toBe(200);
  const last = (await refreshed.json()) as Tokens;
  running.clock.move(60_000);
  expect((await again.refresh(clientId, next.refresh_token ?? '')).status).toBe(400);
  expect(await running.server.authenticate(last.access_token)).toBeNull();
  await second.dispose();
});

test('one of many simultaneous refreshes succeeds with a database as well', async () => {
  const store = openStore(tempFolder());
  const { running, client } = await open({ rows: store.oauth });
  const { clientId, tokens } = await client.signIn();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => client.refresh(clientId, tokens.refresh_token ?? '')),
  );
  const [winner, ...more] = answers.filter(({ status }) => status === 200);
  expect(more).toEqual([]);
  const won = (await winner?.json()) as Tokens;
  expect(await running.server.authenticate(won.access_token)).not.toBeNull();
  await store.dispose();
});

/** Rows whose writes fail after `fail` was called, as on a full disk. */
function failingRows(): { rows: OAuthRows; fail(): void } {
  const inner = createMemoryRows();
  let isFailing = false;
  const rows = new Proxy(inner, {
    get(target, name) {
      if (isFailing) throw new AppError('storage_failed', { cause: new Error('the disk at /secret/place') });
      return Reflect.get(target, name) as unknown;
    },
  });
  return { rows, fail: () => void (isFailing = true) };
}

test('while the storage fails every answer is 503 without details, and the metadata stays available', async () => {
  const { rows, fail } = failingRows();
  const logged: unknown[] = [];
  const logger: Logger = { ...silentLogger, error: (facts) => void logged.push(facts) };
  const { running, client } = await open({ rows, logger });
  const { clientId, tokens } = await client.signIn();
  const code = await client.code(clientId);
  const start = await client.authorize(clientId);
  fail();
  const answers = [
    await client.register(),
    await client.authorize(clientId),
    await client.redeem(code),
    await client.refresh(clientId, tokens.refresh_token ?? ''),
    await client.revoke({ client_id: clientId, token: tokens.access_token }),
  ];
  for (const answer of answers) {
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({
      error: 'temporarily_unavailable',
      error_description: 'The service failed. Try again later.',
    });
  }
  await expect(client.walk(start)).rejects.toThrow(/ended with 503/);
  await expect(running.server.authenticate(tokens.access_token)).rejects.toMatchObject({
    code: 'storage_failed',
  });
  expect(logged.length).toBeGreaterThanOrEqual(answers.length);
  expect((await fetch(running.server.resourceMetadataUrl)).status).toBe(200);
});

test('a storage failure inside the OAuth library is answered with 503 as well', async () => {
  const rows = createMemoryRows();
  let isFull = false;
  const full: OAuthRows = {
    ...rows,
    upsert(row) {
      if (isFull) throw new AppError('storage_failed');
      rows.upsert(row);
    },
  };
  const { client } = await open({ rows: full });
  const { clientId, tokens } = await client.signIn();
  isFull = true;
  const answer = await client.refresh(clientId, tokens.refresh_token ?? '');
  expect([answer.status, await answer.text()]).toEqual([
    503,
    expect.stringContaining('temporarily_unavailable'),
  ]);
});

test('a closed database is answered with 503 and never with 500', async () => {
  const store = openStore(tempFolder());
  const { client } = await open({ rows: store.oauth });
  const { clientId, tokens } = await client.signIn();
  await store.dispose();
  expect((await client.refresh(clientId, tokens.refresh_token ?? '')).status).toBe(503);
});

test('the number of clients is limited, and the least recently used are removed', async () => {
  const { client } = await open({ registration: { kind: 'open', maxClients: 5 } });
  const { clientId: used, tokens } = await client.signIn();
  const unused = await client.registered();
  for (let at = 0; at < 3; at += 1) await client.registered();
  const refreshed = (await (await client.refresh(used, tokens.refresh_token ?? '')).json()) as Tokens;
  for (let at = 0; at < 2; at += 1) await client.registered();
  expect((await client.authorize(unused)).status).toBe(400);
  expect((await client.refresh(used, refreshed.refresh_token ?? '')).status).toBe(200);
});

test('a flood of registrations removes neither a client with tokens nor the newest client', async () => {
  const { running, client } = await open({ registration: { kind: 'open', maxClients: 6 } });
  const { clientId, tokens } = await client.signIn();
  const own = await running.server.issueGrant({ subject: '7', clientName: 'App', scopes: ['svc:read'] });
  for (let at = 0; at < 20; at += 1) await client.registered();
  expect((await client.redeem(await client.code(await client.registered()))).status).toBe(200);
  expect((await client.refresh(clientId, tokens.refresh_token ?? '')).status).toBe(200);
  expect((await client.refresh(own.clientId, own.refreshToken)).status).toBe(200);
});

test('expired codes and tokens are deleted', async () => {
  const rows = createMemoryRows();
  const { running, client } = await open({ rows });
  const { clientId } = await client.signIn();
  for (let at = 0; at < 3; at += 1) await client.redeem(await client.code(clientId));
  running.clock.move(62 * 24 * 60 * 60 * 1000);
  await client.code(clientId);
  const counts = ['AuthorizationCode', 'AccessToken', 'RefreshToken', 'Grant'].map((model) =>
    rows.count(model),
  );
  expect(counts).toEqual([1, 0, 0, 1]);
});

test('browser data is not stored', async () => {
  const rows = createMemoryRows();
  const { client } = await open({ rows });
  await client.signIn();
  expect(['Session', 'Interaction'].map((model) => rows.count(model))).toEqual([0, 0]);
});

test('if registration is closed, no client can register, registration is not advertised, and known clients work', async () => {
  const known = { clientId: 'the-app', clientName: 'The app', redirectUris: [redirectUri] };
  const { running, client } = await open({ registration: { kind: 'closed' }, knownClients: [known] });
  const refused = await client.register();
  expect([refused.status, await refused.json()]).toEqual([
    403,
    { error: 'access_denied', error_description: expect.any(String) },
  ]);
  const metadata = await (await fetch(`${running.origin}/.well-known/oauth-authorization-server`)).json();
  expect(metadata).not.toHaveProperty('registration_endpoint');
  const answer = await client.redeem(await client.code('the-app'));
  expect(answer.status).toBe(200);
  expect(((await answer.json()) as Tokens).refresh_token).toBeDefined();
  expect(running.asked[0]?.clientName).toBe('The app');
});

test('a client that requests tokens too often is told how long to wait, and other clients are not affected', async () => {
  const { running, client } = await open({ quotas: { tokenRequestsPerMinute: 3 } });
  const busy = await client.registered();
  const other = await client.registered();
  const ask = (clientId: string) => client.refresh(clientId, 'x'.repeat(43));
  for (let at = 0; at < 3; at += 1) expect((await ask(busy)).status).toBe(400);
  running.clock.pass(20_000);
  const refused = await ask(busy);
  expect([refused.status, await refused.json()]).toEqual([
    429,
    { error: 'temporarily_unavailable', error_description: expect.any(String) },
  ]);
  const seconds = Number(refused.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(30);
  expect(seconds).toBeLessThanOrEqual(40);
  expect((await ask(other)).status).toBe(400);
  running.clock.pass(seconds * 1000);
  expect((await ask(busy)).status).toBe(400);
});

test('registrations are counted for all clients together', async () => {
  const { running, client } = await open({ quotas: { registrationsPerMinute: 2 } });
  const statuses: number[] = [];
  for (let at = 0; at < 3; at += 1) statuses.push((await client.register()).status);
  expect(statuses).toEqual([201, 201, 429]);
  running.clock.pass(60_000);
  expect((await client.register()).status).toBe(201);
});

test('the client of an issued grant stays the same after a restart, can refresh, and opens no page', async () => {
  const rows = createMemoryRows();
  const issue = async (running: RunningServer) =>
    running.server.issueGrant({ subject: '7', clientName: 'App', scopes: ['svc:read', 'offline_access'] });
  const { running: first, client } = await open({ rows });
  const { running: second } = await open({ rows });
  const issued = await issue(first);
  expect((await issue(second)).clientId).toBe(issued.clientId);
  expect(issued).toMatchObject({ expiresInSeconds: 600, scopes: ['svc:read', 'offline_access'] });
  expect((await client.authorize(issued.clientId)).status).toBe(400);
  expect((await client.refresh(issued.clientId, issued.refreshToken)).status).toBe(200);
});

test('the lifetimes of tokens and codes can be configured', async () => {
  const { running, client } = await open({
    lifetimes: {
      accessTokenSeconds: 30,
      codeSeconds: 5,
      rotationGraceSeconds: 1,
      refreshTokenIdleSeconds: 90,
    },
  });
  const { clientId, tokens } = await client.signIn();
  expect(tokens.expires_in).toBe(30);
  const code = await client.code(clientId);
  running.clock.move(6_000);
  expect((await client.redeem(code)).status).toBe(400);
  running.clock.move(25_000);
  expect(await running.server.authenticate(tokens.access_token)).toBeNull();
  const next = (await (await client.refresh(clientId, tokens.refresh_token ?? '')).json()) as Tokens;
  running.clock.move(2_000);
  expect((await client.refresh(clientId, tokens.refresh_token ?? '')).status).toBe(400);
  expect(await running.server.authenticate(next.access_token)).toBeNull();
});
