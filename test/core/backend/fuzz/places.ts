import { createHash } from 'node:crypto';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { beginSignIn } from './sign-in.ts';
import type { FuzzInteraction } from './sign-in.ts';

export interface FuzzGrant {
  clientId: string;
  accessToken: string;
  refreshToken: string;
}

/** Credentials of a user with an account. Plain data, so that a worker thread can receive it. */
export interface FuzzCredentials {
  port: number;
  memberToken: string;
  publisherKey: string;
  /** An access token whose grant has every scope. */
  accessToken: string;
  /** Grants that mutated requests may end. */
  spare: FuzzGrant;
  rotating: FuzzGrant;
  password: string;
  login: string;
  /** Full campaigns of the member, as JSON. */
  campaigns: readonly JsonObject[];
  tid: number;
  sid: number;
}

/** The credentials, with sessions, a client and sign-ins that were opened with them. */
export interface FuzzPlaces extends FuzzCredentials {
  origin: string;
  /** Several sessions, because a mutated request may end any of them. */
  sessions: readonly string[];
  /** A session that a mutated request may end. */
  spareSession: string;
  clientId: string;
  redirectUri: string;
  challenge: string;
  /** `signIn` waits for a login; `consent` waits at the consent page. */
  signIn: FuzzInteraction;
  consent: FuzzInteraction;
  /** A prepared change of status that was not committed. */
  prepared: { approval: { id: string; fingerprint: string }; payload: JsonObject };
}

const sessionCount = 8;

const redirectUri = 'http://127.0.0.1:9/callback';

/** Opens sessions, a client and sign-ins over HTTP, as a client does. */
export async function openPlaces(credentials: FuzzCredentials): Promise<FuzzPlaces> {
  const origin = `http://127.0.0.1:${credentials.port}`;
  const sessions: string[] = [];
  while (sessions.length < sessionCount) sessions.push(await initialize(origin, credentials.accessToken));
  const [session = ''] = sessions;
  const spareSession = await initialize(origin, credentials.spare.accessToken);
  const registered = await post(`${origin}/register`, {
    client_name: 'Fuzz',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  });
  const { client_id: clientId } = (await registered.json()) as { client_id: string };
  const challenge = createHash('sha256').update('v'.repeat(43)).digest('base64url');
  const begun = { origin, clientId, redirectUri, challenge };
  const target = authorizeTarget(begun);
  return {
    ...credentials,
    ...begun,
    sessions,
    spareSession,
    signIn: await beginSignIn(origin, target),
    consent: await beginSignIn(origin, target, credentials),
    prepared: await prepare(origin, { ...credentials, session }),
  };
}

/** Returns the request target of a valid authorization request. */
export function authorizeTarget(
  begun: Pick<FuzzPlaces, 'origin' | 'clientId' | 'redirectUri' | 'challenge'>,
): string {
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: begun.clientId,
    redirect_uri: begun.redirectUri,
    code_challenge: begun.challenge,
    code_challenge_method: 'S256',
    state: 'state-of-the-client',
    scope: 'svc:read svc:write offline_access',
    resource: `${begun.origin}/mcp`,
  });
  return `/authorize?${parameters}`;
}

const accept = 'application/json, text/event-stream';

async function initialize(origin: string, accessToken: string): Promise<string> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'fuzz', version: '1' },
  };
  const headers = { authorization: `Bearer ${accessToken}`, accept };
  const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
  const answer = await post(`${origin}/mcp`, body, headers);
  await answer.text();
  const session = answer.headers.get('mcp-session-id') ?? '';
  const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
  await (await post(`${origin}/mcp`, note, { ...headers, 'mcp-session-id': session })).text();
  return session;
}

async function prepare(
  origin: string,
  places: Pick<FuzzPlaces, 'accessToken' | 'campaigns'> & { session: string },
): Promise<FuzzPlaces['prepared']> {
  const { accessToken, session, campaigns } = places;
  const paused = campaigns.find(({ status }) => status === 3);
  const args = { ids: [Number(paused?.['cid'])], status: 'suspended' };
  const params = { name: 'svc_prepare_campaign_status', arguments: args };
  const answer = await post(
    `${origin}/mcp`,
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params },
    { authorization: `Bearer ${accessToken}`, accept, 'mcp-session-id': session },
  );
  // The body is JSON, or a stream of one event that carries JSON.
  const text = (await answer.text()).replace(/^[^{]*/, '').trim();
  const { result } = JSON.parse(text) as { result: { structuredContent: { data: FuzzPlaces['prepared'] } } };
  return result.structuredContent.data;
}

function post(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}
