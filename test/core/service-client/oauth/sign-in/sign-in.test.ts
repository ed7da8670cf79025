import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  createAccess,
  createMemoryGrants,
  signOut,
  type RegisteredClient,
} from '#core/service-client/index.ts';
import { systemClock as clock } from '#core/platform/clock.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { startBackend, type RunningBackend } from '#test/core/backend/open-backend.ts';
import { AppError } from '#shared/errors/index.ts';
import { createTestClient } from '#test/core/oauth-server/test-client.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { answerRequest } from '#test/servers/person.ts';
import {
  cut,
  json,
  silence,
  startAuthorizationService,
  tokens,
  tokensOf,
  type Answering,
  type AuthorizationService,
} from '../authorization-service.ts';
import { beginSignIn, callbackOf, visit, type BegunSignIn } from './begin-sign-in.ts';
import { resourcePath, serverPath } from '../discovery/document-service.ts';
import { failureOf } from '../../failure-of.ts';

const redirectOf = (address: string): string => new URL(address).searchParams.get('redirect_uri') ?? '';

async function expectClosed(address: string): Promise<void> {
  await expect(fetch(redirectOf(address))).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
}

/** Completes the sign-in with these parameters in the callback, and returns its end and the page that the person sees. */
async function comeBack(begun: BegunSignIn, changes: Record<string, string | null> = {}) {
  const address = await begun.address();
  const seen = visit(callbackOf(address, changes));
  const failure = await failureOf(begun.ended);
  await expectClosed(address);
  return { code: failure.code, message: failure.message, page: (await seen).title };
}

describe('at the embedded service, through its real pages', () => {
  let service: RunningBackend;
  let mcpUrl: string;
  beforeAll(async () => {
    service = await startBackend();
    mcpUrl = `http://127.0.0.1:${service.port}`;
  });
  afterAll(() => service.dispose());
  const buyer = () => ({
    login: service.credentials.accounts.buyer.login,
    password: service.credentials.password,
  });

  test('a person signs in, the token opens the tools, a refresh rotates it, and signing out ends it', async () => {
    const begun = beginSignIn(mcpUrl, { scopes: ['svc:write'] });
    const address = await begun.address();
    const page = await visit(await answerRequest(address, buyer()));
    const grant = await begun.ended;
    expect([page.status, page.title]).toEqual([200, 'You are signed in']);
    expect(grant).toMatchObject({
      issuer: mcpUrl,
      resource: `${mcpUrl}/mcp`,
      scopes: ['svc:read', 'svc:write'],
    });
    expect(begun.store.load()).toEqual({ kind: 'held', grant });
    expect(begun.progress.map(({ kind }) => kind)).toEqual(['waiting', 'opened', 'finishing']);
    await expectClosed(address);

    const access = createAccess({ mcpUrl, store: begun.store, clock, logger, timeoutMs: 20_000 });
    const [renewed = '', ...others] = await Promise.all(
      Array.from({ length: 20 }, () => access.renew(grant.accessToken)),
    );
    expect([renewed === grant.accessToken, new Set(others)]).toEqual([false, new Set([renewed])]);
    expect(await access.token()).toBe(renewed);
    const held = begun.store.load();
    const refreshToken = (held.kind === 'held' && held.grant.refreshToken) || '';
    expect(await signOut({ mcpUrl, store: begun.store, timeoutMs: 20_000, logger })).toBe('revoked');
    expect([begun.store.load(), begun.store.client()]).toEqual([{ kind: 'none' }, null]);
    const { resource } = grant;
    const again = await createTestClient(mcpUrl).refresh(grant.clientId, refreshToken, { resource });
    expect(again.status).toBe(400);
  });

  test('a sign-in for more scopes revokes the sign-in that it replaces, and stays valid', async () => {
    const first = beginSignIn(mcpUrl);
    await visit(await answerRequest(await first.address(), buyer()));
    const replaced = await first.ended;
    const second = beginSignIn(mcpUrl, { store: first.store, scopes: ['svc:write'] });
    await visit(await answerRequest(await second.address(), buyer()));
    const grant = await second.ended;
    const statuses = [replaced, grant].map(async ({ accessToken }) => {
      const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
      return (await fetch(`${mcpUrl}/mcp`, { method: 'POST', headers, body: '{}' })).status;
    });
    expect(await Promise.all(statuses)).toEqual([401, 406]);
    const access = createAccess({ mcpUrl, store: first.store, clock, logger, timeoutMs: 20_000 });
    expect(await access.renew(grant.accessToken)).not.toBe(grant.accessToken);
  });
});

