import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseParameters } from '#core/oauth-server/http.ts';
import { createMemoryRows, type OAuthRows } from '#core/store/oauth-rows.ts';
import { credentials } from '#test/fixtures/credentials.ts';
import { badAddresses, cursorUris } from './addresses.ts';
import { openServer, type RunningServer } from './open-server.ts';
import {
  challengeOf,
  createTestClient,
  encode,
  redirectUri,
  type Changes,
  type Code,
  type TestClient,
  type Tokens,
} from './test-client.ts';

interface Row {
  name: string;
  send: () => Promise<Response>;
  status?: number;
  error: string;
}

let running: RunningServer;
let client: TestClient;
let clientId: string;
let otherId: string;
/** A client that registered only the grant type for codes. */
let plainId: string;

beforeAll(async () => {
  running = await openServer({ registration: { kind: 'open', maxClients: 500 } });
  client = createTestClient(running.origin);
  clientId = await client.registered();
  otherId = await client.registered();
  plainId = await client.registered({ grant_types: ['authorization_code'] });
});
afterAll(() => running.dispose());

/** Checks which headers an answer must have and must not have. */
function expectPlainHeaders({ headers }: Response): void {
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toBe('no-store');
  const names = [...headers.keys()].filter((name) =>
    /^(access-control-|server$|x-powered-by|vary$)/.test(name),
  );
  expect(names).toEqual([]);
}

