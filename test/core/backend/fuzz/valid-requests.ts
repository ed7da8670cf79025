import type { Random } from '#shared/lib/random.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { authorizeTarget } from './places.ts';
import type { FuzzPlaces } from './places.ts';
import type { RawRequest } from './raw-request.ts';
import { initializeCall, remoteCalls } from './remote-calls.ts';
import type { FuzzInteraction } from './sign-in.ts';

type Headers = Record<string, string>;

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const json = { 'Content-Type': 'application/json' };

/** Returns a valid request to a random route of the service. */
export function validRequest(places: FuzzPlaces, random: Random): RawRequest {
  const family = random.weighted([remote, oauth, member, publisher, open], (candidate) => {
    if (candidate === remote) return 40;
    if (candidate === oauth) return 25;
    return candidate === open ? 5 : 15;
  });
  return random.pick(family(places, random));
}

function remote(places: FuzzPlaces, random: Random): RawRequest[] {
  const { accessToken, spare, sessions, spareSession } = places;
  const accept = 'application/json, text/event-stream';
  const headers = {
    Authorization: `Bearer ${accessToken}`,
    Accept: accept,
    'Mcp-Session-Id': random.pick(sessions),
  };
  const spareHeaders = {
    Authorization: `Bearer ${spare.accessToken}`,
    Accept: accept,
    'Mcp-Session-Id': spareSession,
  };
  const cid = Number(random.pick(places.campaigns)['cid']);
  const calls = remoteCalls(places, cid);
  const posts = calls.map((call) =>
    request(places, 'POST', '/mcp', { headers: { ...headers, ...json }, body: JSON.stringify(call) }),
  );
  const batch = JSON.stringify([random.pick(calls), random.pick(calls)]);
  return [
    ...posts,
    request(places, 'POST', '/mcp', { headers: { ...headers, ...json }, body: batch }),
    request(places, 'POST', '/mcp', {
      headers: { Authorization: headers.Authorization, Accept: accept, ...json },
      body: JSON.stringify(initializeCall),
    }),
    request(places, 'GET', '/mcp', { headers: { ...headers, Accept: 'text/event-stream' } }),
    request(places, 'DELETE', '/mcp', { headers: spareHeaders }),
  ];
}

function oauth(places: FuzzPlaces): RawRequest[] {
  const { clientId, spare, rotating, redirectUri, origin, signIn, consent } = places;
  const resource = `${origin}/mcp`;
  const post = (target: string, body: Headers, headers: Headers = {}) =>
    request(places, 'POST', target, {
      headers: { ...form, ...headers },
      body: new URLSearchParams(body).toString(),
    });
  const exchange = { grant_type: 'authorization_code', code: 'x'.repeat(43), code_verifier: 'v'.repeat(43) };
  const refresh = { grant_type: 'refresh_token', refresh_token: rotating.refreshToken };
  const client = {
    client_name: 'Fuzz',
    redirect_uris: [redirectUri, 'https://client.example/cb'],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: 'svc:read offline_access',
    application_type: 'native',
  };
  const browserOf = ({ cookie: Cookie }: FuzzInteraction) => ({ Cookie, Origin: origin });
  const person = { login: places.login, password: places.password, form_token: signIn.formToken };
  const decision = { decision: 'allow', scope: 'svc:write', form_token: consent.formToken };
  return [
    request(places, 'GET', '/.well-known/oauth-protected-resource/mcp'),
    request(places, 'GET', '/.well-known/oauth-authorization-server'),
    request(places, 'POST', '/register', { headers: json, body: JSON.stringify(client) }),
    request(places, 'GET', authorizeTarget(places)),
    request(places, 'GET', authorizeTarget(places)),
    post('/token', { ...exchange, client_id: clientId, redirect_uri: redirectUri, resource }),
    post('/token', { ...refresh, client_id: rotating.clientId, resource }),
    post('/revoke', { token: spare.accessToken, client_id: spare.clientId }),
    request(places, 'GET', consent.path, { headers: { Cookie: consent.cookie } }),
    post(`${signIn.path}/sign-in`, person, browserOf(signIn)),
    post(`${consent.path}/decide`, decision, browserOf(consent)),
    post(`${consent.path}/another-account`, { form_token: consent.formToken }, browserOf(consent)),
  ];
}

function member(places: FuzzPlaces, random: Random): RawRequest[] {
  const base = '/api/v1/login/campaigns';
  const headers = { Authorization: `Bearer ${places.memberToken}` };
  const campaign = random.pick(places.campaigns);
  const one = `${base}/${Number(campaign['cid'])}`;
  const put = (target: string, body: JsonObject) =>
    request(places, 'PUT', target, { headers: { ...headers, ...json }, body: JSON.stringify(body) });
  const query = 'page=2&perPage=5&sort=name&order=asc&query=push&status=1&types=1&types=2';
  return [
    request(places, 'GET', `${base}/campaigns?${query}`, { headers }),
    request(places, 'GET', one, { headers }),
    put(one, campaign),
    put(one, campaign),
    put(`${base}/update-status`, { ids: [Number(campaign['cid'])], status: 3 }),
  ];
}

function publisher(places: FuzzPlaces): RawRequest[] {
  const { publisherKey: token, tid, sid } = places;
  const range = `token=${token}&date_from=2026-11-01&date_to=2026-11-20`;
  return [
    `/xml/stats?${range}&tid=${tid}&groupBy=day`,
    `/xml/stats?${range}&tid=${tid}&groupBy=subid&export=csv`,
    `/publisher/search-report?${range}&sid=${sid}`,
    `/publisher/search-report?${range}&export=json`,
  ].map((target) => request(places, 'GET', target));
}

function open(places: FuzzPlaces): RawRequest[] {
  return ['/health', '/ready', `/uploads/${'0'.repeat(64)}.png`, '/', '/favicon.ico'].map((target) =>
    request(places, 'GET', target),
  );
}

function request(
  { port }: FuzzPlaces,
  method: string,
  target: string,
  { headers = {}, body = '' }: { headers?: Headers; body?: string } = {},
): RawRequest {
  const all = { Host: `127.0.0.1:${port}`, Connection: 'close', ...headers };
  return { method, target, headers: Object.entries(all), body: Buffer.from(body), isFramed: true };
}
