import type Provider from 'oidc-provider';
import type { AdapterFactory, AdapterPayload, ClientMetadata } from 'oidc-provider';
import type { Clock } from '#core/platform/clock.ts';
import type { OAuthRows } from '#core/store/oauth/index.ts';
import type { KnownClient } from './authorization-server.ts';
import { hashOf } from './tokens/stored-tokens.ts';

/** A client as the checks see it. */
export interface Client {
  clientId: string;
  /** Foreign text. */
  clientName: string | null;
  redirectUris: readonly string[];
  grantTypes: readonly string[];
  /** A native app: an http address of it on the loopback is its own with any port (RFC 8252 §7.3). */
  anyLoopbackPort: boolean;
}

/** The clients that are known; those that never got a token give way first, then the least recently used. */
export interface Clients {
  find(clientId: string): Promise<Client | null>;
  save(client: Client): Promise<void>;
  /** It got a token: makes it the most recently used. */
  used(clientId: string): void;
}

/** The longest id that is looked for. */
const longestClientId = 200;

/** The parts that clients are stored with. */
export interface ClientParts {
  provider: Provider;
  adapter: AdapterFactory;
  rows: OAuthRows;
  clock: Clock;
  /** Maximum number of stored clients. */
  most: number;
}

/** Clients behind the library's adapter. */
export function createClients({ provider, adapter, rows, clock, most }: ClientParts): Clients {
  const stored = adapter('Client');
  return {
    async find(clientId) {
      if (clientId.length > longestClientId) return null;
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
      await provider.Client.validate({ ...metadata, client_id: client.clientId });
      await stored.upsert(client.clientId, metadata);
      rows.keepNewest('Client', most);
    },
    used(clientId) {
      rows.consume('Client', hashOf(clientId), clock.nowMs());
      rows.renew('Client', hashOf(clientId), null);
    },
  };
}

/** Known clients as the library takes them at its start. */
export function knownClientMetadata({ clientId, clientName, redirectUris }: KnownClient): ClientMetadata {
  const grantTypes = ['authorization_code', 'refresh_token'];
  const client = { clientId, clientName, redirectUris, grantTypes, anyLoopbackPort: false };
  return { ...metadataOf(client), client_id: clientId };
}

/** In the words of RFC 7591. The scope is left out: what was named at registration is no cap. */
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
