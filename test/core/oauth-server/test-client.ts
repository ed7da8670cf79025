import { createHash, randomBytes } from 'node:crypto';

/** The client's redirect URI. No server listens there. */
export const redirectUri = 'http://127.0.0.1:9/callback';

/** Parameters of one request that replace the defaults; null removes a parameter. */
export type Changes = Record<string, string | null>;

/** The answer of the token endpoint. */
export interface Tokens {
  access_token: string;
  refresh_token?: string;
  scope: string;
  token_type: string;
  expires_in: number;
}

/** A code and the parameters that redeem it. */
export interface Code {
  code: string;
  verifier: string;
  clientId: string;
  /** All parameters of the answer at the redirect URI. */
  answer: URLSearchParams;
}

/** A minimal public client that uses fetch only. */
export interface TestClient {
  register(metadata?: object): Promise<Response>;
  registered(metadata?: object): Promise<string>;
  /** Sends the authorization request without following its redirect. */
  /** Returns the URL of an ordinary authorization request with these changes; null removes a parameter. */
  authorizeUrl(clientId: string, changes?: Changes): string;
  authorize(clientId: string, changes?: Changes, headers?: Record<string, string>): Promise<Response>;
  /** Follows redirects with the cookies of a browser, and returns the URL at which it reaches the redirect URI. */
  walk(start: Response): Promise<URL>;
  code(clientId: string, changes?: Changes): Promise<Code>;
  token(form: Changes, headers?: Record<string, string>): Promise<Response>;
  redeem(code: Code, changes?: Changes): Promise<Response>;
  refresh(clientId: string, refreshToken: string, changes?: Changes): Promise<Response>;
  revoke(form: Changes): Promise<Response>;
  /** Registers a client, authorizes it and redeems the code. */
  signIn(changes?: Changes): Promise<{ clientId: string; tokens: Tokens }>;
}

export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

/** Creates a client of the server at this origin. */
export function createTestClient(origin: string): TestClient {
  const resource = `${origin}/mcp`;
  const post = (path: string, form: Changes, headers: Record<string, string> = {}) =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      body: encode(form),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
  const client: TestClient = {
    register: (metadata = {}) =>
      fetch(`${origin}/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          client_name: 'Test',
          redirect_uris: [redirectUri],
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          token_endpoint_auth_method: 'none',
          ...metadata,
        }),
      }),
    async registered(metadata) {
      const answer = await client.register(metadata);
      const { client_id: clientId } = (await answer.json()) as { client_id: string };
      return clientId;
    },
    authorizeUrl: (clientId, changes = {}) =>
      `${origin}/authorize?${encode({ ...usual(clientId, resource), ...changes })}`,
    authorize: (clientId, changes = {}, headers = {}) =>
      fetch(client.authorizeUrl(clientId, changes), { redirect: 'manual', headers }),
    walk: (start) => walk(origin, start),
    async code(clientId, changes = {}) {
      const verifier = randomBytes(32).toString('base64url');
      const asked = { code_challenge: challengeOf(verifier), ...changes };
      const arrived = await walk(origin, await client.authorize(clientId, asked));
      const answer = arrived.searchParams;
      return { code: answer.get('code') ?? '', verifier, clientId, answer };
    },
    token: (form, headers) => post('/token', form, headers),
    redeem: ({ code, verifier, clientId }, changes = {}) =>
      post('/token', {
        grant_type: 'authorization_code',
        client_id: clientId,
        code,
        code_verifier: verifier,
        redirect_uri: redirectUri,
        resource,
        ...changes,
      }),
    refresh: (clientId, refreshToken, changes = {}) =>
      post('/token', {
        grant_type: 'refresh_token',
        client_id: clientId,
        refresh_token: refreshToken,
        ...changes,
      }),
    revoke: (form) => post('/revoke', form),
    async signIn(changes) {
      const clientId = await client.registered();
      const answer = await client.redeem(await client.code(clientId, changes));
      if (answer.status !== 200) throw new Error(`No tokens: ${answer.status} ${await answer.text()}`);
      return { clientId, tokens: (await answer.json()) as Tokens };
    },
  };
  return client;
}

function usual(clientId: string, resource: string): Changes {
  return {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: challengeOf('v'.repeat(43)),
    code_challenge_method: 'S256',
    resource,
    state: 'a state',
  };
}

export function encode(values: Changes): string {
  const entries = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null);
  return new URLSearchParams(entries).toString();
}

async function walk(origin: string, start: Response): Promise<URL> {
  const cookies = new Map<string, string>();
  let answer = start;
  for (let step = 0; step < 8; step += 1) {
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';', 1);
      const end = pair.indexOf('=');
      cookies.set(pair.slice(0, end), pair.slice(end + 1));
    }
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`The walk ended with ${answer.status}: ${await answer.text()}`);
    const next = new URL(location, origin);
    if (next.origin !== origin) return next;
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    answer = await fetch(next, { redirect: 'manual', headers: { cookie, accept: 'text/html' } });
  }
  throw new Error('The walk did not end');
}
