import { METHODS } from 'node:http';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServer } from './open-server.ts';
import type { RunningServer } from './open-server.ts';
import { createTestClient, redirectUri } from './test-client.ts';
import type { TestClient } from './test-client.ts';

let running: RunningServer;
let client: TestClient;

beforeAll(async () => {
  running = await openServer();
  client = createTestClient(running.origin);
});
afterAll(() => running.dispose());

const resourcePath = '/.well-known/oauth-protected-resource/mcp';
const serverPath = '/.well-known/oauth-authorization-server';

async function documentAt(path: string, headers: Record<string, string> = {}): Promise<unknown> {
  const answer = await fetch(`${running.origin}${path}`, { headers });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return answer.json();
}

test('the metadata of the protected resource names its authorization server', async () => {
  expect(running.server.resourceMetadataUrl).toBe(`${running.origin}${resourcePath}`);
  expect(await documentAt(resourcePath)).toEqual({
    resource: `${running.origin}/mcp`,
    authorization_servers: [running.origin],
    scopes_supported: ['svc:read', 'svc:write', 'svc:upload'],
    bearer_methods_supported: ['header'],
  });
});

test('the metadata of the authorization server lists what it supports, without OpenID', async () => {
  expect(await documentAt(serverPath)).toEqual({
    issuer: running.origin,
    authorization_endpoint: `${running.origin}/authorize`,
    token_endpoint: `${running.origin}/token`,
    registration_endpoint: `${running.origin}/register`,
    revocation_endpoint: `${running.origin}/revoke`,
    scopes_supported: ['svc:read', 'svc:write', 'svc:upload', 'offline_access'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  });
});

/** Sends headers that fetch does not allow. */
function raw(
  path: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port: running.port, path, headers, method }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

test('no request header changes the metadata', async () => {
  const forwarded = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '10.0.0.1',
    forwarded: 'host=evil.example;proto=https',
    'x-original-url': '/evil',
  };
  for (const path of [resourcePath, serverPath]) {
    const plain = await raw(path, {});
    for (const headers of [forwarded, { host: `localhost:${running.port}` }]) {
      expect(await raw(path, headers)).toEqual(plain);
    }
    expect((await raw(path, { host: 'evil.example' })).status).toBe(421);
  }
  const clientId = await client.registered();
  const start = await client.authorize(clientId, {}, forwarded);
  expect(start.headers.get('location')).toMatch(/^\/interaction\//);
  expect(start.headers.getSetCookie().join()).not.toMatch(/secure|evil/i);
});

test.each([
  [resourcePath, 'GET, HEAD'],
  [serverPath, 'GET, HEAD'],
  ['/authorize', 'GET, POST'],
  ['/authorize/some-sign-in', 'GET'],
  ['/interaction/some-sign-in', 'GET, POST'],
  ['/token', 'POST'],
  ['/register', 'POST'],
  ['/revoke', 'POST'],
])('%s accepts %s and says so to every other method, including preflight requests', async (path, allowed) => {
  // `fetch` cannot send CONNECT or TRACE.
  for (const method of METHODS.filter((each) => each !== 'CONNECT' && each !== 'TRACE')) {
    const answer = await fetch(`${running.origin}${path}`, {
      method,
      redirect: 'manual',
      headers: { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x' },
    });
    const isAllowed = allowed.split(', ').includes(method);
    expect([method, answer.status === 405]).toEqual([method, !isAllowed]);
    if (!isAllowed) expect(answer.headers.get('allow')).toBe(allowed);
    const names = [...answer.headers.keys()].filter((name) =>
      /^access-control-|^server$|^x-powered-by$/.test(name),
    );
    expect(names).toEqual([]);
    await answer.arrayBuffer();
  }
});

test('a page from the server’s own origin cannot open the token endpoint to other origins', async () => {
  const answer = await fetch(`${running.origin}/token`, {
    method: 'POST',
    headers: { origin: running.origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=x',
  });
  expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
});

test.each([
  '/.well-known/openid-configuration',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-authorization-server/mcp',
  '/jwks',
  '/me',
  '/userinfo',
  '/request',
  '/reg',
  '/reg/some-client',
  '/register/some-client',
  '/auth',
  '/auth/some-sign-in',
  '/device',
  '/device/auth',
  '/backchannel',
  '/session/end',
  '/session/end/confirm',
  '/token/introspection',
  '/token/revocation',
  '/token/',
  '/TOKEN',
  '/Authorize',
  '/authorize/',
  '/authorize/a/b',
  '/interaction',
  '/interaction/',
  '/interaction/../token',
  '/challenge',
  '/credential',
])('%s is not found', async (path) => {
  expect(running.server.answers(path)).toBe(false);
  for (const method of ['GET', 'POST']) {
    expect((await raw(path, {}, method)).status).toBe(404);
  }
});

test('HEAD returns the headers of the metadata without the body', async () => {
  const answer = await fetch(`${running.origin}${serverPath}`, { method: 'HEAD' });
  expect([answer.status, await answer.text()]).toEqual([200, '']);
  expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(100);
});

test('a registration is answered with the registered values, and unknown values are not stored', async () => {
  const answer = await client.register({
    scope: 'svc:read',
    client_uri: 'https://client.example',
    logo_uri: 'https://client.example/logo.png',
    jwks_uri: 'https://client.example/keys',
    client_id: 'chosen-by-the-client',
    client_secret: 'chosen',
    application_type: 'native',
    something_new: true,
  });
  expect(answer.status).toBe(201);
  const registered = (await answer.json()) as { client_id: string };
  expect(registered).toEqual({
    client_id: expect.stringMatching(/^[a-z0-9]{20,40}$/),
    client_id_issued_at: expect.any(Number),
    client_name: 'Test',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  });
});

test.each<[what: string, metadata: Record<string, unknown>, granted?: string[]]>([
  ['a grant type', { grant_types: ['authorization_code', 'client_credentials'] }, ['authorization_code']],
  [
    'a grant type of another standard',
    { grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token', 'authorization_code'] },
  ],
  ['an invalid grant type', { grant_types: ['authorization_code', 7, null, 'refresh_token', {}] }],
  ['a grant type twice', { grant_types: ['authorization_code', 'refresh_token', 'authorization_code'] }],
  ['a response type', { response_types: ['code', 'id_token', 'code token', null] }],
  ['a scope', { scope: 'svc:read mail:send openid' }],
  ['a scope that is not a text', { scope: ['svc:read'] }],
  ['an application type', { application_type: 'toaster' }],
  [
    'unknown members',
    { 'x-vendor': { deep: [1, { a: null }] }, require_pushed_authorization_requests: true },
  ],
  [
    'members of other flows',
    { post_logout_redirect_uris: [7], jwks: {}, software_statement: 'x', dpop_bound_access_tokens: true },
  ],
])(
  'a registration with %s that is not supported is answered with the supported rest',
  async (_what, metadata, granted = ['authorization_code', 'refresh_token']) => {
    const answer = await client.register(metadata);
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({
      client_id: expect.any(String),
      client_id_issued_at: expect.any(Number),
      client_name: 'Test',
      redirect_uris: [redirectUri],
      grant_types: granted,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
  },
);

test('a registration needs only one redirect URI', async () => {
  const answer = await fetch(`${running.origin}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ redirect_uris: ['https://client.example/callback?x=1'] }),
  });
  expect(await answer.json()).toEqual({
    client_id: expect.any(String),
    client_id_issued_at: expect.any(Number),
    redirect_uris: ['https://client.example/callback?x=1'],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  });
});

test('the scope of a registration does not limit later requests', async () => {
  const clientId = await client.registered({ scope: 'svc:read' });
  const code = await client.code(clientId, { scope: 'svc:read svc:write svc:upload' });
  const tokens = (await (await client.redeem(code)).json()) as { scope: string };
  expect(tokens.scope).toBe('svc:read svc:write svc:upload');
});

test.each([
  'https://client.example/callback',
  'https://client.example:8443/a?b=c',
  'http://localhost:33418/callback',
  'http://127.0.0.1/',
  'http://127.0.0.1:1/x',
  'http://[::1]:9000/callback',
  'http://localhost',
])('the redirect URI %s is accepted exactly as registered', async (uri) => {
  const clientId = await client.registered({ redirect_uris: [uri] });
  const start = await client.authorize(clientId, { redirect_uri: uri });
  expect(start.headers.get('location')).toMatch(/^\/interaction\//);
  for (const other of [`${uri}x`, uri.replace(/^http:/, 'https:').replace(/^https:/, 'HTTPS:')]) {
    expect((await client.authorize(clientId, { redirect_uri: other })).status).toBe(400);
  }
});
