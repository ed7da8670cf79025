import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMemberTokens } from '#core/backend/authentication.ts';
import { createIds } from '#core/platform/ids.ts';
import { createTestClient, redirectUri } from '#test/core/oauth-server/test-client.ts';
import { speak, statusOf } from '#test/core/platform/loopback/raw-socket.ts';
import { movableClock, startBackend, type RunningBackend } from '../open-backend.ts';
import { codeOf, signInAs } from './sign-in.ts';

const clock = movableClock();
const ids = createIds(() => clock.nowMs());
/** The key of the first service's member tokens. It lets tests sign tokens correctly that have every other fault. */
const secret = ids.secret();

let service: RunningBackend;
/** A second service with the tenant of the first, on another port. */
let twin: RunningBackend;
let otherTenant: RunningBackend;
/** Every credential that a caller may hold, by name. */
const held: Record<string, string> = {};
/** Parameters that accompany a code and a refresh token at the token endpoint. */
const besides = { clientId: '', verifier: '' };

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const claimsOf = (jwt: string) =>
  JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
function sign(claims: object, { key = secret, header = { alg: 'HS256', typ: 'JWT' } } = {}): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

beforeAll(async () => {
  let calls = 0;
  // The first secret that a service generates is the key of its member tokens.
  const knownFirst = { ...ids, secret: () => ((calls += 1) === 1 ? secret : ids.secret()) };
  const options = { clock, campaigns: 5, days: 3, allowDirectJwt: true };
  [service, twin, otherTenant] = await Promise.all([
    startBackend({ ...options, ids: knownFirst }),
    startBackend(options),
    startBackend({ ...options, tenant: 'meridian' }),
  ]);
  const { accounts } = service.credentials;
  const jwt = accounts.buyer.memberToken;
  const claims = claimsOf(jwt);
  const nowSeconds = Math.floor(clock.nowMs() / 1000);

  const expired = await signInAs(service);
  clock.move(11 * 60_000);
  const [living, revoked, elsewhere, abroad, offMenu, code] = [
    await signInAs(service),
    await signInAs(service),
    await signInAs(twin),
    await signInAs(otherTenant),
    await signInAs(service, 'withoutMenu'),
    await codeOf(service),
  ];
  const client = createTestClient(originOf(service));
  await client.revoke({ token: revoked.tokens.refresh_token ?? '', client_id: revoked.clientId });
  Object.assign(besides, { clientId: code.clientId, verifier: code.verifier });
  Object.assign(held, {
    'the member JWT': jwt,
    'a publisher’s JWT': accounts.publisher.memberToken,
    'the member JWT of an account without the menu': accounts.withoutMenu.memberToken,
    'a publisher key': accounts.publisher.publisherKeys[0]?.key,
    'an access token': living.tokens.access_token,
    'a refresh token': living.tokens.refresh_token,
    'a code': code.code,
    'an access token without the menu': offMenu.tokens.access_token,
    'an expired access token': expired.tokens.access_token,
    'a revoked access token': revoked.tokens.access_token,
    'an access token of another port': elsewhere.tokens.access_token,
    'an access token of another tenant': abroad.tokens.access_token,
    'a refresh token of another tenant': abroad.tokens.refresh_token,
    'a publisher key of another tenant': otherTenant.credentials.publisherKeys[0]?.key,
    'a member JWT of another port': twin.credentials.memberToken,
    'a member JWT of another tenant': otherTenant.credentials.memberToken,
    'a JWT with no algorithm': `${encode({ alg: 'none' })}.${encode(claims)}.`,
    'a JWT that chose another algorithm': sign(claims, { header: { alg: 'HS512', typ: 'JWT' } }),
    'a JWT under another key': sign(claims, { key: 'secret' }),
    'an expired JWT': sign({ ...claims, exp: nowSeconds - 1 }),
    'a JWT that names another tenant': sign({ ...claims, tenant: 'meridian' }),
    'a JWT of another issuer': sign({ ...claims, iss: originOf(twin) }),
    'a JWT for another audience': sign({ ...claims, aud: [`${originOf(twin)}/mcp`] }),
    'a JWT without an audience': sign({ ...claims, aud: [] }),
    'a password': service.credentials.password,
    noise: 'noise',
  });
  held['a refresh token’s client'] = living.clientId;
});
afterAll(() => Promise.all([service.dispose(), twin.dispose(), otherTenant.dispose()]));

function originOf({ port }: RunningBackend): string {
  return `http://127.0.0.1:${port}`;
}

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});
const mcpHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** The places of one endpoint at which a credential can be sent. */
type Places = Record<string, (credential: string) => Promise<Response>>;

