import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '#shared/lib/json/json-value.ts';
import { randomBytes } from 'node:crypto';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';

export interface Connection {
  tools(): Promise<string[]>;
  /** Waits as long as the gateway reports progress. Fails as the connection does. */
  call(name: string, args: JsonObject): Promise<ToolAnswer>;
  /** Closes the connection and ends the session at the gateway. Never fails. */
  close(): Promise<void>;
}

interface ConnectionOptions {
  url: string;
  name: string;
  login: { provider: OAuthClientProvider; code(): Promise<string> };
  fetch: FetchLike;
  version: string;
  signal: AbortSignal;
}

/** Must be longer than the maximum time that the gateway holds a call. */
const requestTimeoutMs = 300_000;
const farewellMs = 2_000;

/** Connects; requests access first if necessary. Fails with `denied_by_person`, or as the login and the connection do. */
export async function connect(options: ConnectionOptions): Promise<Connection> {
  const sdk = await loadSdk();
  const first = open(sdk, options);
  if (await begin(sdk, first, options)) return asConnection(first, options);
  await first.transport.finishAuth(await options.login.code());
  const second = open(sdk, options);
  if (await begin(sdk, second, options)) return asConnection(second, options);
  throw new AppError('token_invalid');
}

type Sdk = Awaited<ReturnType<typeof loadSdk>>;

/** Loads the SDK with the first connection, so that it does not slow down the start of the core. */
async function loadSdk() {
  const [auth, client, http] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/auth.js'),
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
  ]);
  return { ...auth, ...client, ...http };
}

/** Returns false if the agent has to be admitted first. Closes everything if it fails. */
async function begin(
  { UnauthorizedError }: Sdk,
  { client, transport }: Line,
  { signal }: ConnectionOptions,
): Promise<boolean> {
  try {
    await client.connect(transport, { signal });
    return true;
  } catch (failure) {
    await client.close();
    if (failure instanceof UnauthorizedError) return false;
    throw failure;
  }
}

interface Line {
  client: Client;
  transport: StreamableHTTPClientTransport;
}

function open(
  { Client: SdkClient, StreamableHTTPClientTransport: Transport }: Sdk,
  { url, name, login, fetch, version }: ConnectionOptions,
): Line {
  return {
    client: new SdkClient({ name: 'countersign-sample-agent', title: name, version }),
    transport: new Transport(new URL(url), { authProvider: login.provider, fetch }),
  };
}

function asConnection({ client, transport }: Line, { signal }: ConnectionOptions): Connection {
  return {
    async tools() {
      const { tools } = await client.listTools(undefined, { signal });
      return tools.map(({ name }) => name);
    },
    async call(name, args) {
      const result = await client.callTool({ name, arguments: args }, undefined, {
        signal,
        timeout: requestTimeoutMs,
        resetTimeoutOnProgress: true,
        // The gateway waits longer for a client with a progress listener.
        onprogress: () => {},
      });
      return readAnswer(result as JsonObject);
    },
    async close() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, farewellMs).unref());
      await Promise.race([transport.terminateSession().catch(() => {}), late]);
      await client.close().catch(() => {});
    },
  };
}

export type ToolAnswer =
  | { kind: 'done'; data: JsonValue }
  | { kind: 'waiting'; proposalId: string }
  | { kind: 'denied'; reason: string | null }
  | { kind: 'differs' }
  | { kind: 'refused'; code: string; message: string };

const verdictKey = 'countersign/verdict';

function readAnswer(result: JsonObject): ToolAnswer {
  const structured = objectAt(result, 'structuredContent');
  if (result['isError'] !== true) return { kind: 'done', data: structured['data'] ?? null };
  const error = objectAt(structured, 'error');
  const verdict = objectAt(objectAt(result, '_meta'), verdictKey);
  const code = textAt(error, 'code') ?? textAt(verdict, 'code') ?? '';
  const proposalId = textAt(verdict, 'proposalId') ?? textAt(error, 'proposalId');
  if (code === 'waiting_for_person' && proposalId !== null) return { kind: 'waiting', proposalId };
  if (textAt(verdict, 'state') === 'differs') return { kind: 'differs' };
  if (code === 'denied_by_person') return { kind: 'denied', reason: textAt(verdict, 'reason') };
  return { kind: 'refused', code, message: textAt(error, 'message') ?? firstText(result) };
}

