import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createAccess, createMemoryGrants, type Grant, type GrantStore } from '#core/service-client/index.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { createManualClock, type ManualClock } from '#test/servers/manual-clock.ts';
import {
  cut,
  json,
  silence,
  startAuthorizationService,
  tokens,
  tokensOf,
  type Answering,
  type AuthorizationService,
} from './authorization-service.ts';
import { resourcePath, serverPath } from './discovery/document-service.ts';
import { failureOf } from '../failure-of.ts';

const hourMs = 3_600_000;

/** A grant from a service that the test controls, and access with it. */
interface World {
  service: AuthorizationService;
  store: GrantStore;
  clock: ManualClock;
  grant: Grant;
  /** Calls of the store and requests to the token endpoint, in order. */
  steps: string[];
  changes: number[];
  access(timeoutMs?: number): ReturnType<typeof createAccess>;
}

async function openWorld(changes: Partial<Grant> = {}): Promise<World> {
  const service = await startAuthorizationService();
  const clock = createManualClock(1_000_000);
  const grant: Grant = {
    issuer: service.origin,
    clientId: 'the-client',
    resource: `${service.origin}/mcp`,
    accessToken: 'access-secret-0',
    refreshToken: 'refresh-secret-0',
    scopes: ['svc:read', 'svc:write'],
    expiresAtMs: clock.nowMs() + hourMs,
    account: '77',
    signedInAtMs: 5,
    ...changes,
  };
  const steps: string[] = [];
  const store = watched(createMemoryGrants(), steps);
  store.save(grant);
  store.saveClient({
    issuer: service.origin,
    clientId: 'the-client',
    redirectUri: 'http://127.0.0.1:9/callback',
  });
  steps.length = 0;
  const answering: number[] = [];
  return {
    service,
    store,
    clock,
    grant,
    steps,
    changes: answering,
    access: (timeoutMs = 20_000) =>
      createAccess({
        mcpUrl: service.origin,
        store,
        clock,
        logger,
        timeoutMs,
        onChange: () => void answering.push(clock.nowMs()),
      }),
  };
}

function watched(store: GrantStore, steps: string[]): GrantStore {
  for (const name of ['save', 'lease', 'release', 'end'] as const) {
    const step = store[name] as (grant?: Grant) => void;
    Object.assign(store, {
      [name](grant?: Grant) {
        steps.push(name);
        step(grant);
      },
    });
  }
  return store;
}

const refreshes = ({ service }: World) => service.askedAt('/token');

describe('the access token', () => {
  test('is the stored token while it is valid, without a request', async () => {
    const world = await openWorld();
    const access = world.access();
    world.clock.advance(hourMs - 30_001);
    expect([await access.token(), await access.token()]).toEqual(['access-secret-0', 'access-secret-0']);
    expect(world.service.asked).toEqual([]);
  });

  test('is refreshed in its last 30 s, with the same resource, no client secret and no new scopes', async () => {
    const world = await openWorld();
    world.service.answer('/token', (response, asked) => {
      world.steps.push('asked');
      tokens()(response, asked);
    });
    world.clock.advance(hourMs - 30_000);
    expect(await world.access().token()).toBe('access-secret-next');
    const [asked, ...more] = refreshes(world);
    expect(Object.fromEntries(asked?.form ?? [])).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'refresh-secret-0',
      client_id: 'the-client',
      resource: `${world.service.origin}/mcp`,
    });
    expect([more, asked?.headers.authorization, asked?.headers.cookie]).toEqual([[], undefined, undefined]);
    expect(world.steps).toEqual(['lease', 'asked', 'save']);
    expect(world.store.load()).toEqual({
      kind: 'held',
      grant: {
        ...world.grant,
        accessToken: 'access-secret-next',
        refreshToken: 'refresh-secret-next',
        scopes: ['svc:read'],
        expiresAtMs: world.clock.nowMs() + hourMs,
      },
    });
    expect(world.changes).toHaveLength(1);
  });

  test('is used until it is refused if the server names no lifetime', async () => {
    const world = await openWorld({ expiresAtMs: null });
    world.clock.advance(1000 * hourMs);
    expect(await world.access().token()).toBe('access-secret-0');
  });

  test('gains no scope from a refresh that the sign-in did not grant', async () => {
    const world = await openWorld();
    const scope = 'svc:upload svc:write svc:read offline_access';
    world.service.answer('/token', json(200, { access_token: 'bare', token_type: 'bearer', scope }));
    await world.access().renew('access-secret-0');
    expect(world.store.load()).toMatchObject({ grant: { scopes: ['svc:write', 'svc:read'] } });
  });

  test.each([
    ['brings no others (RFC 6749 §6)', {}],
    ['has null for them', { refresh_token: null, scope: null, expires_in: null }],
  ])('keeps its scopes and its refresh token if the answer %s', async (_what, others) => {
    const world = await openWorld();
    world.service.answer('/token', json(200, { access_token: 'bare', token_type: 'bearer', ...others }));
    await world.access().renew('access-secret-0');
    expect(world.store.load()).toEqual({
      kind: 'held',
      grant: { ...world.grant, accessToken: 'bare', expiresAtMs: null },
    });
  });

  test.each<[string, (world: World) => void, string]>([
    ['there is no sign-in', ({ store }) => store.forget(), 'You are not signed in'],
    ['the grant has ended', ({ store }) => store.end(), 'has ended'],
    ['a crash left a lease', ({ store }) => store.lease(), 'has ended'],
    [
      'the grant is for another resource',
      ({ store, grant }) => store.save({ ...grant, resource: 'https://other.example/mcp' }),
      'You are not signed in',
    ],
  ])('is refused without a request if %s', async (_what, prepare, words) => {
    const world = await openWorld();
    prepare(world);
    for (const ask of [() => world.access().token(), () => world.access().renew('access-secret-0')]) {
      const failure = await failureOf(ask());
      expect([failure.code, failure.message.includes(words)]).toEqual(['sign_in_needed', true]);
    }
    expect(world.service.asked).toEqual([]);
  });
});

