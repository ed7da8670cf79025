import { createHash } from 'node:crypto';
import type { Clock } from '#core/platform/clock.ts';
import type { OAuthRows } from '#core/store/oauth-rows.ts';
import type {
  AccessGrant,
  AuthorizationServerOptions,
  GrantToIssue,
  IssuedGrant,
} from '../authorization-server.ts';
import type { Clients } from '../clients.ts';
import type { OpenLibrary } from '../library/exchange.ts';
import { hashOf, isOver, type RememberedTokens } from './stored-tokens.ts';

interface GrantParts {
  options: Pick<AuthorizationServerOptions, 'resource' | 'scopes' | 'isActive'>;
  library: OpenLibrary;
  clients: Clients;
  tokens: RememberedTokens<LivingToken>;
  clock: Clock;
}

export interface LivingToken {
  grant: AccessGrant;
  /** When its grant ends, if it does before the token. */
  grantEndsAtMs: number | null;
}

export interface Grants {
  /** Keeps what a person agreed to; returns the id. */
  save(grant: { subject: string; clientId: string; scopes: readonly string[] }): Promise<string>;
  authenticate(token: string): AccessGrant | null;
  issue(options: GrantToIssue): Promise<IssuedGrant>;
}

/** The members of a stored access token that are read; this server wrote it. */
interface StoredAccessToken {
  accountId: string;
  clientId: string;
  grantId: string;
  aud: string;
  scope?: string;
}

/** Grants in the rows, made through the library's models so that its endpoints know them. */
export function createGrants({ options, library, clients, tokens, clock }: GrantParts): Grants {
  const { resource, scopes: known, isActive } = options;
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
    authenticate(token) {
      const living = tokens.get(token, (rows) => readToken(rows, token));
      if (living === null || isOver(living.grant, clock)) return null;
      if (isOver({ expiresAtMs: living.grantEndsAtMs }, clock)) return null;
      return isActive(living.grant.subject) ? living.grant : null;
    },
    async issue({ subject, clientName, scopes, isLasting = false }) {
      const unknown = scopes.filter((scope) => !known.some(({ name }) => name === scope));
      if (unknown.length > 0) throw new Error(`Unknown scopes: ${unknown.join(' ')}`);
      const clientId = ownClientId(clientName);
      await clients.save({
        clientId,
        clientName,
        redirectUris: [],
        grantTypes: ['refresh_token'],
        anyLoopbackPort: false,
      });
      clients.used(clientId);
      const ownId = isLasting ? idOf(`${clientId} ${subject} ${scopes.join(' ')}`) : null;
      const grantId = await saveAs(ownId, { subject, clientId, scopes });
      return { clientId, grantId, ...(await issueTokens({ subject, clientId, grantId, scopes })) };
    },
  };

  function readToken(rows: OAuthRows, token: string): LivingToken | null {
    const row = rows.find('AccessToken', hashOf(token));
    if (row === null || row.expiresAtMs === null) return null;
    const { accountId, clientId, grantId, aud, scope } = JSON.parse(row.payload) as StoredAccessToken;
    const grant = aud === resource ? rows.find('Grant', hashOf(grantId)) : null;
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

/** The same name is the same client after a restart, so that what was prepared by it can still be committed. */
function ownClientId(clientName: string): string {
  return idOf(clientName);
}

function idOf(text: string): string {
  return `own-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}
