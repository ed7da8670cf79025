import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createGrantStores } from '#core/connections/index.ts';
import { createCredentials, createSealer, type Credentials } from '#core/profiles/index.ts';
import { systemClock as clock } from '#core/platform/clock.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import {
  createAccess,
  createMemoryGrants,
  type Grant,
  type GrantStore,
  type RegisteredClient,
} from '#core/service-client/index.ts';
import { openAppStore, type AppStore } from '#core/store/app/index.ts';
import { startAuthorizationService, tokens } from '#test/core/service-client/oauth/authorization-service.ts';
import { failureOf } from '#test/core/service-client/failure-of.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

const grant: Grant = {
  issuer: 'https://accounts.example',
  clientId: 'the-client',
  resource: 'https://mcp.example/mcp',
  accessToken: 'planted-access',
  refreshToken: 'planted-refresh',
  scopes: ['svc:read', 'svc:write'],
  expiresAtMs: 1_000,
  account: '77',
  signedInAtMs: 500,
};
const held = { kind: 'held', grant };
const client: RegisteredClient = {
  issuer: 'https://accounts.example',
  clientId: 'the-client',
  redirectUri: 'http://127.0.0.1:40000/callback',
};
const waiting = new Promise<Grant>(() => {});

interface Start {
  store: AppStore;
  credentials: Credentials;
  grants: GrantStore;
}

const key = randomBytes(32);

async function start(folder: string, dataKey: Buffer = key): Promise<Start> {
  const store = openAppStore({ folder, clock, logger });
  onTestFinished(() => store.dispose());
  const credentials = createCredentials({ store, sealer: createSealer(dataKey) });
  return { store, credentials, grants: createGrantStores({ store, credentials, clock })('live') };
}

describe.each<[string, () => Promise<GrantStore>]>([
  ['in the database', async () => (await start(tempFolder())).grants],
  ['in memory', async () => createMemoryGrants()],
])('a grant store %s', (_where, open) => {
  test('is empty at first', async () => {
    const grants = await open();
    expect([grants.load(), grants.client(), grants.runningRefresh]).toEqual([{ kind: 'none' }, null, null]);
  });

  test('returns the latest saved grant', async () => {
    const grants = await open();
    grants.save({ ...grant, accessToken: 'before' });
    grants.save(grant);
    expect(grants.load()).toEqual(held);
    const bare = { ...grant, refreshToken: null, expiresAtMs: null, scopes: [] };
    grants.save(bare);
    expect(grants.load()).toEqual({ kind: 'held', grant: bare });
  });

  test('treats a lease of another process as the end of the grant', async () => {
    const grants = await open();
    grants.save(grant);
    grants.lease();
    expect(grants.load()).toEqual({ kind: 'ended' });
  });

  test('returns the grant while it is being refreshed', async () => {
    const grants = await open();
    grants.save(grant);
    grants.runningRefresh = waiting;
    grants.lease();
    expect(grants.load()).toEqual(held);
  });

  test('gives one lease at a time', async () => {
    const grants = await open();
    grants.save(grant);
    grants.runningRefresh = waiting;
    grants.lease();
    expect(() => grants.lease()).toThrow();
    grants.release();
    grants.lease();
    grants.save(grant);
    grants.lease();
    grants.end();
    grants.lease();
    grants.forget();
    grants.lease();
  });

  test.each<[string, (grants: GrantStore) => void, object]>([
    ['releasing keeps the grant', (grants) => grants.release(), held],
    [
      'save replaces it',
      (grants) => grants.save({ ...grant, accessToken: 'after' }),
      { kind: 'held', grant: { ...grant, accessToken: 'after' } },
    ],
    ['ending records the end', (grants) => grants.end(), { kind: 'ended' }],
    ['forgetting deletes everything', (grants) => grants.forget(), { kind: 'none' }],
  ])('ends a lease: %s', async (_what, step, expected) => {
    const grants = await open();
    grants.save(grant);
    grants.runningRefresh = waiting;
    grants.lease();
    step(grants);
    grants.runningRefresh = null;
    expect(grants.load()).toEqual(expected);
  });

  test('keeps an ended grant ended until the next sign-in or sign-out', async () => {
    const grants = await open();
    grants.save(grant);
    grants.end();
    grants.end();
    expect(grants.load()).toEqual({ kind: 'ended' });
    grants.save(grant);
    expect(grants.load()).toEqual(held);
  });

  test('keeps the client separately from the grant until it is forgotten', async () => {
    const grants = await open();
    grants.saveClient(client);
    grants.save(grant);
    grants.end();
    expect(grants.client()).toEqual(client);
    grants.forgetClient();
    expect([grants.client(), grants.load()]).toEqual([null, { kind: 'ended' }]);
    grants.saveClient(client);
    grants.forget();
    expect(grants.client()).toBeNull();
  });
});