describe('simultaneous callers', () => {
  test('with an expired token cause one refresh for 20 calls', async () => {
    const world = await openWorld();
    world.clock.advance(hourMs);
    const access = world.access();
    const given = await Promise.all(Array.from({ length: 20 }, () => access.token()));
    expect([new Set(given).size, refreshes(world).length]).toEqual([1, 1]);
    expect(await access.token()).toBe(given[0]);
  });

  test('with a refused token cause one refresh for 20 calls, and a late call gets the new token', async () => {
    const world = await openWorld();
    const accesses = [world.access(), world.access()];
    const ask = async (at: number) => accesses[at % 2]?.renew('access-secret-0');
    const given = await Promise.all(Array.from({ length: 20 }, (_none, at) => ask(at)));
    expect([new Set([...given, await ask(0)]).size, refreshes(world).length]).toEqual([1, 1]);
  });

  test('fail together if the refresh fails, and the refresh token is not used again', async () => {
    const world = await openWorld();
    world.clock.advance(hourMs);
    world.service.answer('/token', json(400, { error: 'invalid_grant' }));
    const access = world.access();
    const codes = await Promise.all(
      Array.from({ length: 20 }, async () => (await failureOf(access.token())).code),
    );
    expect([new Set(codes), refreshes(world).length]).toEqual([new Set(['sign_in_needed']), 1]);
    await failureOf(access.token());
    expect(refreshes(world)).toHaveLength(1);
  });
});