/** The characters that a description may have (RFC 6749 §5.2). */
const descriptionForm = /^[ !#-[\]-~]+$/;

function expectPlainText(text: string): void {
  expect(text).not.toMatch(/oidc|koa|node_modules|\bat \/|Error:/i);
}

async function expectJsonRefusal(answer: Response, { status = 400, error }: Row): Promise<void> {
  const text = await answer.text();
  expect([answer.status, text]).toEqual([status, expect.stringContaining(`"error":"${error}"`)]);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(JSON.parse(text)).toEqual({ error, error_description: expect.stringMatching(descriptionForm) });
  expect(answer.headers.get('location')).toBeNull();
  expectPlainHeaders(answer);
  expectPlainText(text);
}

const authorize = (changes: Changes, id = clientId) => client.authorize(id, changes);
const authorizeRaw = (query: string) => fetch(`${running.origin}/authorize?${query}`, { redirect: 'manual' });
const goodQuery = (changes: Changes = {}) =>
  encode({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: challengeOf('v'.repeat(43)),
    code_challenge_method: 'S256',
    resource: running.resource,
    state: 'a state',
    ...changes,
  });

describe('an authorization request without a trusted address is refused without a redirect:', () => {
  const rows: Row[] = [
    { name: 'no client', send: () => authorize({ client_id: null }), error: 'invalid_request' },
    { name: 'an empty client', send: () => authorize({ client_id: '' }), error: 'invalid_request' },
    { name: 'an unknown client', send: () => authorize({ client_id: 'nobody' }), error: 'invalid_client' },
    {
      name: 'a very long client',
      send: () => authorize({ client_id: 'c'.repeat(4000) }),
      error: 'invalid_client',
    },
    {
      name: 'a client that is the address of a document',
      send: () => authorize({ client_id: 'https://client.example/metadata' }),
      error: 'invalid_client',
    },
    {
      name: 'a client that came twice',
      send: () => authorizeRaw(`${goodQuery()}&client_id=${otherId}`),
      error: 'invalid_request',
    },
    { name: 'no redirect URI', send: () => authorize({ redirect_uri: null }), error: 'invalid_request' },
    {
      name: 'a redirect URI that came twice',
      send: () => authorizeRaw(`${goodQuery()}&${encode({ redirect_uri: redirectUri })}`),
      error: 'invalid_request',
    },
    ...[
      'https://evil.example/callback',
      'http://127.0.0.1:10/callback',
      'http://localhost:9/callback',
      'http://127.0.0.1:9/callback/',
      'http://127.0.0.1:9/callback?x=1',
      'http://127.0.0.1:9/Callback',
      'http://127.0.0.1:9/callback#part',
      'http://user@127.0.0.1:9/callback',
      'http://127.0.0.1:9/x/../callback',
      'http://127.0.0.1:9@evil.example/callback',
      'javascript:alert(1)',
    ].map((uri) => ({
      name: `the redirect URI ${uri}`,
      send: () => authorize({ redirect_uri: uri }),
      error: 'invalid_redirect_uri',
    })),
    {
      name: 'text that is not UTF-8',
      send: () => authorizeRaw(`${goodQuery()}&x=%ff`),
      error: 'invalid_request',
    },
    {
      name: 'a hundred parameters',
      send: () => authorizeRaw(`${goodQuery()}${'&x=1'.repeat(100)}`),
      error: 'invalid_request',
    },
    {
      name: 'a form of another type',
      send: () =>
        fetch(`${running.origin}/authorize`, {
          method: 'POST',
          body: goodQuery(),
          headers: { 'content-type': 'text/plain' },
        }),
      error: 'invalid_request',
    },
  ];

  test.each(rows)('$name', async (row) => {
    await expectJsonRefusal(await row.send(), row);
  });

  test('and a browser gets a plain page that cannot be framed and runs nothing', async () => {
    const answer = await client.authorize(
      clientId,
      { redirect_uri: 'https://evil.example/<script>' },
      { accept: 'text/html' },
    );
    const page = await answer.text();
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const [, style = ''] = /<style>([^]*?)<\/style>/.exec(page) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(answer.headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
    );
    expect(page).toContain('not registered');
    expect(page).not.toContain('evil');
    expectPlainHeaders(answer);
    expectPlainText(page);
  });
});

describe('an invalid authorization request is redirected to its client with its state:', () => {
  const rows: Row[] = [
    {
      name: 'no response type',
      send: () => authorize({ response_type: null }),
      error: 'invalid_request',
    },
    ...['token', 'id_token', 'code id_token', 'none', 'code token'].map((type) => ({
      name: `the response type ${type}`,
      send: () => authorize({ response_type: type }),
      error: 'unsupported_response_type',
    })),
    ...['fragment', 'form_post', 'web_message', 'jwt', 'query.jwt'].map((mode) => ({
      name: `the response mode ${mode}`,
      send: () => authorize({ response_mode: mode }),
      error: 'invalid_request',
    })),
    { name: 'no challenge', send: () => authorize({ code_challenge: null }), error: 'invalid_request' },
    {
      name: 'neither challenge nor method',
      send: () => authorize({ code_challenge: null, code_challenge_method: null }),
      error: 'invalid_request',
    },
    {
      name: 'a challenge without its method',
      send: () => authorize({ code_challenge_method: null }),
      error: 'invalid_request',
    },
    ...['plain', 's256', 'S512'].map((method) => ({
      name: `the challenge method ${method}`,
      send: () => authorize({ code_challenge_method: method }),
      error: 'invalid_request',
    })),
    ...[
      ['of 42 characters', 'c'.repeat(42)],
      ['of 129 characters', 'c'.repeat(129)],
      ['with a character of another alphabet', `${'c'.repeat(42)}+`],
    ].map(([form, challenge = '']) => ({
      name: `a challenge ${form}`,
      send: () => authorize({ code_challenge: challenge }),
      error: 'invalid_request',
    })),
    { name: 'no resource', send: () => authorize({ resource: null }), error: 'invalid_target' },
    {
      name: 'the resource of another server',
      send: () => authorize({ resource: 'https://other.example/mcp' }),
      error: 'invalid_target',
    },
    {
      name: 'the origin alone as the resource',
      send: () => authorize({ resource: running.origin }),
      error: 'invalid_target',
    },
    {
      name: 'the resource with a slash more',
      send: () => authorize({ resource: `${running.resource}/` }),
      error: 'invalid_target',
    },
    {
      name: 'the resource under another name of the host',
      send: () => authorize({ resource: running.resource.replace('127.0.0.1', 'localhost') }),
      error: 'invalid_target',
    },
    {
      name: 'a resource that came twice',
      send: () => authorizeRaw(`${goodQuery()}&${encode({ resource: running.resource })}`),
      error: 'invalid_request',
    },
    ...['openid', 'svc:admin', 'svc:read svc:admin', 'svc:read  svc:write', ' svc:read', 'SVC:READ'].map(
      (scope) => ({
        name: `the scope "${scope}"`,
        send: () => authorize({ scope }),
        error: 'invalid_scope',
      }),
    ),
    {
      name: 'no question to a person',
      send: () => authorize({ prompt: 'none' }),
      error: 'interaction_required',
    },
    { name: 'an unknown prompt', send: () => authorize({ prompt: 'create' }), error: 'invalid_request' },
    {
      name: 'no question and a question',
      send: () => authorize({ prompt: 'none login' }),
      error: 'invalid_request',
    },
    {
      name: 'a request object',
      send: () => authorize({ request: 'eyJhbGciOiJub25lIn0.e30.' }),
      error: 'request_not_supported',
    },
    {
      name: 'the address of a request object',
      send: () => authorize({ request_uri: 'https://client.example/request' }),
      error: 'request_not_supported',
    },
    {
      name: 'any other parameter that came twice',
      send: () => authorizeRaw(`${goodQuery()}&x=1&x=2`),
      error: 'invalid_request',
    },
  ];

  test.each(rows)('$name', async ({ send, error }) => {
    const answer = await send();
    expect(answer.status).toBe(303);
    const location = new URL(answer.headers.get('location') ?? '');
    expect(location.href.startsWith(`${redirectUri}?`)).toBe(true);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      error,
      error_description: expect.stringMatching(descriptionForm),
      state: 'a state',
      iss: running.origin,
    });
    expectPlainHeaders(answer);
    expectPlainText(await answer.text());
  });

  test.each([
    ['without a path', 'https://client.example', '?'],
    ['with a query', 'http://127.0.0.1:9/cb?a=b%20c&x=%7E%2f', '&'],
    [
      'with parameters named like those of the answer',
      'https://client.example/cb?state=own&error=own&iss=own',
      '&',
    ],
  ])('and the address %s is used as registered', async (_name, uri, sign) => {
    const id = await client.registered({ redirect_uris: [uri] });
    const answer = await authorize({ redirect_uri: uri, response_type: null }, id);
    const location = answer.headers.get('location') ?? '';
    expect(location.startsWith(`${uri}${sign}error=`)).toBe(true);
    expect(Object.fromEntries(new URLSearchParams(location.slice(uri.length + 1)))).toEqual({
      error: 'invalid_request',
      error_description: expect.stringMatching(descriptionForm),
      state: 'a state',
      iss: running.origin,
    });
  });

  test('and a state that was sent twice is left out', async () => {
    const answer = await authorizeRaw(`${goodQuery()}&state=other`);
    const location = new URL(answer.headers.get('location') ?? '');
    expect(location.searchParams.get('error')).toBe('invalid_request');
    expect(location.searchParams.has('state')).toBe(false);
  });
});

