import { createHash } from 'node:crypto';
import type { Clock } from '#core/platform/clock.ts';
import type { OAuthRows, OAuthRow } from '#core/store/oauth-rows.ts';
import type {
  AccessGrant,
  AuthorizationServerOptions,
  GrantToIssue,
  IssuedGrant,
  KnownClient,
} from '../authorization-server.ts';
import type { OpenLibrary } from '../library/exchange.ts';
import type { AdapterPayload, ClientMetadata } from 'oidc-provider';
import { createRecentMap } from '#core/platform/recent-map.ts';

/** The known clients. At the limit, clients that never got a token are removed first, then the least recently used. */
export interface Clients {
  find(clientId: string): Promise<Client | null>;
  save(client: Client): Promise<void>;
  markUsed(clientId: string): void;
}

const maxClientIdLength = 200;

interface ClientParts {
  library: OpenLibrary;
  rows: OAuthRows;
  clock: Clock;
  max: number;
}

export function createClients({ library, rows, clock, max }: ClientParts): Clients {
  return {
    async find(clientId) {
      if (clientId.length > maxClientIdLength) return null;
      const { provider } = await library();
      const found = await provider.Client.find(clientId);
      if (found === undefined) return null;
      return {
        clientId,
        clientName: found.clientName ?? null,
        redirectUris: found.redirectUris ?? [],
        grantTypes: found.grantTypes ?? [],
        anyLoopbackPort: found.applicationType === 'native',
      };
    },
    async save(client) {
      const metadata = metadataOf(client);
      const { provider, clients: stored } = await library();
      await provider.Client.validate({ ...metadata, client_id: client.clientId });
      await stored.upsert(client.clientId, metadata);
      rows.keepNewest('Client', max);
    },
    markUsed(clientId) {
      rows.consume('Client', hashId(clientId), clock.nowMs());
      rows.renew('Client', hashId(clientId), null);
    },
  };
}

export interface Client {
  clientId: string;
  /** Untrusted text. */
  clientName: string | null;
  redirectUris: readonly string[];
  grantTypes: readonly string[];
  /** True for a native app, whose http addresses on the loopback match any port (RFC 8252 §7.3). */
  anyLoopbackPort: boolean;
}

export function knownClientMetadata({ clientId, clientName, redirectUris }: KnownClient): ClientMetadata {
  const grantTypes = ['authorization_code', 'refresh_token'];
  const client = { clientId, clientName, redirectUris, grantTypes, anyLoopbackPort: false };
  return { ...metadataOf(client), client_id: clientId };
}

/** A client's metadata as RFC 7591 names them. Omits the scope, because a scope at registration is not a limit. */
function metadataOf({ clientName, redirectUris, grantTypes, anyLoopbackPort }: Client): AdapterPayload {
  return {
    ...(clientName === null ? {} : { client_name: clientName }),
    redirect_uris: redirectUris,
    grant_types: grantTypes,
    response_types: redirectUris.length > 0 ? ['code'] : [],
    token_endpoint_auth_method: 'none',
    // The library derives from this whether a loopback address matches any port.
    application_type: anyLoopbackPort ? 'native' : 'web',
  };
}

interface GrantParts {
  options: Pick<AuthorizationServerOptions, 'resource' | 'scopes'>;
  library: OpenLibrary;
  clients: Clients;
  tokens: TokenCache<CachedToken>;
  clock: Clock;
}

export interface CachedToken {
  grant: AccessGrant;
  /** Expiry of the grant; null if the grant never expires. */
  grantEndsAtMs: number | null;
}

export interface Grants {
  save(grant: { subject: string; clientId: string; scopes: readonly string[] }): Promise<string>;
  authenticate<T>(token: string, find: (grant: AccessGrant) => T | null): T | null;
  issue(options: GrantToIssue): Promise<IssuedGrant>;
}

interface StoredAccessToken {
  accountId: string;
  clientId: string;
  grantId: string;
  aud: string;
  scope?: string;
}