function textAt(value: JsonObject, key: string): string | null {
  const found = value[key];
  return typeof found === 'string' && found !== '' ? found : null;
}

function firstText({ content }: JsonObject): string {
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : [];
  return parts.map((part) => textAt(part, 'text')).find((text) => text !== null) ?? '';
}

/** No server listens at this address: the agent reads the code from the redirect. */
const redirectUrl = 'http://127.0.0.1/countersign-sample-agent';

const scope = 'svc:read svc:write';

interface Login {
  provider: OAuthClientProvider;
  /** Resolves to the authorization code. Fails with `denied_by_person` if a person refused. */
  code(): Promise<string>;
  clientId(): string;
  /** Revokes the grant (RFC 7009) if there is one. Never fails. */
  signOut(): Promise<void>;
}

interface LoginOptions {
  name: string;
  /** Resolves to the redirect address that starts with `redirectUrl`. */
  openBrowser(address: URL, redirectUrl: string): Promise<URL>;
  /** Called when the grant has ended. The user must not be asked for access a second time. */
  onGrantLost(): void;
}

/** A public client that registers itself for every run (contract §5.3). */
export function createLogin({ name, openBrowser, onGrantLost }: LoginOptions): Login {
  let client: OAuthClientInformationMixed | undefined;
  let tokens: OAuthTokens | undefined;
  let verifier = '';
  let state = '';
  let code: Promise<string> | null = null;
  let discovered: OAuthDiscoveryState | undefined;

  async function authorize(address: URL): Promise<string> {
    const { searchParams: answer } = await openBrowser(address, redirectUrl);
    if (answer.get('state') !== state) throw new Error('The redirect carries another state');
    if (answer.get('error') === 'access_denied') throw new AppError('denied_by_person');
    const given = answer.get('code');
    if (given === null) throw new Error(`The sign-in ended with ${answer.get('error') ?? 'nothing'}`);
    return given;
  }

  return {
    clientId: () => client?.client_id ?? '',
    code: () => code ?? Promise.reject(new Error('Nothing was authorized')),
    async signOut() {
      const metadata = discovered?.authorizationServerMetadata ?? {};
      const endpoint = 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined;
      const token = tokens?.refresh_token ?? tokens?.access_token;
      if (typeof endpoint !== 'string' || token === undefined || client === undefined) return;
      const body = new URLSearchParams({ token, client_id: client.client_id });
      const signal = AbortSignal.timeout(farewellMs);
      await fetch(endpoint, { method: 'POST', body, redirect: 'error', signal }).catch(() => {});
    },
    provider: {
      redirectUrl,
      clientMetadata: {
        client_name: name,
        redirect_uris: [redirectUrl],
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        scope,
      },
      state: () => (state = randomBytes(16).toString('base64url')),
      clientInformation: () => client,
      saveClientInformation: (given) => void (client = given),
      tokens: () => tokens,
      saveTokens: (given) => void (tokens = given),
      saveCodeVerifier: (given) => void (verifier = given),
      codeVerifier: () => verifier,
      invalidateCredentials: () => void (tokens = undefined),
      discoveryState: () => discovered,
      saveDiscoveryState: (state) => void (discovered = state),
      redirectToAuthorization(address) {
        if (code !== null) return onGrantLost();
        address.searchParams.set('scope', scope);
        code = authorize(address);
        // Prevents an unhandled rejection: the caller of `code()` gets the failure.
        code.catch(() => {});
      },
    },
  };
}

/** Uses each refresh token once for all connections; the SDK would use it once per connection. */
export function fetchWithOneRefresh(send: FetchLike): FetchLike {
  const used = new Map<string, Promise<Response>>();
  return async (url, init) => {
    const refreshToken = refreshTokenOf(init?.body);
    if (refreshToken === null) return send(url, init);
    const answer = used.get(refreshToken) ?? send(url, init);
    used.set(refreshToken, answer);
    return (await answer).clone();
  };
}

function refreshTokenOf(body: unknown): string | null {
  if (!(body instanceof URLSearchParams) || body.get('grant_type') !== 'refresh_token') return null;
  return body.get('refresh_token');
}