test.each<[string, Record<string, string>, string[]]>([
  ['', {}, []],
  ['&&', {}, []],
  ['a=b&&c=d&', { a: 'b', c: 'd' }, []],
  ['&a=b', { a: 'b' }, []],
  ['a=b&=&=', { a: 'b' }, ['']],
  ['a=b&&a=&', { a: 'b' }, ['a']],
])('empty parts of the form "%s" are not parameters', (text, values, repeated) => {
  const parameters = parseParameters(text);
  expect(Object.fromEntries(parameters.values)).toEqual(values);
  expect([...parameters.repeated]).toEqual(repeated);
});

test('the length of a client’s name is counted in code points', async () => {
  const statusOf = async (name: string) => (await client.register({ client_name: name })).status;
  expect(await statusOf('\u{1F4B6}'.repeat(200))).toBe(201);
  expect(await statusOf('\u{1F4B6}'.repeat(201))).toBe(400);
});

describe('the token endpoint refuses a code:', () => {
  const redeem = async (changes: Changes) => client.redeem(await client.code(clientId), changes);
  const rows: Row[] = [
    { name: 'no code', send: () => redeem({ code: null }), error: 'invalid_request' },
    { name: 'an unknown code', send: () => redeem({ code: 'x'.repeat(43) }), error: 'invalid_grant' },
    { name: 'a code of no form', send: () => redeem({ code: "' OR 1=1" }), error: 'invalid_grant' },
    {
      name: 'a code of enormous length',
      send: () => redeem({ code: 'x'.repeat(20_000) }),
      error: 'invalid_grant',
    },
    { name: 'no verifier', send: () => redeem({ code_verifier: null }), error: 'invalid_request' },
    {
      name: 'a short verifier',
      send: () => redeem({ code_verifier: 'v'.repeat(42) }),
      error: 'invalid_request',
    },
    {
      name: 'a long verifier',
      send: () => redeem({ code_verifier: 'v'.repeat(129) }),
      error: 'invalid_request',
    },
    {
      name: 'a verifier of another alphabet',
      send: () => redeem({ code_verifier: `${'v'.repeat(43)}=` }),
      error: 'invalid_request',
    },
    {
      name: 'a wrong verifier',
      send: () => redeem({ code_verifier: 'v'.repeat(43) }),
      error: 'invalid_grant',
    },
    {
      name: 'the challenge as the verifier',
      async send() {
        const code = await client.code(clientId);
        return client.redeem(code, { code_verifier: challengeOf(code.verifier) });
      },
      error: 'invalid_grant',
    },
    { name: 'no redirect URI', send: () => redeem({ redirect_uri: null }), error: 'invalid_request' },
    {
      name: 'another redirect URI',
      send: () => redeem({ redirect_uri: 'http://127.0.0.1:9/other' }),
      error: 'invalid_grant',
    },
    { name: 'no resource', send: () => redeem({ resource: null }), error: 'invalid_target' },
    {
      name: 'another resource',
      send: () => redeem({ resource: 'https://other.example/mcp' }),
      error: 'invalid_target',
    },
    {
      name: 'the resource with a slash',
      send: () => redeem({ resource: `${running.origin}/mcp/` }),
      error: 'invalid_target',
    },
    { name: 'another client', send: () => redeem({ client_id: otherId }), error: 'invalid_grant' },
    { name: 'no client', send: () => redeem({ client_id: null }), error: 'invalid_request' },
    {
      name: 'an unknown client',
      send: () => redeem({ client_id: 'nobody' }),
      status: 401,
      error: 'invalid_client',
    },
    { name: 'a secret', send: () => redeem({ client_secret: 'x' }), status: 401, error: 'invalid_client' },
    {
      name: 'an assertion',
      send: () => redeem({ client_assertion: 'e30.e30.' }),
      status: 401,
      error: 'invalid_client',
    },
    { name: 'no grant type', send: () => redeem({ grant_type: null }), error: 'invalid_request' },
    ...[
      'password',
      'client_credentials',
      'implicit',
      '__proto__',
      'urn:ietf:params:oauth:grant-type:device_code',
    ].map((type) => ({
      name: `the grant type ${type}`,
      send: () => redeem({ grant_type: type }),
      error: 'unsupported_grant_type',
    })),
  ];

  test.each(rows)('$name', async (row) => {
    await expectJsonRefusal(await row.send(), row);
  });
});