const ask = (path: string, init: RequestInit = {}) => fetch(`${originOf(service)}${path}`, init);
const list = '/api/v1/login/campaigns/campaigns';
const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });

function report(query: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
  const [tid = 0] = service.credentials.accounts.publisher.publisherKeys[0]?.tids ?? [];
  const day = new Date(clock.nowMs()).toISOString().slice(0, 10);
  const asked = new URLSearchParams({ tid: String(tid), date_from: day, date_to: day, ...query });
  return ask(`/xml/stats?${asked.toString()}`, { headers });
}

function mcp(headers: Record<string, string>, { query = '', body = initialize } = {}): Promise<Response> {
  return ask(`/mcp${query}`, { method: 'POST', headers: { ...mcpHeaders, ...headers }, body });
}

function token(form: Record<string, string>, { query = '', headers = {} } = {}): Promise<Response> {
  return ask(`/token${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ client_id: held['a refresh token’s client'] ?? '', ...form }).toString(),
  });
}

const doors: Record<string, Places> = {
  'the member endpoints': {
    'the header': (credential) => ask(list, { headers: bearer(credential) }),
    'the query': (credential) => ask(`${list}?token=${credential}&access_token=${credential}`),
    'the body': (credential) =>
      ask('/api/v1/login/campaigns/update-status', {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ids: [1], status: 3, token: credential, access_token: credential }),
      }),
    'a cookie': (credential) =>
      ask(list, { headers: { cookie: `token=${credential}; session=${credential}` } }),
  },
  'the publisher reports': {
    'the header': (credential) => report({}, bearer(credential)),
    'the query': (credential) => report({ token: credential }),
    'another parameter': (credential) => report({ access_token: credential }),
    'another header': (credential) => report({}, { 'x-api-key': credential, token: credential }),
    'a cookie': (credential) => report({}, { cookie: `token=${credential}` }),
  },
  'the remote tools': {
    'the header': (credential) => mcp(bearer(credential)),
    'the query': (credential) => mcp({}, { query: `?access_token=${credential}&token=${credential}` }),
    'the body': (credential) =>
      mcp({ 'content-type': 'application/x-www-form-urlencoded' }, { body: `access_token=${credential}` }),
    'a cookie': (credential) => mcp({ cookie: `access_token=${credential}` }),
  },
  'the token endpoint': {
    'the header': (credential) => token({ grant_type: 'refresh_token' }, { headers: bearer(credential) }),
    'the query': (credential) =>
      token({ grant_type: 'refresh_token' }, { query: `?refresh_token=${credential}` }),
    'the refresh_token field': (credential) =>
      token({ grant_type: 'refresh_token', refresh_token: credential }),
    'the code field': (credential) =>
      token({
        grant_type: 'authorization_code',
        client_id: besides.clientId,
        code: credential,
        code_verifier: besides.verifier,
        redirect_uri: redirectUri,
        resource: `${originOf(service)}/mcp`,
      }),
  },
};

/** For each valid credential, the one place at which it is accepted. Every other combination is refused. */
const opens = new Set([
  'the member JWT at the member endpoints in the header',
  'the member JWT of an account without the menu at the member endpoints in the header',
  'the member JWT at the remote tools in the header',
  'a publisher key at the publisher reports in the query',
  'an access token at the remote tools in the header',
  'a refresh token at the token endpoint in the refresh_token field',
  'a code at the token endpoint in the code field',
]);

/** Recognized credentials that lack permission because of their role or menu. */
const forbidden: Record<string, string> = {
  'a publisher’s JWT at the member endpoints in the header': 'forbidden',
  'a publisher’s JWT at the remote tools in the header': 'forbidden',
  'the member JWT of an account without the menu at the remote tools in the header': 'menu_denied',
  'an access token without the menu at the remote tools in the header': 'menu_denied',
};

describe('a credential is accepted only at its own endpoint and in its own header:', () => {
  const cells = Object.entries(doors).flatMap(([kind, places]) =>
    Object.entries(places).map(([place, send]) => [kind, place, send] as const),
  );
  test.each(cells)('%s, in %s', async (kind, place, send) => {
    for (const [name, credential] of Object.entries(held)) {
      const cell = `${name} at ${kind} in ${place}`;
      const answer = await send(credential);
      const text = await answer.text();
      const reason = forbidden[cell];
      if (opens.has(cell)) expect([cell, answer.status]).toEqual([cell, 200]);
      else if (reason === undefined) expect([cell, [400, 401].includes(answer.status)]).toEqual([cell, true]);
      else expect([cell, answer.status, text.includes(`"${reason}"`)]).toEqual([cell, 403, true]);
      if (answer.status !== 200) expect(text).not.toContain(credential.length > 8 ? credential : '\0');
    }
  });

  test('a wrong credential at the remote tools is referred to OAuth', async () => {
    for (const name of ['a publisher key', 'a refresh token', 'a code', 'an expired JWT', 'noise']) {
      const answer = await mcp(bearer(held[name] ?? ''));
      expect([name, answer.status]).toEqual([name, 401]);
      expect(answer.headers.get('www-authenticate')).toMatch(
        /^Bearer error="invalid_token".*resource_metadata="http/,
      );
      expect(await answer.text()).toContain('token_invalid');
    }
  });

  test('two Authorization headers are refused, even if both are valid', async () => {
    const line = `Authorization: Bearer ${held['an access token']}\r\n`;
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${service.port}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n`;
    const one = await speak(
      service.port,
      `${head}${line}Content-Length: ${initialize.length}\r\nConnection: close\r\n\r\n${initialize}`,
    );
    const two = await speak(
      service.port,
      `${head}${line}${line}Content-Length: ${initialize.length}\r\nConnection: close\r\n\r\n${initialize}`,
    );
    expect([statusOf(one), statusOf(two)]).toEqual([200, 401]);
  });
});

