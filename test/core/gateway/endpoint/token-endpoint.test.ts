import { expect, test } from 'vitest';
import { challengeOf, redirectUri } from '#test/core/oauth-server/test-client.ts';
import type { Tokens } from '#test/core/oauth-server/test-client.ts';
import { initialize, openEndpointWorld, type EndpointWorld, type AccessRequest } from './endpoint-world.ts';

type Form = Record<string, string>;

/** How a request differs from the right one. */
interface Bad {
  change?: Record<string, string | null>;
  /** These come a second time, with the same value. */
  twice?: string;
  headers?: Record<string, string>;
  body?: (form: Form) => string | FormData;
  query?: (form: Form) => string;
  method?: string;
  status?: number;
  error: string;
}

const formType = 'application/x-www-form-urlencoded';

function send(origin: string, form: Form, bad: Omit<Bad, 'error'> = {}): Promise<Response> {
  const { change = {}, twice, headers = { 'content-type': formType }, body, query, method = 'POST' } = bad;
  const fields = Object.entries({ ...form, ...change }).filter(
    (one): one is [string, string] => one[1] !== null,
  );
  const again = fields.filter(([name]) => name === twice);
  const encoded = new URLSearchParams([...fields, ...again]).toString();
  return fetch(`${origin}/token${query?.(form) ?? ''}`, {
    method,
    headers,
    ...(method === 'GET' ? {} : { body: body === undefined ? encoded : body(form) }),
  });
}

async function expectRefused(answer: Response, name: string, { status = 400, error }: Bad): Promise<void> {
  const text = await answer.text();
  expect([name, answer.status, JSON.parse(text)]).toEqual([
    name,
    status,
    { error, error_description: expect.any(String) as string },
  ]);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect([...answer.headers.keys()].filter((header) => header.startsWith('access-control-'))).toEqual([]);
}

/** A client that was let in and has its code, and the request with which it would get its tokens. */
async function withCode(endpointWorld: EndpointWorld): Promise<{ requestAccess: AccessRequest; form: Form }> {
  const requestAccess = await endpointWorld.requestAccess();
  await endpointWorld.answer('allow');
  const code = (await requestAccess.browser.untilSent()).get('code') ?? '';
  const form = {
    grant_type: 'authorization_code',
    client_id: requestAccess.clientId,
    code,
    code_verifier: requestAccess.verifier,
    redirect_uri: redirectUri,
    resource: endpointWorld.url,
  };
  return { requestAccess, form };
}

/** Defects of a request that are refused whatever it asks for. */
const badForms: Record<string, Bad> = {
  'no client': { change: { client_id: null }, error: 'invalid_request' },
  'an unknown client': { change: { client_id: 'nobody' }, status: 401, error: 'invalid_client' },
  'the client twice': { twice: 'client_id', error: 'invalid_request' },
  'the resource twice': { twice: 'resource', error: 'invalid_request' },
  'the grant type twice': { twice: 'grant_type', error: 'invalid_request' },
  'no grant type': { change: { grant_type: null }, error: 'invalid_request' },
  'a grant type of other servers': {
    change: { grant_type: 'client_credentials' },
    error: 'unsupported_grant_type',
  },
  'a resource elsewhere': { change: { resource: 'https://evil.example/mcp' }, error: 'invalid_target' },
  'a secret': { change: { client_secret: 'x' }, status: 401, error: 'invalid_client' },
  'a header that authenticates': {
    headers: { 'content-type': formType, authorization: 'Basic eDp5' },
    status: 401,
    error: 'invalid_client',
  },
  'the right fields as JSON': {
    headers: { 'content-type': 'application/json' },
    body: (form) => JSON.stringify(form),
    error: 'invalid_request',
  },
  'JSON that is called a form': { body: (form) => JSON.stringify(form), error: 'invalid_request' },
  'a form that is called text': { headers: { 'content-type': 'text/plain' }, error: 'invalid_request' },
  'a form in parts': {
    headers: {},
    body(form) {
      const parts = new FormData();
      for (const [name, value] of Object.entries(form)) parts.set(name, value);
      return parts;
    },
    error: 'invalid_request',
  },
  'everything in the address': {
    query: (form) => `?${new URLSearchParams(form).toString()}`,
    body: () => '',
    error: 'invalid_request',
  },
  'a GET': {
    method: 'GET',
    query: (form) => `?${new URLSearchParams(form).toString()}`,
    status: 405,
    error: 'invalid_request',
  },
};

