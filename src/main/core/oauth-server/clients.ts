import type { Clock } from '#core/platform/clock.ts';
import type { OAuthRows } from '#core/store/oauth-rows.ts';
import { type Client, metadataOf } from './client-metadata.ts';
import type { OpenLibrary } from './library/library.ts';
import { hashOf } from './tokens/stored-tokens.ts';

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