describe('the token endpoint refuses any request:', () => {
  const form = () =>
    encode({ grant_type: 'refresh_token', client_id: clientId, refresh_token: 'x'.repeat(43) });
  const formType = 'application/x-www-form-urlencoded';
  const post = (options: { path?: string; body?: string; headers?: Record<string, string> }) =>
    fetch(`${running.origin}${options.path ?? '/token'}`, {
      method: 'POST',
      body: options.body ?? form(),
      headers: { 'content-type': formType, ...options.headers },
    });
  const rows: Row[] = [
    {
      name: 'JSON',
      send: () => post({ body: '{}', headers: { 'content-type': 'application/json' } }),
      error: 'invalid_request',
    },
    { name: 'JSON that is called a form', send: () => post({ body: '{}' }), error: 'invalid_request' },
    {
      name: 'a form that is called text',
      send: () => post({ headers: { 'content-type': 'text/plain' } }),
      error: 'invalid_request',
    },
    {
      name: 'a GET',
      send: () => fetch(`${running.origin}/token?${form()}`),
      status: 405,
      error: 'invalid_request',
    },
    {
      name: 'a form in parts',
      send: () => post({ headers: { 'content-type': 'multipart/form-data; boundary=x' } }),
      error: 'invalid_request',
    },
    {
      name: 'another character set',
      send: () => post({ headers: { 'content-type': `${formType}; charset=utf-16` } }),
      error: 'invalid_request',
    },
    {
      name: 'a packed body',
      send: () => post({ headers: { 'content-encoding': 'gzip' } }),
      error: 'invalid_request',
    },
    {
      name: 'parameters in the address',
      send: () => post({ path: `/token?${form()}` }),
      error: 'invalid_request',
    },
    { name: 'an empty query', send: () => post({ path: '/token?' }), error: 'invalid_request' },
    {
      name: 'a body of 64 KiB',
      send: () => post({ body: `${form()}&x=${'x'.repeat(64 * 1024)}` }),
      status: 413,
      error: 'invalid_request',
    },
    {
      name: 'a body that is not UTF-8',
      send: () => post({ body: `${form()}&x=%c3%28` }),
      error: 'invalid_request',
    },
    {
      name: 'a parameter that came twice',
      send: () => post({ body: `${form()}&resource=a&resource=b` }),
      error: 'invalid_request',
    },
    {
      name: 'a client that came twice',
      send: () => post({ body: `${form()}&client_id=${clientId}` }),
      error: 'invalid_request',
    },
    {
      name: 'basic authentication',
      send: () => post({ headers: { authorization: `Basic ${btoa(`${clientId}:secret`)}` } }),
      status: 401,
      error: 'invalid_client',
    },
    { name: 'an empty body', send: () => post({ body: '' }), error: 'invalid_request' },
  ];

  test.each(rows)('$name', async (row) => {
    await expectJsonRefusal(await row.send(), row);
  });
});

