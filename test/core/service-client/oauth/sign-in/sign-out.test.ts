import { describe, expect, test } from 'vitest';
import { createMemoryGrants, signOut, type Grant } from '#core/service-client/index.ts';
import type { Logger } from '#core/platform/logger.ts';
import { cut, json, silence, startAuthorizationService, type Answering } from '../authorization-service.ts';
import { resourcePath, serverPath } from '../discovery/document-service.ts';

async function openWorld(changes: Partial<Grant> = {}) {
  const service = await startAuthorizationService();
  const store = createMemoryGrants();
  store.save({
    issuer: service.origin,
    clientId: 'the-client',
    resource: `${service.origin}/mcp`,
    accessToken: 'access-secret',
    refreshToken: 'refresh-secret',
    scopes: ['svc:read'],
    expiresAtMs: null,
    account: null,
    signedInAtMs: 0,
    ...changes,
  });
  store.saveClient({
    issuer: service.origin,
    clientId: 'the-client',
    redirectUri: 'http://127.0.0.1:9/callback',
  });
  const lines: string[] = [];
  const noted = (facts: unknown, message: string) => void lines.push(JSON.stringify([facts, message]));
  const logger: Logger = { info: noted, warn: noted, error: noted, child: () => logger };
  return {
    service,
    store,
    lines,
    signOut: (timeoutMs = 20_000) => signOut({ mcpUrl: service.origin, store, timeoutMs, logger }),
    revoked: () => service.askedAt('/revoke').map(({ form }) => Object.fromEntries(form)),
  };
}

const refresh = { token: 'refresh-secret', token_type_hint: 'refresh_token', client_id: 'the-client' };
const access = { token: 'access-secret', token_type_hint: 'access_token', client_id: 'the-client' };

test('signing out revokes the refresh token, then the access token, and forgets everything', async () => {
  const world = await openWorld();
  expect(await world.signOut()).toBe('revoked');
  expect(world.revoked()).toEqual([refresh, access]);
  expect([world.store.load(), world.store.client()]).toEqual([{ kind: 'none' }, null]);
  expect(world.service.askedAt('/revoke').map(({ headers }) => headers.authorization)).toEqual([
    undefined,
    undefined,
  ]);
});

test('everything is forgotten before the service hears of it', async () => {
  const world = await openWorld();
  const held: string[] = [];
  world.service.answer(resourcePath, (response, asked) => {
    held.push(world.store.load().kind);
    json(200, world.service.resource)(response, asked);
  });
  await world.signOut();
  expect(held).toEqual(['none']);
});

test('a grant without a refresh token is revoked by its access token', async () => {
  const world = await openWorld({ refreshToken: null });
  expect(await world.signOut()).toBe('revoked');
  expect(world.revoked()).toEqual([access]);
});

describe('everything is forgotten all the same, and it is said what became of the access, where', () => {
  test.each<[string, string, Answering]>([
    ['it cannot be found', resourcePath, cut],
    ['its documents are nonsense', serverPath, json(200, '{')],
    ['it is not ready', serverPath, json(503, {})],
    ['it never answers about itself', resourcePath, silence],
    ['it fails', '/revoke', json(500, {})],
    ['it refuses', '/revoke', json(400, { error: 'unsupported_token_type' })],
    ['it does not know the client', '/revoke', json(401, {}, { 'www-authenticate': 'Basic' })],
    ['it answers with another success', '/revoke', json(202, {})],
    ['it redirects', '/revoke', json(307, {}, { location: '/token' })],
    ['it cuts the connection', '/revoke', cut],
    ['it never answers', '/revoke', silence],
  ])('%s', async (_what, path, answering) => {
    const world = await openWorld();
    world.service.answer(path, answering);
    expect(await world.signOut(answering === silence ? 300 : undefined)).toBe('unconfirmed');
    expect([world.store.load(), world.store.client()]).toEqual([{ kind: 'none' }, null]);
    expect(world.lines.join('\n')).not.toContain('secret');
  });

  test('it has no place to revoke', async () => {
    const world = await openWorld();
    delete world.service.server['revocation_endpoint'];
    expect([await world.signOut(), world.store.load()]).toEqual(['not-offered', { kind: 'none' }]);
  });

  test('another authorization server stands there now, which does not get the tokens', async () => {
    const world = await openWorld({ issuer: 'https://accounts.example' });
    expect([await world.signOut(), world.store.load(), world.revoked()]).toEqual([
      'other-server',
      { kind: 'none' },
      [],
    ]);
  });

  test('one of the two is refused; the other one is revoked', async () => {
    const world = await openWorld();
    world.service.answer('/revoke', (response, asked) => {
      json(asked.form.get('token') === 'refresh-secret' ? 500 : 200, {})(response, asked);
    });
    expect([await world.signOut(), world.revoked()]).toEqual(['unconfirmed', [refresh, access]]);
  });
});

test('without a grant no request is sent to the service', async () => {
  const world = await openWorld();
  world.store.forget();
  expect([await world.signOut(), world.service.asked]).toEqual(['none', []]);
});

test('a grant that has ended is forgotten, and whether the service still has it is unknown', async () => {
  const world = await openWorld();
  world.store.end();
  expect([await world.signOut(), world.store.load(), world.service.asked]).toEqual([
    'ended',
    { kind: 'none' },
    [],
  ]);
});

test('a grant that cannot be opened is forgotten, and the service is not asked', async () => {
  const world = await openWorld();
  world.store.load = () => ({ kind: 'other-key' });
  expect([await world.signOut(), world.service.asked]).toEqual(['other-key', []]);
});