let service: AuthorizationService;
const begin = async (options?: Parameters<typeof beginSignIn>[1]): Promise<BegunSignIn> => {
  service = await startAuthorizationService();
  return beginSignIn(service.origin, options);
};
const paths = () => service.asked.map(({ method, path }) => `${method} ${path}`);

describe('the authorization request', () => {
  test('follows the contract exactly: public client, S256, state, resource, exact redirect', async () => {
    const begun = await begin({ scopes: ['svc:write', 'svc:read'] });
    const address = new URL(await begun.address());
    const asked = Object.fromEntries(address.searchParams);
    const redirectUri = asked['redirect_uri'] ?? '';
    expect(address.origin + address.pathname).toBe(`${service.origin}/authorize`);
    expect(redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(asked).toEqual({
      response_type: 'code',
      client_id: 'client-1',
      redirect_uri: redirectUri,
      scope: 'svc:read svc:write',
      resource: `${service.origin}/mcp`,
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge_method: 'S256',
    });

    await visit(callbackOf(address.href));
    await begun.ended;
    const [registration] = service.askedAt('/register');
    expect(JSON.parse(registration?.body ?? '')).toEqual({
      client_name: 'Countersign',
      application_type: 'native',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
    const [exchange] = service.askedAt('/token');
    const form = Object.fromEntries(exchange?.form ?? []);
    const verifier = form['code_verifier'] ?? '';
    expect(form).toEqual({
      grant_type: 'authorization_code',
      client_id: 'client-1',
      code: 'code-secret',
      redirect_uri: redirectUri,
      code_verifier: verifier,
      resource: `${service.origin}/mcp`,
    });
    expect(createHash('sha256').update(verifier).digest('base64url')).toBe(asked['code_challenge']);
    expect([exchange?.headers.authorization, exchange?.headers.cookie]).toEqual([undefined, undefined]);
    expect(paths()).toEqual([
      'POST /mcp',
      `GET ${resourcePath}`,
      `GET ${serverPath}`,
      'POST /register',
      'POST /token',
    ]);
  });

  test('adds scopes that the resource requires, except scopes that only the person may add', async () => {
    const begun = await begin({ scopes: ['svc:upload'] });
    const scope = 'svc:write own:scope offline_access svc:upload';
    service.answer('/mcp', json(401, {}, { 'www-authenticate': `Bearer scope="${scope}"` }));
    const address = new URL(await begun.address());
    expect(address.searchParams.get('scope')).toBe('svc:read svc:upload own:scope');
  });

  test('keeps the query of the authorization endpoint, and replaces parameters that belong to the client', async () => {
    service = await startAuthorizationService();
    service.server['authorization_endpoint'] =
      `${service.origin}/authorize?tenant=7&state=fixed&code_challenge_method=plain`;
    const address = new URL(await beginSignIn(service.origin).address());
    const { tenant, state, ...rest } = Object.fromEntries(address.searchParams);
    expect([tenant, state === 'fixed', rest['code_challenge_method']]).toEqual(['7', false, 'S256']);
    expect(address.searchParams.getAll('state')).toHaveLength(1);
  });

  test('is made after the listener is ready, and the sign-in continues if no browser opens', async () => {
    const statuses: number[] = [];
    const begun = await begin({
      async open(address) {
        statuses.push((await fetch(redirectOf(address))).status);
        throw new Error('There is no browser');
      },
    });
    const address = await begun.address();
    await expect.poll(() => begun.progress.at(-1)).toEqual({ kind: 'opened', opened: false });
    expect(statuses).toEqual([400]);
    await visit(callbackOf(address));
    expect((await begun.ended).accessToken).toBe('access-secret-2');
  });

  test.each(['code_challenge_methods_supported', 'response_types_supported'])(
    'is not made if the server does not support what is required: %s',
    async (field) => {
      service = await startAuthorizationService();
      service.server[field] = ['plain'];
      const begun = beginSignIn(service.origin);
      expect((await failureOf(begun.ended)).code).toBe('discovery_failed');
      expect([begun.opened, service.askedAt('/register')]).toEqual([[], []]);
    },
  );
});

describe('the registered client', () => {
  const finish = async (begun: BegunSignIn): Promise<RegisteredClient> => {
    const address = await begun.address();
    await visit(callbackOf(address));
    const { issuer, clientId } = await begun.ended;
    return { issuer, clientId, redirectUri: redirectOf(address) };
  };

  test('is stored with its redirect, and used again while its port is free', async () => {
    const first = await begin();
    const client = await finish(first);
    expect(first.store.client()).toEqual(client);
    expect(await finish(beginSignIn(service.origin, { store: first.store }))).toEqual(client);
    expect(service.askedAt('/register')).toHaveLength(1);
  });

  test('is replaced by a new registration if the port is taken', async () => {
    const first = await begin();
    const client = await finish(first);
    const squatter = createServer((socket) => void socket.destroy());
    onTestFinished(() => void squatter.close());
    await new Promise<void>((resolve) => {
      squatter.listen(Number(new URL(client.redirectUri).port), '127.0.0.1', resolve);
    });
    const other = await finish(beginSignIn(service.origin, { store: first.store }));
    expect(other.redirectUri).not.toBe(client.redirectUri);
    expect([other, other.clientId === client.clientId]).toEqual([first.store.client(), false]);
  });

  test.each([
    ['the issuer with a slash', (client: RegisteredClient) => ({ ...client, issuer: `${client.issuer}/` })],
    [
      'another host',
      (client: RegisteredClient) => ({ ...client, redirectUri: 'http://10.0.0.1:4000/callback' }),
    ],
    [
      'another path',
      (client: RegisteredClient) => ({ ...client, redirectUri: client.redirectUri.replace('callback', 'x') }),
    ],
    ['no address', (client: RegisteredClient) => ({ ...client, redirectUri: 'nonsense' })],
  ])('is replaced by a new registration if the stored client has %s', async (_what, change) => {
    const first = await begin();
    const client = await finish(first);
    first.store.saveClient(change(client));
    const other = await finish(beginSignIn(service.origin, { store: first.store }));
    expect(other.clientId).not.toBe(client.clientId);
    expect(service.askedAt('/register')).toHaveLength(2);
  });

  test('is registered again, once, if the server has forgotten it', async () => {
    const first = await begin();
    const client = await finish(first);
    service.answer('/token', (response, asked) => {
      const isOld = asked.form.get('client_id') === client.clientId;
      (isOld ? json(401, { error: 'invalid_client' }) : tokens())(response, asked);
    });
    const second = beginSignIn(service.origin, { store: first.store });
    await visit(callbackOf(await second.address()));
    const address = await second.address();
    await visit(callbackOf(address));
    const { clientId } = await second.ended;
    expect(second.store.client()).toMatchObject({ clientId, redirectUri: redirectOf(address) });
    expect([second.opened.length, service.askedAt('/register').length]).toEqual([2, 2]);
  });

  test('is registered again if the callback reports it as unknown', async () => {
    const first = await begin();
    await finish(first);
    const second = beginSignIn(service.origin, { store: first.store });
    await visit(callbackOf(await second.address(), { code: null, error: 'unauthorized_client' }));
    await visit(callbackOf(await second.address()));
    await second.ended;
    expect(service.askedAt('/register')).toHaveLength(2);
  });

  test('is not registered a third time', async () => {
    const first = await begin();
    await finish(first);
    service.answer('/token', json(401, { error: 'invalid_client' }));
    const second = beginSignIn(service.origin, { store: first.store });
    await visit(callbackOf(await second.address()));
    expect((await comeBack(second)).code).toBe('token_refused');
    expect(service.askedAt('/register')).toHaveLength(2);
  });

  test('is removed after a sign-in without a callback, because a server reports an unknown client only in the browser', async () => {
    const first = await begin();
    await finish(first);
    const second = beginSignIn(service.origin, { store: first.store });
    await second.address();
    second.cancel();
    await failureOf(second.ended);
    expect(first.store.client()).toBeNull();
  });

  test('may have null for optional members of the registration', async () => {
    service = await startAuthorizationService();
    const left = { token_endpoint_auth_method: null, redirect_uris: null, client_secret: null };
    service.answer('/register', json(201, { client_id: 'a', ...left }));
    expect((await finish(beginSignIn(service.origin))).clientId).toBe('a');
  });

  test.each<[string, Answering, string]>([
    [
      'refuses',
      json(403, { error: 'access_denied', error_description: 'closed' }),
      'The service says: “closed”',
    ],
    ['refuses without a word', json(400, 'no'), 'The service did not register Countersign.'],
    ['gives no client_id', json(201, {}), 'client_id'],
    ['gives a number', json(201, { client_id: 7 }), 'client_id'],
    ['gives an empty client_id', json(201, { client_id: '' }), 'client_id'],
    ['gives a client_id with a line end', json(201, { client_id: 'a\nb' }), 'client_id'],
    [
      'makes it confidential',
      json(201, { client_id: 'a', token_endpoint_auth_method: 'client_secret_basic' }),
      'token_endpoint_auth_method',
    ],
    [
      'registers another redirect',
      json(201, { client_id: 'a', redirect_uris: ['http://evil.example/'] }),
      'redirect_uris',
    ],
    ['says client_id twice', json(201, '{"client_id":"a","client_id":"b"}'), 'strict JSON'],
    ['answers with a page', json(201, '<html>'), 'strict JSON'],
  ])('does not exist if the server %s', async (_what, answering, words) => {
    service = await startAuthorizationService();
    service.answer('/register', answering);
    const begun = beginSignIn(service.origin);
    const failure = await failureOf(begun.ended);
    expect(failure.code).toBe('registration_failed');
    expect(failure.message).toContain(words);
    expect([begun.opened, begun.store.client()]).toEqual([[], null]);
  });

  test('does not exist if the server offers no registration', async () => {
    service = await startAuthorizationService();
    delete service.server['registration_endpoint'];
    expect((await failureOf(beginSignIn(service.origin).ended)).code).toBe('registration_failed');
  });
});

describe('a grant that is replaced by a new grant', () => {
  /** Signs in twice, and runs a step before each. Returns the grant of the second sign-in and the tokens to revoke. */
  async function signInTwice(
    prepare = (): void => undefined,
    prepareFirst = (): void => undefined,
    requestTimeoutMs = 20_000,
  ) {
    service = await startAuthorizationService();
    prepareFirst();
    const first = beginSignIn(service.origin);
    await visit(callbackOf(await first.address()));
    await first.ended;
    prepare();
    const second = beginSignIn(service.origin, { store: first.store, requestTimeoutMs });
    await visit(callbackOf(await second.address()));
    const grant = await second.ended;
    expect(first.store.load()).toEqual({ kind: 'held', grant });
    return { grant, revoked: service.askedAt('/revoke').map(({ form }) => Object.fromEntries(form)) };
  }

  test('is revoked only after the new grant is stored', async () => {
    const { revoked } = await signInTwice();
    expect(revoked).toEqual([
      { token: 'refresh-secret-2', token_type_hint: 'refresh_token', client_id: 'client-1' },
    ]);
  });

  test('is revoked by its access token if it has no refresh token', async () => {
    const { revoked } = await signInTwice(
      () => service.answer('/token', tokens()),
      () => service.answer('/token', json(200, { ...tokensOf('only'), refresh_token: undefined })),
    );
    expect(revoked).toEqual([
      { token: 'access-secret-only', token_type_hint: 'access_token', client_id: 'client-1' },
    ]);
  });

  test('is not revoked if the server issued the same tokens again', async () => {
    const { revoked } = await signInTwice(undefined, () => service.answer('/token', tokens()));
    expect(revoked).toEqual([]);
  });

  test('stays if the account of the new grant is refused, and the new grant is revoked', async () => {
    service = await startAuthorizationService();
    const first = beginSignIn(service.origin, { identify: async () => '77' });
    await visit(callbackOf(await first.address()));
    const grant = await first.ended;
    expect(grant.account).toBe('77');
    const identify = () => Promise.reject(new AppError('account_changed'));
    const second = beginSignIn(service.origin, { store: first.store, identify });
    const seen = await visit(callbackOf(await second.address()));
    expect((await failureOf(second.ended)).code).toBe('account_changed');
    expect([seen.title, first.store.load()]).toEqual(['The sign-in did not work', { kind: 'held', grant }]);
    expect(service.askedAt('/revoke').map(({ form }) => form.get('token'))).toEqual(['refresh-secret-3']);
  });

  test.each<[string, Answering, number?]>([
    ['fails', json(500, {})],
    ['refuses', json(400, { error: 'invalid_token' })],
    ['redirects', json(307, {}, { location: '/token' })],
    ['cuts the connection', cut],
    ['never answers', silence, 3_000],
  ])('does not affect the new grant if the server %s', async (_what, answering, requestTimeoutMs) => {
    const prepare = () => service.answer('/revoke', answering);
    const { grant, revoked } = await signInTwice(prepare, undefined, requestTimeoutMs);
    expect([grant.accessToken, revoked.length]).toEqual(['access-secret-3', 1]);
  });

  test('does not affect the new grant if the server offers no revocation', async () => {
    expect((await signInTwice(() => delete service.server['revocation_endpoint'])).revoked).toEqual([]);
  });
});

describe('an answer that does not belong to the request is not used', () => {
  test.each<[string, (issuer: string) => Record<string, string | null>]>([
    ['of another issuer', () => ({ iss: 'https://evil.example' })],
    ['of the issuer with a slash', (issuer) => ({ iss: `${issuer}/` })],
    ['of the issuer in capitals', (issuer) => ({ iss: issuer.replace('http', 'HTTP') })],
    ['of an empty issuer', () => ({ iss: '' })],
    ['with a token in the address', () => ({ token: 'x' })],
    ['with an id_token in the address', () => ({ id_token: 'x' })],
    ['packed in a JWT', () => ({ response: 'x' })],
  ])('%s', async (_what, changes) => {
    const begun = await begin();
    const ended = await comeBack(begun, changes(service.origin));
    expect([ended.code, ended.page]).toEqual(['sign_in_mismatch', 'The sign-in did not work']);
    expect([service.askedAt('/token'), begun.store.load()]).toEqual([[], { kind: 'none' }]);
  });

  test('without iss, although the server announces it', async () => {
    service = await startAuthorizationService();
    service.server['authorization_response_iss_parameter_supported'] = true;
    expect((await comeBack(beginSignIn(service.origin))).code).toBe('sign_in_mismatch');
    const begun = beginSignIn(service.origin);
    await visit(callbackOf(await begun.address(), { iss: service.origin }));
    expect((await begun.ended).issuer).toBe(service.origin);
  });

  test('requests with a wrong state do not end the wait, and their code is never exchanged', async () => {
    const begun = await begin();
    const address = await begun.address();
    for (const changes of [
      { state: 'guessed' },
      { state: null },
      { state: null, code: null, error: 'access_denied' },
    ]) {
      expect((await visit(callbackOf(address, { code: 'planted', ...changes }))).title).toBe(
        'This page has expired',
      );
    }
    await visit(callbackOf(address));
    await begun.ended;
    expect(service.askedAt('/token').map(({ form }) => form.get('code'))).toEqual(['code-secret']);
  });

  test('a code that arrives twice is exchanged once', async () => {
    const begun = await begin();
    const release = Promise.withResolvers<void>();
    service.answer('/token', (response, asked) => void release.promise.then(() => tokens()(response, asked)));
    const url = callbackOf(await begun.address());
    const first = visit(url);
    await expect.poll(() => service.askedAt('/token').length).toBe(1);
    expect((await visit(url)).title).toBe('This page has expired');
    release.resolve();
    await begun.ended;
    expect([(await first).title, service.askedAt('/token').length]).toEqual(['You are signed in', 1]);
  });
});

test('a refusal quotes the server’s words', async () => {
  const begun = await begin();
  const ended = await comeBack(begun, {
    code: null,
    error: 'access_denied',
    error_description: 'no\u202e" <b>',
  });
  expect(ended).toEqual({
    code: 'sign_in_refused',
    message: "The service did not grant the sign-in. The service says: “no⟨U+202E⟩' <b>”".replace("'", '"'),
    page: 'The sign-in was not granted',
  });
});

const good = { access_token: 'access-secret', token_type: 'Bearer' };

describe('the answer of the token endpoint', () => {
  test.each<[string, Answering, string, string]>([
    ['no access token', json(200, { token_type: 'Bearer' }), 'token_refused', 'access_token'],
    ['an empty access token', json(200, { ...good, access_token: '' }), 'token_refused', 'access_token'],
    ['a number', json(200, { ...good, access_token: 7 }), 'token_refused', 'access_token'],
    [
      'a token with a line end',
      json(200, { ...good, access_token: 'secret\r\nx: y' }),
      'token_refused',
      'access_token',
    ],
    [
      'a token with a space',
      json(200, { ...good, access_token: 'secret x' }),
      'token_refused',
      'access_token',
    ],
    [
      'a token that is not ASCII',
      json(200, { ...good, access_token: 'secret€' }),
      'token_refused',
      'access_token',
    ],
    [
      'a token of 9000 characters',
      json(200, { ...good, access_token: 'secret'.repeat(1500) }),
      'token_refused',
      'access_token',
    ],
    ['no token type', json(200, { access_token: 'secret' }), 'token_refused', 'token_type'],
    ['DPoP', json(200, { ...good, token_type: 'DPoP' }), 'token_refused', 'token_type'],
    ['a negative lifetime', json(200, { ...good, expires_in: -1 }), 'token_refused', 'expires_in'],
    ['a lifetime in words', json(200, { ...good, expires_in: 'soon' }), 'token_refused', 'expires_in'],
    ['an empty refresh token', json(200, { ...good, refresh_token: '' }), 'token_refused', 'refresh_token'],
    [
      'a refresh token with a control',
      json(200, { ...good, refresh_token: 'secret\u0000' }),
      'token_refused',
      'refresh_token',
    ],
    [
      'a refresh token that is a number',
      json(200, { ...good, refresh_token: 7 }),
      'token_refused',
      'refresh_token',
    ],
    ['scopes as a list', json(200, { ...good, scope: ['svc:read'] }), 'token_refused', 'scope'],
    ['scopes with a quotation mark', json(200, { ...good, scope: 'svc:"read' }), 'token_refused', 'scope'],
    [
      'two access tokens',
      json(200, '{"access_token":"secret","access_token":"b","token_type":"bearer"}'),
      'token_refused',
      'strict JSON',
    ],
    ['a list', json(200, [good]), 'token_refused', 'object'],
    ['null', json(200, 'null'), 'token_refused', 'object'],
    ['nothing', json(200, ''), 'token_refused', 'strict JSON'],
    ['a page', json(200, '<html>secret'), 'token_refused', 'strict JSON'],
    [
      'a megabyte and more',
      json(200, { ...good, x: 'x'.repeat(1024 * 1024) }),
      'token_refused',
      'strict JSON',
    ],
    ['status 201', json(201, good), 'token_refused', '201'],
    [
      'invalid_grant',
      json(400, { error: 'invalid_grant', error_description: 'too late' }),
      'token_refused',
      '“too late”',
    ],
    [
      'invalid_client, for a client that is new',
      json(401, { error: 'invalid_client' }),
      'token_refused',
      '“invalid_client”',
    ],
    ['a refusal without words', json(403, 'no'), 'token_refused', 'The service returned no usable tokens.'],
    ['421', json(421, {}), 'wrong_host', ''],
    ['429', json(429, {}), 'rate_limited', ''],
    ['500', json(500, {}), 'service_failed', ''],
    ['503', json(503, {}), 'service_unavailable', ''],
    ['a cut connection', cut, 'service_unreachable', ''],
    ['a redirect to itself', json(307, {}, { location: '/token' }), 'address_refused', ''],
    ['a redirect elsewhere', json(302, {}, { location: 'https://evil.example/' }), 'address_refused', ''],
  ])('%s: no grant', async (_what, answering, code, words) => {
    const begun = await begin();
    service.answer('/token', answering);
    const ended = await comeBack(begun);
    expect([ended.code, ended.page]).toEqual([code, 'The sign-in did not work']);
    expect(ended.message).toContain(words);
    expect(ended.message).not.toMatch(/secret/);
    expect([service.askedAt('/token').length, begun.store.load()]).toEqual([1, { kind: 'none' }]);
  });

  const grantFor = async (answer: Record<string, unknown>, scopes: string[] = []) => {
    const begun = await begin({ scopes, clock: createManualClock(1_000) });
    service.answer('/token', json(200, { ...good, ...answer }));
    await visit(callbackOf(await begun.address()));
    return begun.ended;
  };

  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['no scope: as asked', {}, { scopes: ['svc:read', 'svc:write'] }],
    ['fewer scopes', { scope: 'svc:read' }, { scopes: ['svc:read'] }],
    ['scopes twice, with odd spaces', { scope: ' svc:read  svc:read ' }, { scopes: ['svc:read'] }],
    ['no refresh token', {}, { refreshToken: null }],
    ['no lifetime', {}, { expiresAtMs: null }],
    ['a lifetime', { expires_in: 600 }, { expiresAtMs: 601_000 }],
    ['a lifetime as a text of digits', { expires_in: '600' }, { expiresAtMs: 601_000 }],
    ['a lifetime of ages', { expires_in: 1e12 }, { expiresAtMs: null }],
    ['bearer in small letters', { token_type: 'bearer' }, { accessToken: 'access-secret' }],
    ['an id_token that is nonsense', { id_token: 'nonsense' }, { accessToken: 'access-secret' }],
    ['no scope, as null', { scope: null }, { scopes: ['svc:read', 'svc:write'] }],
    ['no refresh token, as null', { refresh_token: null }, { refreshToken: null }],
    ['no lifetime, as null', { expires_in: null }, { expiresAtMs: null }],
    ['unknown members', { x: { y: 1 } }, { accessToken: 'access-secret' }],
  ])('%s: accepted', async (_what, answer, expected) => {
    expect(await grantFor(answer, ['svc:write'])).toMatchObject({ ...expected, signedInAtMs: 1_000 });
  });

  test.each<[string, string, string[]]>([
    ['an additional scope in the answer', 'svc:read svc:write svc:upload', ['svc:read', 'svc:write']],
    [
      'every scope in the answer',
      'offline_access svc:upload svc:write svc:read x',
      ['svc:write', 'svc:read'],
    ],
    ['only other scopes in the answer', 'svc:upload', []],
  ])('%s: the grant contains no scope that was not requested', async (_what, scope, expected) => {
    expect((await grantFor({ scope }, ['svc:write'])).scopes).toEqual(expected);
  });
});

describe('a sign-in ends at any stage', () => {
  const stages = [resourcePath, serverPath, '/register', '/token'];

  test.each(stages)('when it is cancelled during the request to %s', async (path) => {
    service = await startAuthorizationService();
    service.answer(path, silence);
    const begun = beginSignIn(service.origin);
    const address = path === '/token' ? await begun.address() : null;
    const seen = address === null ? null : visit(callbackOf(address));
    await expect.poll(() => service.askedAt(path).length).toBe(1);
    begun.cancel();
    expect((await failureOf(begun.ended)).code).toBe('sign_in_cancelled');
    expect(begun.store.load()).toEqual({ kind: 'none' });
    expect((await seen)?.title).toBe(address === null ? undefined : 'The sign-in did not work');
    if (address !== null) await expectClosed(address);
  });

  test('when it is cancelled while it waits for the browser', async () => {
    const begun = await begin();
    const address = await begun.address();
    begun.cancel();
    expect((await failureOf(begun.ended)).code).toBe('sign_in_cancelled');
    await expectClosed(address);
  });

  test('when it is cancelled before it begins, without a request', async () => {
    service = await startAuthorizationService();
    const begun = beginSignIn(service.origin);
    begun.cancel();
    expect((await failureOf(begun.ended)).code).toBe('sign_in_cancelled');
    expect(service.askedAt('/register')).toEqual([]);
  });

  test('when its time is over, at the time that was shown with the address', async () => {
    const manual = createManualClock();
    const begun = await begin({ clock: manual, timeoutMs: 300_000 });
    const address = await begun.address();
    expect(begun.progress[0]).toEqual({ kind: 'waiting', address, endsAtMs: manual.nowMs() + 300_000 });
    manual.advance(299_999);
    expect((await fetch(redirectOf(address))).status).toBe(400);
    manual.advance(1);
    expect((await failureOf(begun.ended)).code).toBe('sign_in_timed_out');
    await expectClosed(address);
  });

  test.each(stages)('when %s does not answer in time', async (path) => {
    service = await startAuthorizationService();
    service.answer(path, silence);
    const begun = beginSignIn(service.origin, { requestTimeoutMs: path === '/token' ? 1_500 : 150 });
    if (path === '/token') void visit(callbackOf(await begun.address()));
    expect((await failureOf(begun.ended)).code).toBe('service_unreachable');
  });
});

test('no code, state, verifier or token is in a log, an error or a page', async () => {
  const lines: string[] = [];
  const noted = (facts: unknown, message: string) => void lines.push(JSON.stringify([facts, message]));
  const logger = { info: noted, warn: noted, error: noted, child: () => logger };
  const store = createMemoryGrants();
  const secrets = ['code-secret', 'access-secret', 'refresh-secret'];
  const answers = [
    tokens(),
    json(400, { error: 'x' }),
    repeatsAll,
    cut,
    json(200, { ...good, refresh_token: 'refresh-secret\n' }),
  ];
  service = await startAuthorizationService();
  for (const answering of answers) {
    service.answer('/token', answering);
    const begun = beginSignIn(service.origin, {
      store,
      logger,
      open: () => Promise.reject(new Error('none')),
    });
    const address = await begun.address();
    secrets.push(new URL(address).searchParams.get('state') ?? '');
    const page = await visit(callbackOf(address));
    const failure: unknown = await begun.ended.catch((reason: unknown) => reason);
    secrets.push(service.askedAt('/token').at(-1)?.form.get('code_verifier') ?? '');
    lines.push(page.html, failure instanceof Error ? inspectAll(failure) : '');
  }
  for (const secret of secrets) expect(lines.join('\n')).not.toContain(secret);
  expect(secrets.filter((secret) => secret === '')).toEqual([]);
});

const repeatsAll: Answering = (response, asked) => {
  const { form, body } = asked;
  const description = `${'x'.repeat(480)} ${body}`;
  json(400, { error: form.get('code'), error_description: description })(response, asked);
};

function inspectAll(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  return `${failure.stack} ${JSON.stringify(failure)} ${inspectAll(failure.cause)}`;
}