describe('the token endpoint refuses a refresh token:', () => {
  const refresh = async (changes: Changes, asked: Changes = {}) => {
    const { clientId: id, tokens } = await client.signIn(asked);
    return client.refresh(id, tokens.refresh_token ?? '', changes);
  };
  const rows: Row[] = [
    { name: 'none at all', send: () => refresh({ refresh_token: null }), error: 'invalid_request' },
    {
      name: 'an unknown one',
      send: () => refresh({ refresh_token: 'x'.repeat(43) }),
      error: 'invalid_grant',
    },
    { name: 'one of no form', send: () => refresh({ refresh_token: '../..' }), error: 'invalid_grant' },
    { name: 'one of another client', send: () => refresh({ client_id: otherId }), error: 'invalid_grant' },
    {
      name: 'a client without the grant type',
      send: () => refresh({ client_id: plainId }),
      error: 'unauthorized_client',
    },
    {
      name: 'another resource',
      send: () => refresh({ resource: 'https://other.example/mcp' }),
      error: 'invalid_target',
    },
    { name: 'an unknown scope', send: () => refresh({ scope: 'svc:admin' }), error: 'invalid_scope' },
    {
      name: 'more scopes than were granted',
      send: () => refresh({ scope: 'svc:read svc:write' }),
      error: 'invalid_scope',
    },
    {
      name: 'an access token in its place',
      send: async () => {
        const { clientId: id, tokens } = await client.signIn();
        return client.refresh(id, tokens.access_token);
      },
      error: 'invalid_grant',
    },
    {
      name: 'a code in its place',
      send: async () => client.refresh(clientId, (await client.code(clientId)).code),
      error: 'invalid_grant',
    },
  ];

  test.each(rows)('$name', async (row) => {
    await expectJsonRefusal(await row.send(), row);
  });

  test('and no refusal uses up the token', async () => {
    const { clientId: id, tokens } = await client.signIn();
    const token = tokens.refresh_token ?? '';
    for (const changes of [{ client_id: otherId }, { scope: 'svc:write' }, { resource: 'x:y' }]) {
      expect((await client.refresh(id, token, changes)).status).toBe(400);
    }
    expect((await client.refresh(id, token)).status).toBe(200);
  });
});