describe('a refresh that', () => {
  const ends: [string, Answering][] = [
    ['is refused as invalid_grant', json(400, { error: 'invalid_grant' })],
    ['is refused as invalid_client', json(401, { error: 'invalid_client' })],
    ['is refused as invalid_target', json(400, { error: 'invalid_target' })],
    ['is refused without a reason', json(401, '')],
    ['is forbidden', json(403, {})],
    ['finds no endpoint', json(404, {})],
    ['meets a failing server', json(500, {})],
    ['meets a failing gateway', json(502, 'bad gateway')],
    ['gets no answer in time', silence],
    ['is cut', cut],
    [
      'is cut within the answer',
      (response) =>
        void response.writeHead(200, { 'content-length': '500' }).end('{', () => response.destroy()),
    ],
    ['is redirected', json(307, {}, { location: '/token' })],
    [
      'is refused with an echo of its request',
      (response, asked) =>
        json(400, { error: asked.form.get('refresh_token'), error_description: asked.body })(response, asked),
    ],
    ['gets no JSON', json(200, '<html>')],
    ['gets no token', json(200, { token_type: 'Bearer' })],
    ['gets a token with a line end', json(200, { ...tokensOf('x'), access_token: 'a\r\nb' })],
    ['gets another type of token', json(200, { ...tokensOf('x'), token_type: 'mac' })],
  ];

  test.each(ends)(
    '%s ends the grant: the refresh token is sent once and never again',
    async (_what, answering) => {
      const world = await openWorld();
      world.service.answer('/token', answering);
      world.clock.advance(hourMs);
      const access = world.access(answering === silence ? 1_500 : undefined);
      const failure = await failureOf(access.token());
      expect(failure.code).toBe('sign_in_needed');
      expect(world.steps).toEqual(['lease', 'end']);
      expect([world.store.load(), world.changes.length]).toEqual([{ kind: 'ended' }, 1]);
      world.service.answer('/token', tokens());
      expect((await failureOf(world.access().renew('access-secret-0'))).code).toBe('sign_in_needed');
      expect(refreshes(world)).toHaveLength(1);
      expect(inspect(failure, { depth: 9 })).not.toContain('secret');
    },
  );

  test('is refused because the client is unknown removes the stored client', async () => {
    const world = await openWorld();
    world.service.answer('/token', json(401, { error: 'invalid_client' }));
    await failureOf(world.access().renew('access-secret-0'));
    expect(world.store.client()).toBeNull();
  });

  test.each<[string, Answering, string]>([
    ['asked for a pause', json(429, {}), 'rate_limited'],
    ['found the server not ready', json(503, {}), 'service_unavailable'],
    ['found another host', json(421, {}), 'wrong_host'],
  ])('%s keeps the refresh token, which can be used for another refresh', async (_what, answering, code) => {
    const world = await openWorld();
    world.service.answer('/token', answering);
    world.clock.advance(hourMs);
    expect((await failureOf(world.access().token())).code).toBe(code);
    expect(world.steps).toEqual(['lease', 'release']);
    expect([world.store.load(), world.changes]).toEqual([{ kind: 'held', grant: world.grant }, []]);
    world.service.answer('/token', tokens());
    expect(await world.access().token()).toBe('access-secret-next');
    expect(refreshes(world)).toHaveLength(2);
  });

  test('certainly did not reach the server keeps the refresh token', async () => {
    const world = await openWorld();
    // No server listens at this reserved port of the configured host.
    world.service.server['token_endpoint'] = 'http://127.0.0.1:1/token';
    world.clock.advance(hourMs);
    expect((await failureOf(world.access().token())).code).toBe('service_unreachable');
    expect(world.steps).toEqual(['lease', 'release']);
  });

  test.each<[string, Answering, string]>([
    [resourcePath, cut, 'service_unreachable'],
    [serverPath, json(503, {}), 'service_unavailable'],
    [serverPath, json(200, '{}'), 'discovery_failed'],
  ])('cannot read %s is not started (%#)', async (path, answering, code) => {
    const world = await openWorld();
    world.service.answer(path, answering);
    world.clock.advance(hourMs);
    expect((await failureOf(world.access().token())).code).toBe(code);
    expect([world.steps, refreshes(world)]).toEqual([[], []]);
  });

  test('has one deadline for all discovery documents together', async () => {
    const world = await openWorld();
    const { origin } = world.service;
    world.service.resource['authorization_servers'] = ['/a', '/b', '/c', ''].map((path) => origin + path);
    world.service.answer(`${serverPath}/a`, silence);
    world.service.answer(`${serverPath}/b`, silence);
    world.clock.advance(hourMs);
    expect((await failureOf(world.access(300).token())).code).toBe('service_unreachable');
    expect(world.service.asked.map(({ path }) => path)).toEqual([resourcePath, `${serverPath}/a`]);
    expect([world.steps, world.store.load().kind]).toEqual([[], 'held']);
  });

  test('would go to a different authorization server is not sent', async () => {
    const world = await openWorld({ issuer: 'https://accounts.example' });
    world.clock.advance(hourMs);
    expect((await failureOf(world.access().token())).code).toBe('sign_in_needed');
    expect([world.steps, refreshes(world)]).toEqual([[], []]);
  });

  test('fails before the access token expires leaves the token usable until then', async () => {
    const world = await openWorld();
    world.service.answer('/token', json(503, {}));
    world.clock.advance(hourMs - 10_000);
    expect(await world.access().token()).toBe('access-secret-0');
    expect((await failureOf(world.access().renew('access-secret-0'))).code).toBe('service_unavailable');
  });

  test('is impossible without a refresh token ends the grant when the access token expires', async () => {
    const world = await openWorld({ refreshToken: null });
    world.clock.advance(hourMs - 1);
    expect(await world.access().token()).toBe('access-secret-0');
    world.clock.advance(1);
    expect((await failureOf(world.access().token())).code).toBe('sign_in_needed');
    expect([world.store.load(), world.service.asked, world.steps]).toEqual([{ kind: 'ended' }, [], ['end']]);
  });
});

describe('while a refresh is running', () => {
  async function beginRefresh(path = '/token') {
    const world = await openWorld();
    const { promise, resolve } = Promise.withResolvers<void>();
    const answers = path === '/token' ? tokens() : json(200, world.service.server);
    world.service.answer(path, (response, asked) => void promise.then(() => answers(response, asked)));
    world.clock.advance(hourMs);
    const token = world.access().token();
    token.catch(() => {});
    await expect.poll(() => world.service.askedAt(path).length).toBe(1);
    return { world, token, answer: resolve };
  }

  test('the earlier grant is still stored', async () => {
    const { world, token, answer } = await beginRefresh();
    expect(world.store.load()).toEqual({ kind: 'held', grant: world.grant });
    answer();
    await token;
  });

  test.each(['/token', serverPath])(
    'a sign-out during the request to %s discards the new tokens',
    async (path) => {
      const { world, token, answer } = await beginRefresh(path);
      world.store.forget();
      answer();
      expect((await failureOf(token)).code).toBe('sign_in_needed');
      expect(world.store.load()).toEqual({ kind: 'none' });
    },
  );

  test.each(['/token', serverPath])(
    'a new sign-in during the request to %s keeps its own grant',
    async (path) => {
      const { world, token, answer } = await beginRefresh(path);
      const anew = {
        ...world.grant,
        accessToken: 'access-anew',
        refreshToken: 'refresh-anew',
        expiresAtMs: null,
      };
      world.store.save(anew);
      answer();
      expect([await token, world.store.load()]).toEqual(['access-anew', { kind: 'held', grant: anew }]);
    },
  );
});
