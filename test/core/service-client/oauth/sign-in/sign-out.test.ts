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

test('signing out revokes the refresh token, then the access token, and deletes everything', async () => {
  const world = await openWorld();
  expect(await world.signOut()).toBe('revoked');
  expect(world.revoked()).toEqual([refresh, access]);
  expect([world.store.load(), world.store.client()]).toEqual([{ kind: 'none' }, null]);
  expect(world.service.askedAt('/revoke').map(({ headers }) => headers.authorization)).toEqual([
    undefined,
    undefined,
  ]);
});

test('everything is deleted before the service is contacted', async () => {
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

describe('signing out deletes everything and reports whether the access was revoked, if the server', () => {
  test.each<[string, string, Answering]>([
    ['cannot be found', resourcePath, cut],
    ['has unreadable documents', serverPath, json(200, '{')],
    ['is not ready', serverPath, json(503, {})],
    ['never answers about itself', resourcePath, silence],
    ['fails', '/revoke', json(500, {})],
    ['refuses', '/revoke', json(400, { error: 'unsupported_token_type' })],
    ['does not know the client', '/revoke', json(401, {}, { 'www-authenticate': 'Basic' })],
    ['answers with an unexpected success', '/revoke', json(202, {})],
    ['redirects', '/revoke', json(307, {}, { location: '/token' })],
    ['cuts the connection', '/revoke', cut],
    ['never answers', '/revoke', silence],
  ])('%s', async (_what, path, answering) => {
    const world = await openWorld();
    world.service.answer(path, answering);
    expect(await world.signOut(answering === silence ? 300 : undefined)).toBe('unconfirmed');
    expect([world.store.load(), world.store.client()]).toEqual([{ kind: 'none' }, null]);
    expect(world.lines.join('\n')).not.toContain('secret');
  });

  test('offers no revocation', async () => {
    const world = await openWorld();
    delete world.service.server['revocation_endpoint'];
    expect([await world.signOut(), world.store.load()]).toEqual(['not-offered', { kind: 'none' }]);
  });

  test('is a different authorization server, which does not get the tokens', async () => {
    const world = await openWorld({ issuer: 'https://accounts.example' });
    expect([await world.signOut(), world.store.load(), world.revoked()]).toEqual([
      'other-server',
      { kind: 'none' },
      [],
    ]);
  });

  test('refuses to revoke one of two tokens; the other token is revoked', async () => {
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

test('a grant that has ended is deleted, and whether it was revoked is unknown', async () => {
  const world = await openWorld();
  world.store.end();
  expect([await world.signOut(), world.store.load(), world.service.asked]).toEqual([
    'ended',
    { kind: 'none' },
    [],
  ]);
});

test('a grant that cannot be decrypted is deleted, and the service is not contacted', async () => {
  const world = await openWorld();
  world.store.load = () => ({ kind: 'other-key' });
  expect([await world.signOut(), world.service.asked]).toEqual(['other-key', []]);
});