export function createGrants({ options, library, clients, tokens, clock }: GrantParts): Grants {
  const { resource, scopes: knownScopes } = options;
  const saveAs = async (
    id: string | null,
    { subject, clientId, scopes }: Parameters<Grants['save']>[0],
  ): Promise<string> => {
    const { provider } = await library();
    const grant = new provider.Grant({ accountId: subject, clientId });
    if (id !== null) grant.jti = id;
    grant.addResourceScope(resource, scopes.join(' '));
    return grant.save();
  };
  return {
    save: (grant) => saveAs(null, grant),
    authenticate(token, find) {
      const living = tokens.get(token, (rows) => readToken(rows, token));
      if (living === null || isExpired(living.grant, clock)) return null;
      if (isExpired({ expiresAtMs: living.grantEndsAtMs }, clock)) return null;
      return find(living.grant);
    },
    async issue({ subject, clientName, scopes, isPersistent = false }) {
      const unknown = scopes.filter((scope) => !knownScopes.some(({ name }) => name === scope));
      if (unknown.length > 0) throw new Error(`Unknown scopes: ${unknown.join(' ')}`);
      const clientId = ownClientId(clientName);
      await clients.save({
        clientId,
        clientName,
        redirectUris: [],
        grantTypes: ['refresh_token'],
        anyLoopbackPort: false,
      });
      clients.markUsed(clientId);
      const ownId = isPersistent ? createOwnId(`${clientId} ${subject} ${scopes.join(' ')}`) : null;
      const grantId = await saveAs(ownId, { subject, clientId, scopes });
      return { clientId, grantId, ...(await issueTokens({ subject, clientId, grantId, scopes })) };
    },
  };

  function readToken(rows: OAuthRows, token: string): CachedToken | null {
    const row = rows.find('AccessToken', hashId(token));
    if (row === null || row.expiresAtMs === null) return null;
    const { accountId, clientId, grantId, aud, scope } = JSON.parse(row.payload) as StoredAccessToken;
    const grant = aud === resource ? rows.find('Grant', hashId(grantId)) : null;
    if (grant === null) return null;
    const scopes = new Set(scope?.split(' '));
    return {
      grant: { subject: accountId, clientId, grantId, scopes, expiresAtMs: row.expiresAtMs },
      grantEndsAtMs: grant.expiresAtMs,
    };
  }

  async function issueTokens(grant: {
    subject: string;
    clientId: string;
    grantId: string;
    scopes: readonly string[];
  }): Promise<Omit<IssuedGrant, 'clientId' | 'grantId'>> {
    const { subject, clientId, grantId, scopes } = grant;
    const { provider } = await library();
    const client = await provider.Client.find(clientId);
    if (client === undefined) throw new Error('The client was not kept');
    const scope = scopes.join(' ');
    const common = { client, accountId: subject, grantId, gty: 'authorization_code', scope };
    const resourceServer = new provider.ResourceServer(resource, { scope, accessTokenFormat: 'opaque' });
    const access = new provider.AccessToken({ ...common, resourceServer });
    access.scope = scope;
    const refresh = new provider.RefreshToken({ ...common, resource, rotations: 0 });
    const accessToken = await access.save();
    const refreshToken = await refresh.save();
    return { accessToken, refreshToken, expiresInSeconds: access.expiration, scopes };
  }
}

/** Derived from the name, so that the client is the same after a restart and can still commit its prepared changes. */
function ownClientId(clientName: string): string {
  return createOwnId(clientName);
}

function createOwnId(text: string): string {
  return `own-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}

/** The id of a row. Only a hash is stored, because an id may be a token. */
export function hashId(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}

export function isExpired({ expiresAtMs }: Pick<OAuthRow, 'expiresAtMs'>, clock: Clock): boolean {
  return expiresAtMs !== null && expiresAtMs <= clock.nowMs();
}

const maxCachedTokens = 256;

/** Caches the grants of access tokens. Any write of the authorization server clears it, so that a revoked token is refused. */
interface TokenCache<T> {
  rows: OAuthRows;
  /** The cached grant of the token, or the result of `read`. Does not cache null. */
  get(token: string, read: (rows: OAuthRows) => T | null): T | null;
}

/** Agents call repeatedly with one token. Only the exact text of the token hits the cache. */
export function createTokenCache<T>(rows: OAuthRows): TokenCache<T> {
  const remembered = createRecentMap<string, T>(maxCachedTokens);
  const clearBefore =
    <Args extends unknown[], R>(write: (...args: Args) => R) =>
    (...args: Args): R => {
      remembered.clear();
      return write(...args);
    };
  return {
    rows: {
      find: (model, idHash) => rows.find(model, idHash),
      count: (model) => rows.count(model),
      upsert: clearBefore((row) => rows.upsert(row)),
      consume: clearBefore((model, idHash, atMs) => rows.consume(model, idHash, atMs)),
      renew: clearBefore((model, idHash, expiresAtMs) => rows.renew(model, idHash, expiresAtMs)),
      remove: clearBefore((model, idHash) => rows.remove(model, idHash)),
      removeByGrant: clearBefore((grantId) => rows.removeByGrant(grantId)),
      keepNewest: clearBefore((model, max) => rows.keepNewest(model, max)),
      prune: clearBefore((nowMs) => rows.prune(nowMs)),
    },
    get(token, read) {
      const found = remembered.get(token) ?? read(rows);
      if (found === null) return null;
      remembered.set(token, found);
      return found;
    },
  };
}