test('with a code, nothing but the right request gets tokens; a wrong one neither uses the code up nor ends the agent', async () => {
  const endpointWorld = await openEndpointWorld({ campaigns: 1 });
  const { origin, url, world, client } = endpointWorld;
  const { form, requestAccess } = await withCode(endpointWorld);
  const otherId = await client.registered();
  const port = new URL(redirectUri).port;
  const bad: Record<string, Bad> = {
    ...badForms,
    'a wrong verifier': { change: { code_verifier: 'w'.repeat(43) }, error: 'invalid_grant' },
    'the challenge as the verifier': {
      change: { code_verifier: challengeOf(requestAccess.verifier) },
      error: 'invalid_grant',
    },
    'no verifier': { change: { code_verifier: null }, error: 'invalid_request' },
    'the verifier twice': { twice: 'code_verifier', error: 'invalid_request' },
    'another path to answer at': {
      change: { redirect_uri: `${redirectUri}/other` },
      error: 'invalid_grant',
    },
    'another port to answer at': {
      change: { redirect_uri: redirectUri.replace(`:${port}`, ':59656') },
      error: 'invalid_grant',
    },
    'no address to answer at': { change: { redirect_uri: null }, error: 'invalid_request' },
    'the address to answer at twice': { twice: 'redirect_uri', error: 'invalid_request' },
    'another client': { change: { client_id: otherId }, error: 'invalid_grant' },
    'no resource': { change: { resource: null }, error: 'invalid_target' },
    'the resource with a slash': { change: { resource: `${url}/` }, error: 'invalid_target' },
    'the resource of the service': {
      change: { resource: `${new URL(world.core.info.serviceUrl).origin}/mcp` },
      error: 'invalid_target',
    },
    'no code': { change: { code: null }, error: 'invalid_request' },
    'a code that was never issued': { change: { code: 'x'.repeat(43) }, error: 'invalid_grant' },
    'the code twice': { twice: 'code', error: 'invalid_request' },
    'the code for a refresh token': {
      change: { grant_type: 'refresh_token', refresh_token: form['code'] ?? '' },
      error: 'invalid_grant',
    },
  };
  for (const [name, row] of Object.entries(bad))
    await expectRefused(await send(origin, form, row), name, row);

  const right = await send(origin, form);
  const { access_token: token } = (await right.json()) as Tokens;
  expect((await initialize(url, token)).status).toBe(200);
  await expectRefused(await send(origin, form), 'the code once more', { error: 'invalid_grant' });
  expect((await initialize(url, token)).status).toBe(401);
});

test('a code that was not fetched in a minute is worth nothing', async () => {
  const endpointWorld = await openEndpointWorld({ campaigns: 1 });
  const { form } = await withCode(endpointWorld);
  endpointWorld.world.clock.advance(61_000);
  await expectRefused(await send(endpointWorld.origin, form), 'late', { error: 'invalid_grant' });
});

test('with a refresh token, nothing but the right request gets tokens, and a wrong one ends nothing', async () => {
  const endpointWorld = await openEndpointWorld({ campaigns: 1 });
  const { origin, url, client } = endpointWorld;
  const { clientId, tokens } = await endpointWorld.enter(undefined, { scope: 'svc:read svc:write' });
  const otherId = await client.registered();
  const form = {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: tokens.refresh_token ?? '',
    resource: url,
  };
  const bad: Record<string, Bad> = {
    ...badForms,
    'another client': { change: { client_id: otherId }, error: 'invalid_grant' },
    'no token': { change: { refresh_token: null }, error: 'invalid_request' },
    'a token that was never issued': { change: { refresh_token: 'x'.repeat(43) }, error: 'invalid_grant' },
    'the access token': { change: { refresh_token: tokens.access_token }, error: 'invalid_grant' },
    'the token twice': { twice: 'refresh_token', error: 'invalid_request' },
    'an unknown scope': { change: { scope: 'svc:admin' }, error: 'invalid_scope' },
    'a scope that no person has given': { change: { scope: 'offline_access' }, error: 'invalid_scope' },
    'the scopes twice': { change: { scope: 'svc:read' }, twice: 'scope', error: 'invalid_request' },
  };
  for (const [name, row] of Object.entries(bad))
    await expectRefused(await send(origin, form, row), name, row);
  expect((await initialize(url, tokens.access_token)).status).toBe(200);

  const next = (await (await send(origin, form)).json()) as Tokens;
  expect((await initialize(url, next.access_token)).status).toBe(200);
});