describe('the revocation endpoint refuses:', () => {
  const revokeRaw = (path: string, body: string) =>
    fetch(`${running.origin}${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const rows: Row[] = [
    { name: 'no token', send: () => client.revoke({ client_id: clientId }), error: 'invalid_request' },
    { name: 'no client', send: () => client.revoke({ token: 'x'.repeat(43) }), error: 'invalid_request' },
    {
      name: 'an unknown client',
      send: () => client.revoke({ client_id: 'nobody', token: 'x'.repeat(43) }),
      status: 401,
      error: 'invalid_client',
    },
    {
      name: 'a secret',
      send: () => client.revoke({ client_id: clientId, client_secret: 'x', token: 'x'.repeat(43) }),
      status: 401,
      error: 'invalid_client',
    },
    {
      name: 'JSON',
      send: () =>
        fetch(`${running.origin}/revoke`, {
          method: 'POST',
          body: '{}',
          headers: { 'content-type': 'application/json' },
        }),
      error: 'invalid_request',
    },
    {
      name: 'a token in the address',
      send: () => revokeRaw(`/revoke?token=${'x'.repeat(43)}`, encode({ client_id: clientId })),
      error: 'invalid_request',
    },
    {
      name: 'any query beside the body',
      send: () => revokeRaw('/revoke?x=1', encode({ client_id: clientId, token: 'x'.repeat(43) })),
      error: 'invalid_request',
    },
    {
      name: 'a token that came twice',
      send: () => revokeRaw('/revoke', `${encode({ client_id: clientId, token: 'x'.repeat(43) })}&token=y`),
      error: 'invalid_request',
    },
  ];

  test.each(rows)('$name', async (row) => {
    await expectJsonRefusal(await row.send(), row);
  });
});

describe('registration refuses:', () => {
  const metadata = (name: string, value: unknown): Row => ({
    name: `${name} ${JSON.stringify(value).slice(0, 60)}`,
    send: () => client.register({ [name]: value }),
    error: 'invalid_client_metadata',
  });
  const address = (uris: unknown): Row => ({
    ...metadata('redirect_uris', uris),
    error: 'invalid_redirect_uri',
  });
  const raw = (name: string, body: string, error: string, type = 'application/json'): Row => ({
    name,
    send: () =>
      fetch(`${running.origin}/register`, { method: 'POST', body, headers: { 'content-type': type } }),
    error,
  });
  const rows: Row[] = [
    address([]),
    address('http://localhost/callback'),
    address([7]),
    ...badAddresses.map((uri) => address([uri])),
    address([redirectUri, 'ftp://client.example/']),
    address(cursorUris),
    address(Array.from({ length: 11 }, (_, at) => `https://client.example/${at}`)),
    { ...raw('no redirect URIs at all', '{}', 'invalid_redirect_uri') },
    metadata('token_endpoint_auth_method', 'client_secret_basic'),
    metadata('token_endpoint_auth_method', 'private_key_jwt'),
    metadata('grant_types', ['implicit']),
    metadata('grant_types', ['refresh_token']),
    metadata('grant_types', []),
    metadata('grant_types', 'authorization_code'),
    metadata('grant_types', ['client_credentials', 'urn:ietf:params:oauth:grant-type:device_code']),
    metadata('response_types', ['token']),
    metadata('response_types', ['id_token', 'code token']),
    metadata('response_types', 'code'),
    metadata('response_types', []),
    metadata('client_name', ''),
    metadata('client_name', 'n'.repeat(201)),
    metadata('client_name', { en: 'x' }),
    ...credentials.slice(0, 12).map(([, text]) => metadata('client_name', text.slice(0, 200))),
    raw('a list', '[]', 'invalid_client_metadata'),
    raw('broken JSON', '{"redirect_uris":', 'invalid_client_metadata'),
    raw('a key that came twice', '{"client_name":"a","client_name":"b"}', 'invalid_client_metadata'),
    raw('an empty body', '', 'invalid_client_metadata'),
    raw('a form', 'client_name=x', 'invalid_request', 'application/x-www-form-urlencoded'),
    { ...raw('64 KiB', `{"x":"${'x'.repeat(64 * 1024)}"}`, 'invalid_request'), status: 413 },
  ];

  test.each(rows)('$name', async (row) => {
    await expectJsonRefusal(await row.send(), row);
  });
});