describe('a member token at the remote tools', () => {
  test('is refused unless this was switched on', async () => {
    const careful = await startBackend({ campaigns: 5, days: 3 });
    const answer = await fetch(`${originOf(careful)}/mcp`, {
      method: 'POST',
      headers: { ...mcpHeaders, ...bearer(careful.credentials.memberToken) },
      body: initialize,
    });
    expect([answer.status, await answer.text()]).toEqual([401, expect.stringContaining('token_invalid')]);
    expect((await careful.send('GET', '/login/campaigns/campaigns')).status).toBe(200);
    await careful.dispose();
  });

  test('of a missing account is refused', async () => {
    const ghost = sign({ ...claimsOf(held['the member JWT'] ?? ''), sub: '1' });
    expect((await mcp(bearer(ghost))).status).toBe(401);
  });

  test('can read, write and upload, but has no tasks', async () => {
    const opened = await mcp(bearer(held['the member JWT'] ?? ''));
    await opened.text();
    const session = {
      'mcp-session-id': opened.headers.get('mcp-session-id') ?? '',
      'mcp-protocol-version': '2025-11-25',
    };
    const call = {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'svc_whoami', arguments: {} },
    };
    const answer = await mcp(
      { ...bearer(held['the member JWT'] ?? ''), ...session },
      { body: JSON.stringify(call) },
    );
    const text = await answer.text();
    expect(text).toContain('"scopes":["svc:read","svc:upload","svc:write"]');
    // A second sign-in is a principal of its own, which does not own the session.
    const stranger = await mcp(
      { ...bearer(held['an access token'] ?? ''), ...session },
      { body: JSON.stringify(call) },
    );
    expect([stranger.status, await stranger.text()]).toEqual([
      404,
      expect.stringContaining('session_unknown'),
    ]);
  });
});

describe('a member token', () => {
  const origin = 'http://127.0.0.1:4000';
  const tokensAt = (address: string) => {
    const tokens = createMemberTokens({ secret, clock });
    tokens.bindTo(address);
    return tokens;
  };
  const claims = { uid: 7, tenant: 'northwind', role: 'member' };

  test('names its issuer and its two endpoints', () => {
    const token = tokensAt(origin).issue(claims);
    expect(claimsOf(token)).toMatchObject({
      iss: origin,
      aud: [`${origin}/api/v1`, `${origin}/mcp`],
      sub: '7',
    });
    expect(tokensAt(origin).verify(token, 'member')).toEqual(claims);
    expect(tokensAt(origin).verify(token, 'remote')).toEqual(claims);
  });

  test('is accepted only at the endpoints that it names', () => {
    const tokens = tokensAt(origin);
    const forOne = sign({ ...claimsOf(tokens.issue(claims)), aud: [`${origin}/api/v1`] });
    // Each kind is tried twice, because the service remembers what it has verified.
    for (const kind of ['member', 'remote', 'member', 'remote'] as const) {
      expect([kind, tokens.verify(forOne, kind)]).toEqual([kind, kind === 'member' ? claims : null]);
    }
  });

  test('is refused at another address, whatever key signed it', () => {
    const token = tokensAt(origin).issue(claims);
    expect(tokensAt('http://127.0.0.1:4001').verify(token, 'member')).toBeNull();
  });

  test('cannot be issued before the service has an address', () => {
    expect(() => createMemberTokens({ secret, clock }).issue(claims)).toThrow('does not listen yet');
  });
});
