import type { IncomingMessage, ServerResponse } from 'node:http';
import { headerValues } from '#core/platform/loopback/guards.ts';
import { AppError, type ErrorCode } from '#shared/errors/index.ts';
import type { Client, Clients, Grants } from './tokens/grants.ts';
import type { Parameters, CookieFilter } from './http.ts';
import { type OwnSentence, ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';
import type { AuthorizationServerOptions } from './authorization-server.ts';
import type { OpenLibrary } from './library/exchange.ts';
import type { RefreshRepeats } from './tokens/refresh-repeats.ts';
import type { Clock } from '#core/platform/clock.ts';

export interface ServerFacts {
  resource: string;
  scopes: readonly string[];
  defaultScopes: readonly string[];
  nativeApps: boolean;
  findClient(clientId: string): Promise<Client | null>;
}

export interface ClientRequest {
  parameters: Parameters;
  client: Client;
}

export type Check<ParsedRequest> = (asked: ParsedRequest, server: ServerFacts) => void;

/** True if the URL points to this server under any loopback name. A redirect would then seem to come from its own pages. */
export function leadsToServer(
  { protocol, hostname, port }: URL,
  { resource }: Pick<ServerFacts, 'resource'>,
): boolean {
  const own = new URL(resource);
  return loopbackHosts.has(hostname) && portOf({ protocol, port }) === portOf(own);
}

export const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

function portOf({ protocol, port }: Pick<URL, 'protocol' | 'port'>): string {
  return port !== '' ? port : protocol === 'https:' ? '443' : '80';
}

export function refuse<const M extends string = never>(
  code: ErrorCode & `oauth_${string}`,
  message?: M & OwnSentence<M>,
): never {
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- the compiler does not resolve the type of a constant here
  throw new AppError(code, message === undefined ? {} : { message: message as Sentence });
}

/**
 * Requires a top-level browser window: no frame, picture or script of
 * another page (Fetch Metadata). Programs send none of these headers.
 */
export function rejectEmbedded(request: IncomingMessage): void {
  const isWindow = headerValues(request, 'sec-fetch-dest').every((destination) => destination === 'document');
  if (!isWindow || headerValues(request, 'sec-purpose').length > 0) {
    refuse('oauth_invalid_request', 'Open this address in a browser window of its own.');
  }
}

export function requireParameter({ values }: Parameters, name: string): string {
  return (
    values.get(name) ?? refuse('oauth_invalid_request', sentence`${ownWords(`\`${name}\` is missing.`)}`)
  );
}

/** Refuses repeated parameters (RFC 6749 §3.1, §3.2), because two readers could use different values. */
export function rejectRepeated({ parameters }: { parameters: Parameters }): void {
  if (parameters.repeated.size > 0) refuse('oauth_invalid_request', 'A parameter was sent more than once.');
}

interface ParsedRequest {
  parameters: Parameters;
}

/** Requires `resource`, byte for byte equal to the resource of this server (contract §5.3, RFC 8707). */
export function checkResource(asked: ParsedRequest, server: ServerFacts): void {
  if (!asked.parameters.values.has('resource')) refuse('oauth_invalid_target', '`resource` is missing.');
  checkNamedResource(asked, server);
}

/** Like {@link checkResource}, for a request that may omit `resource`. */
export function checkNamedResource({ parameters }: ParsedRequest, { resource }: ServerFacts): void {
  if ((parameters.values.get('resource') ?? resource) !== resource) refuse('oauth_invalid_target');
}

/** Requires known scopes, separated by single spaces (RFC 6749 §3.3). */
export function checkScope({ parameters }: { parameters: Parameters }, { scopes }: ServerFacts): void {
  const asked = parameters.values.get('scope');
  if (asked === undefined) return;
  const unknown = asked.split(' ').some((scope) => !scopes.includes(scope));
  if (unknown) refuse('oauth_invalid_scope', sentence`Known scopes are: ${ownWords(scopes.join(' '))}.`);
}

export const privateSchemeRemedy =
  'A program that is answered at a scheme of its own connects through mcp-remote.';

/** True if the address has a private-use scheme, such as `cursor:`, and not http or https. */
export function hasPrivateScheme(uri: unknown): boolean {
  return typeof uri === 'string' && /^(?!https?:)[a-z][a-z0-9+.-]*:/i.test(uri);
}

/** Refuses parameters in the address, because logs keep addresses (RFC 6749 §3.2, contract §5.3). */
export function rejectQuery(request: IncomingMessage): void {
  if ((request.url ?? '').includes('?')) {
    refuse('oauth_invalid_request', 'Send the parameters in the body, not in the address.');
  }
}

const secretParameters = ['client_secret', 'client_assertion', 'client_assertion_type'];

/** Every client is public and identifies itself in the body (contract §5.3). A secret that was never issued proves nothing. */
export function rejectOtherAuthentication(request: IncomingMessage, { values }: Parameters): void {
  if (request.headers.authorization !== undefined || secretParameters.some((name) => values.has(name))) {
    refuse('oauth_invalid_client', 'Clients do not authenticate here. Send only `client_id`.');
  }
}

/** The client in a request. Fails with `oauth_invalid_client` for an unknown client (RFC 6749 §5.2). */
export async function findKnownClient(parameters: Parameters, server: ServerFacts): Promise<Client> {
  const client = await server.findClient(requireParameter(parameters, 'client_id'));
  return client ?? refuse('oauth_invalid_client', 'The client is not registered here.');
}

const grantTypes = new Set(['authorization_code', 'refresh_token']);

export const checkGrantType: Check<ClientRequest> = ({ parameters, client }) => {
  const type = requireParameter(parameters, 'grant_type');
  if (!grantTypes.has(type)) refuse('oauth_unsupported_grant_type');
  if (!client.grantTypes.includes(type)) refuse('oauth_unauthorized_client');
};

/** Format of the library's codes and tokens. Other texts are refused unhashed. */
export const tokenPattern = /^[\w-]{20,128}$/;

/** Requires the code and the redirect URI that received it (RFC 6749 §4.1.3). */
export const checkCode: Check<ClientRequest> = ({ parameters }) => {
  const code = requireParameter(parameters, 'code');
  requireParameter(parameters, 'redirect_uri');
  if (!tokenPattern.test(code)) refuse('oauth_invalid_grant');
};

/** Checks only the form (RFC 7636 §4.1). The library compares the verifier with the challenge of the code. */
export const checkCodeVerifier: Check<ClientRequest> = ({ parameters }) => {
  if (!/^[\w.~-]{43,128}$/.test(requireParameter(parameters, 'code_verifier'))) {
    refuse('oauth_invalid_request', '`code_verifier` is not well-formed.');
  }
};

export const checkRefreshToken: Check<ClientRequest> = ({ parameters }) => {
  if (!tokenPattern.test(requireParameter(parameters, 'refresh_token'))) refuse('oauth_invalid_grant');
};

export interface ServerParts {
  options: AuthorizationServerOptions;
  facts: ServerFacts;
  library: OpenLibrary;
  cookies: CookieFilter;
  clients: Clients;
  grants: Grants;
  repeats: RefreshRepeats | null;
  tokenQuota: Quota;
  registrationQuota: Quota;
}

export interface OAuthExchange {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
}

export type Endpoint = (exchange: OAuthExchange) => Promise<void>;

interface Quota {
  take(caller: string): void;
}

const minuteMs = 60_000;

const maxCallers = 1_000;

/** Allows `perMinute` requests per minute and caller; `null` allows all. */
export function createQuota(perMinute: number | null, clock: Pick<Clock, 'monotonicMs'>): Quota {
  const counts = new Map<string, { sinceMs: number; taken: number }>();
  return {
    take(caller) {
      if (perMinute === null) return;
      const nowMs = clock.monotonicMs();
      const found = counts.get(caller);
      const isInWindow = found !== undefined && nowMs < found.sinceMs + minuteMs;
      if (!isInWindow) {
        if (counts.size >= maxCallers) counts.clear();
        counts.set(caller, { sinceMs: nowMs, taken: 1 });
        return;
      }
      if (found.taken >= perMinute) {
        const retryAfterSeconds = Math.ceil((found.sinceMs + minuteMs - nowMs) / 1000);
        throw new AppError('quota_exceeded', { data: { retryAfterSeconds } });
      }
      found.taken += 1;
    },
  };
}