describe('an authorization code', () => {
  const tokensOf = async (answer: Response): Promise<Tokens> => {
    expect(answer.status).toBe(200);
    return (await answer.json()) as Tokens;
  };
  const isAlive = async ({ access_token: token }: Tokens) =>
    (await running.server.authenticate(token)) !== null;

  test('that its own client sends again revokes everything that it gave', async () => {
    const code = await client.code(clientId);
    const tokens = await tokensOf(await client.redeem(code));
    const next = await tokensOf(await client.refresh(clientId, tokens.refresh_token ?? ''));
    const replay = await client.redeem(code);
    await expectJsonRefusal(replay, { name: '', send: async () => replay, error: 'invalid_grant' });
    expect([await isAlive(tokens), await isAlive(next)]).toEqual([false, false]);
    expect((await client.refresh(clientId, next.refresh_token ?? '')).status).toBe(400);
  });

  const strangers: [string, (code: Code) => Promise<Response>][] = [
    ['with a wrong verifier', (code) => client.redeem(code, { code_verifier: 'w'.repeat(43) })],
    ['from another client', (code) => client.redeem(code, { client_id: otherId })],
    ['with another redirect URI', (code) => client.redeem(code, { redirect_uri: 'http://127.0.0.1:9/x' })],
  ];

  test.each(strangers)('that is tried %s is not used up and revokes nothing', async (_name, attempt) => {
    const code = await client.code(clientId);
    expect((await attempt(code)).status).toBe(400);
    const tokens = await tokensOf(await client.redeem(code));
    expect((await attempt(code)).status).toBe(400);
    expect(await isAlive(tokens)).toBe(true);
  });

  test('that is redeemed several times at once gives no valid tokens', async () => {
    const code = await client.code(clientId);
    const answers = await Promise.all(Array.from({ length: 10 }, () => client.redeem(code)));
    const won = answers.filter(({ status }) => status === 200);
    expect(won.length).toBeLessThanOrEqual(1);
    for (const answer of won) expect(await isAlive((await answer.json()) as Tokens)).toBe(false);
  });

  test('whose second use is detected only when it is marked revokes everything as well', async () => {
    const rows = createMemoryRows();
    const racing: OAuthRows = {
      ...rows,
      find(model, idHash) {
        const row = rows.find(model, idHash);
        return row !== null && model === 'AuthorizationCode' ? { ...row, consumedAtMs: null } : row;
      },
    };
    const race = await openServer({ rows: racing });
    const racer = createTestClient(race.origin);
    const code = await racer.code(await racer.registered());
    const tokens = await tokensOf(await racer.redeem(code));
    expect((await racer.redeem(code)).status).toBe(400);
    expect(await race.server.authenticate(tokens.access_token)).toBeNull();
    await race.dispose();
  });

  test('expires after a minute', async () => {
    const code = await client.code(clientId);
    running.clock.move(61_000);
    const late = await client.redeem(code);
    await expectJsonRefusal(late, { name: '', send: async () => late, error: 'invalid_grant' });
  });
});