describe('a grant on disk', () => {
  test('survives a restart, and a lease ends it', async () => {
    const folder = tempFolder();
    const first = await start(folder);
    first.grants.save(grant);
    first.grants.saveClient(client);
    await first.store.dispose();
    const second = await start(folder);
    expect([second.grants.load(), second.grants.client()]).toEqual([held, client]);
    second.grants.runningRefresh = waiting;
    second.grants.lease();
    await second.store.dispose();
    const third = await start(folder);
    expect(third.grants.load()).toEqual({ kind: 'ended' });
    third.grants.end();
    await third.store.dispose();
    expect((await start(folder)).grants.load()).toEqual({ kind: 'ended' });
  });

  test('with a lease is not used after a restart, so no token is used twice', async () => {
    const service = await startAuthorizationService();
    const folder = tempFolder();
    const first = await start(folder);
    const mine = { ...grant, issuer: service.origin, resource: `${service.origin}/mcp` };
    first.grants.save(mine);
    first.grants.runningRefresh = waiting;
    first.grants.lease();
    await first.store.dispose();

    const { grants } = await start(folder);
    const access = createAccess({ mcpUrl: service.origin, store: grants, clock, logger, timeoutMs: 20_000 });
    expect((await failureOf(access.token())).code).toBe('sign_in_needed');
    expect((await failureOf(access.renew(mine.accessToken))).code).toBe('sign_in_needed');
    expect(service.asked).toEqual([]);
  });

  test('has its lease on disk before the refresh token is sent, and its new tokens before they are used', async () => {
    const service = await startAuthorizationService();
    const folder = tempFolder();
    const { grants } = await start(folder);
    grants.save({ ...grant, issuer: service.origin, resource: `${service.origin}/mcp` });
    const seen: unknown[] = [];
    service.answer('/token', (response, asked) => {
      void start(folder).then((other) => {
        seen.push(other.grants.load());
        tokens()(response, asked);
      });
    });
    const access = createAccess({ mcpUrl: service.origin, store: grants, clock, logger, timeoutMs: 20_000 });
    expect(await access.token()).toBe('access-secret-next');
    expect([...seen, (await start(folder)).grants.load()]).toMatchObject([
      { kind: 'ended' },
      { kind: 'held', grant: { accessToken: 'access-secret-next', refreshToken: 'refresh-secret-next' } },
    ]);
  });

  test('is never stored in plain text', async () => {
    const folder = tempFolder();
    const { grants, store } = await start(folder);
    grants.save(grant);
    grants.saveClient({ ...client, clientId: 'planted-client' });
    await store.dispose();
    expect(readFileSync(join(folder, 'countersign.sqlite')).includes('planted')).toBe(false);
  });

  test('is neither readable nor changed with another key, which can store its own grant', async () => {
    const folder = tempFolder();
    const first = await start(folder);
    first.grants.save(grant);
    const other = await start(folder, randomBytes(32));
    expect([other.grants.load(), other.grants.client()]).toEqual([{ kind: 'other-key' }, null]);
    other.grants.save({ ...grant, accessToken: 'beside' });
    other.grants.end();
    expect([other.grants.load(), first.grants.load()]).toEqual([{ kind: 'ended' }, held]);
    other.grants.forget();
    expect(first.grants.load()).toEqual({ kind: 'none' });
  });

  test('left by a crash under one key is not restored by a sign-in under another key', async () => {
    const folder = tempFolder();
    const first = await start(folder);
    first.grants.save(grant);
    first.grants.runningRefresh = waiting;
    first.grants.lease();
    await first.store.dispose();
    const other = await start(folder, randomBytes(32));
    expect(other.grants.load()).toEqual({ kind: 'ended' });
    other.grants.save({ ...grant, accessToken: 'anew' });
    expect(other.grants.load()).toMatchObject({ grant: { accessToken: 'anew' } });
    await other.store.dispose();
    expect((await start(folder)).grants.load()).toEqual({ kind: 'other-key' });
  });

  test.each([
    ['no JSON', 'nonsense'],
    ['another shape', '{"accessToken":"a"}'],
    ['a member too many', JSON.stringify({ ...grant, more: 1 })],
    ['an empty token', JSON.stringify({ ...grant, accessToken: '' })],
    ['null', 'null'],
  ])('whose sealed text is %s counts as ended, and its client as missing', async (_what, text) => {
    const { grants, credentials } = await start(tempFolder());
    credentials.write('live', 'oauth-grant', text);
    credentials.write('live', 'oauth-client', text);
    expect([grants.load(), grants.client()]).toEqual([{ kind: 'ended' }, null]);
  });

  test('that can no longer be opened counts as ended and needs a new sign-in', async () => {
    const { grants, store } = await start(tempFolder());
    grants.save(grant);
    const [name = ''] = store.secrets.names('live');
    store.secrets.set('live', name, Buffer.alloc(64));
    expect(grants.load()).toEqual({ kind: 'ended' });
    grants.save(grant);
    expect(grants.load()).toEqual(held);
  });

  test('belongs to one profile, and every caller gets the same store', async () => {
    const { store, credentials, grants } = await start(tempFolder());
    const grantsOf = createGrantStores({ store, credentials, clock });
    grantsOf('one').save(grant);
    expect([grantsOf('two').load(), grants.load(), grantsOf('one') === grantsOf('one')]).toEqual([
      { kind: 'none' },
      { kind: 'none' },
      true,
    ]);
  });
});
