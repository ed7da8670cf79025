import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { AppError } from '#shared/errors/index.ts';
import {
  type ServerFacts,
  hasPrivateScheme,
  leadsToServer,
  loopbackHosts,
  privateSchemeRemedy,
  refuse,
  rejectQuery,
  type Endpoint,
  type ServerParts,
} from '../checks.ts';
import type { Client } from '../tokens/grants.ts';
import { sendJson, readJson } from '../http.ts';
import { shapeIn, withPlainForms } from '#shared/lib/credential-shapes.ts';
import { codePointLength } from '#shared/lib/inert-text.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

/** All callers share one quota, because a new client has no id yet. */
const sharedCaller = '';

/**
 * Registration of public clients (RFC 7591 §3). Ignores other metadata,
 * including the scope, which is requested at each authorization.
 */
export function createRegisterEndpoint({
  options,
  facts,
  clients,
  registrationQuota,
}: ServerParts): Endpoint {
  const { registration, ids, clock } = options;
  return async (exchange) => {
    if (registration.kind === 'closed') throw new AppError('oauth_access_denied');
    rejectQuery(exchange.request);
    registrationQuota.take(sharedCaller);
    const client = parseClient(ids.id(), await readJson(exchange.request), facts);
    await clients.save(client);
    sendJson(exchange, 201, {
      client_id: client.clientId,
      client_id_issued_at: Math.floor(clock.nowMs() / 1000),
      ...(client.clientName === null ? {} : { client_name: client.clientName }),
      redirect_uris: client.redirectUris,
      grant_types: client.grantTypes,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
  };
}

function parseClient(clientId: string, metadata: JsonObject, facts: ServerFacts): Client {
  checkAuthenticationMethod(metadata);
  checkResponseTypes(metadata);
  const redirectUris = checkRedirectUris(metadata, facts);
  return {
    clientId,
    redirectUris,
    grantTypes: checkGrantTypes(metadata),
    clientName: checkClientName(metadata),
    anyLoopbackPort: facts.nativeApps && mayVaryPort(redirectUris),
  };
}

/** Clients are public and get no secret (contract §5.3). A client that does not specify a method counts as public. */
function checkAuthenticationMethod({ token_endpoint_auth_method: method }: JsonObject): void {
  if (method !== undefined && method !== 'none') {
    refuse('oauth_invalid_client_metadata', '`token_endpoint_auth_method` must be `none`.');
  }
}

/** Requires `code`, the only supported response type. Drops all others (RFC 7591 §3.2.1). */
function checkResponseTypes({ response_types: types }: JsonObject): void {
  if (types === undefined) return;
  if (!Array.isArray(types) || !types.includes('code')) {
    refuse('oauth_invalid_client_metadata', '`response_types` must include `code`.');
  }
}

const maxUris = 10;
const maxUriLength = 1024;

/** Matches scheme, host and port, without credentials. The host must equal the parsed host, so rewritten hosts are refused. */
const originPattern = /^(https?):\/\/(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?(?:[/?]|$)/i;

/**
 * Requires https, or http on the loopback (contract §5.3). A native app keeps its first acceptable addresses
 * (RFC 7591 §3.2.1) and is refused if none is left. Any other client is refused for one bad address.
 */
function checkRedirectUris(
  { redirect_uris: uris }: JsonObject,
  facts: Pick<ServerFacts, 'nativeApps' | 'resource'>,
): string[] {
  const { nativeApps } = facts;
  if (!Array.isArray(uris) || uris.length === 0 || (!nativeApps && uris.length > maxUris)) {
    refuse('oauth_invalid_redirect_uri', sentence`\`redirect_uris\` must hold 1 to ${maxUris} addresses.`);
  }
  const faults = uris.map((uri) => findFault(uri, facts));
  const accepted = uris.filter((uri, at): uri is string => faults[at] === null);
  const isAccepted = nativeApps ? accepted.length > 0 : accepted.length === uris.length;
  if (isAccepted) return accepted.slice(0, maxUris);
  const fault = faults.find((one) => one !== null) ?? '';
  const hasRemedy = nativeApps && uris.some(hasPrivateScheme);
  refuse(
    'oauth_invalid_redirect_uri',
    sentence`${ownWords(hasRemedy ? `${fault} ${privateSchemeRemedy}` : fault)}`,
  );
}

/** RFC 8252 §7.3. The library accepts https on the loopback only for web applications, whose addresses match exactly. */
function mayVaryPort(uris: readonly string[]): boolean {
  return !uris.some((uri) => {
    const { protocol, hostname } = new URL(uri);
    return protocol === 'https:' && loopbackHosts.has(hostname);
  });
}

function findFault(uri: unknown, facts: Pick<ServerFacts, 'resource'>): string | null {
  if (typeof uri !== 'string' || uri.length > maxUriLength) {
    return 'A redirect URI must be a text of at most 1024 characters.';
  }
  if (!/^[!-~]+$/.test(uri) || /[\\#*<>"{}|^`]/.test(uri)) {
    return 'A redirect URI must be exact: no fragment, no wildcard.';
  }
  const parsed = URL.parse(uri);
  const [, scheme, host] = originPattern.exec(uri) ?? [];
  if (parsed === null || scheme === undefined || host?.toLowerCase() !== parsed.hostname) {
    return 'A redirect URI must be https, or http on localhost.';
  }
  const isRemoteHttp = parsed.protocol === 'http:' && !loopbackHosts.has(parsed.hostname);
  if (isRemoteHttp) return 'http is for localhost only.';
  return leadsToServer(parsed, facts) ? 'A redirect URI must not lead to this server itself.' : null;
}

const supportedGrantTypes = ['authorization_code', 'refresh_token'];

/** Registers `authorization_code`, and `refresh_token` if requested (RFC 7591 §2). Drops other types (RFC 7591 §3.2.1). */
function checkGrantTypes({ grant_types: types }: JsonObject): string[] {
  if (types === undefined) return ['authorization_code'];
  if (!Array.isArray(types) || !types.includes('authorization_code')) {
    refuse('oauth_invalid_client_metadata', '`grant_types` must include `authorization_code`.');
  }
  return supportedGrantTypes.filter((type) => types.includes(type));
}

const maxNameLength = 200;

/** The client's name for people and for the ledger: untrusted text of limited length, without a credential. */
function checkClientName({ client_name: name }: JsonObject): string | null {
  if (name === undefined) return null;
  if (typeof name !== 'string' || name === '' || codePointLength(name) > maxNameLength) {
    refuse('oauth_invalid_client_metadata', '`client_name` must be a text of at most 200 characters.');
  }
  const credential = shapeIn(withPlainForms(name));
  if (credential !== null) {
    refuse(
      'oauth_invalid_client_metadata',
      sentence`\`client_name\` looks like ${ownWords(credential)}. Leave it out.`,
    );
  }
  return name;
}
