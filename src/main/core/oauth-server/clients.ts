import type { Clock } from '#core/platform/clock.ts';
import type { OAuthRows } from '#core/store/oauth-rows.ts';
import type { OpenLibrary } from './library/exchange.ts';
import { hashOf } from './tokens/stored-tokens.ts';
import type { AdapterPayload, ClientMetadata } from 'oidc-provider';
import type { KnownClient } from './authorization-server.ts';

/** The clients that are known; those that never got a token give way first, then the least recently used. */
export interface Clients {
  find(clientId: string): Promise<Client | null>;
  save(client: Client): Promise<void>;
  /** It got a token: makes it the most recently used. */
  used(clientId: string): void;
}

const longestClientId = 200;

interface ClientParts {
  library: OpenLibrary;
  rows: OAuthRows;
  clock: Clock;
  /** Maximum number of stored clients. */
  max: number;
}

/** Clients behind the library's adapter. */
export function createClients({ library, rows, clock, max }: ClientParts): Clients {
  return {
    async find(clientId) {
      if (clientId.length > longestClientId) return null;
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
    used(clientId) {
      rows.consume('Client', hashOf(clientId), clock.nowMs());
      rows.renew('Client', hashOf(clientId), null);
    },
  };
}

export interface Client {
  clientId: string;
  /** Foreign text. */
  clientName: string | null;
  redirectUris: readonly string[];
  grantTypes: readonly string[];
  /** A native app: an http address of it on the loopback is its own with any port (RFC 8252 §7.3). */
  anyLoopbackPort: boolean;
}

/** Known clients as the library takes them at its start. */
export function knownClientMetadata({ clientId, clientName, redirectUris }: KnownClient): ClientMetadata {
  const grantTypes = ['authorization_code', 'refresh_token'];
  const client = { clientId, clientName, redirectUris, grantTypes, anyLoopbackPort: false };
  return { ...metadataOf(client), client_id: clientId };
}

/** The stored metadata of a client, in the words of RFC 7591. The scope is left out: what was named at registration is no cap. */
function metadataOf({ clientName, redirectUris, grantTypes, anyLoopbackPort }: Client): AdapterPayload {
  return {
    ...(clientName === null ? {} : { client_name: clientName }),
    redirect_uris: redirectUris,
    grant_types: grantTypes,
    response_types: redirectUris.length > 0 ? ['code'] : [],
    token_endpoint_auth_method: 'none',
    // By this the library knows whether an address on the loopback matches with any port.
    application_type: anyLoopbackPort ? 'native' : 'web',
  };
}
