import { randomBytes } from 'node:crypto';
import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { AppError } from '#shared/errors/index.ts';

/** No server listens there: the agent's own browser reads the code from the redirect. */
const redirectUrl = 'http://127.0.0.1/countersign-sample-agent';

/** It asks for what it needs, whatever else is offered. */
const scope = 'svc:read svc:write';

/** Giving the grant back may take so long. */
const farewellMs = 2_000;

/** One grant, kept for as long as the agent runs. */
export interface Login {
  provider: OAuthClientProvider;
  /** The code of the authorization. Fails with `denied_by_person` where a person said no. */
  code(): Promise<string>;
  /** Its registered client id; empty before that. */
  clientId(): string;
  /** Gives the grant back (RFC 7009), where there is one. Never fails. */
  signOut(): Promise<void>;
}

interface LoginOptions {
  /** The agent's name for itself. */
  name: string;
  /** Opens the address and resolves with the redirect that ends there. */
  openBrowser(address: URL, redirectUrl: string): Promise<URL>;
  /** The grant has ended; the user is not asked twice. */
  onGrantLost(): void;
}

/** A public client that registers itself anew for every run (contract §5.3). */
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
        // The caller of `code()` gets its failure.
        code.catch(() => {});
      },
    },
  };
}

/**
 * A fetch that uses every refresh token once: a caller with the same one, while or after it is used, gets the same answer.
 * The SDK refreshes for each connection by itself, and the second use of a token would end the grant.
 */
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
