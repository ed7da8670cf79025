import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { Adapter } from 'oidc-provider';
import type { AuthorizationServerOptions } from '../authorization-server.ts';
import type { AdapterParts } from './adapter.ts';
import type { LibraryExchange } from './exchange.ts';

/** A sign-in that a browser began. */
export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** The library oidc-provider, set up as this server. */
export interface Library extends LibraryExchange {
  provider: Provider;
  /** The stored clients. */
  clients: Adapter;
  /** The interaction whose cookies the request carries, or null. */
  findInteraction(request: IncomingMessage, response: ServerResponse): Promise<Interaction | null>;
}

/** Settings of the library. */
export interface LibraryOptions extends AdapterParts {
  options: Pick<
    AuthorizationServerOptions,
    'issuer' | 'resource' | 'scopes' | 'isActive' | 'ids' | 'knownClients'
  >;
  /** The library has ended a grant by itself. */
  onEnded(grantId: string): void;
}

/** Opens the library once, at the first request that needs it: it is large, and no start of the core waits for it. */
export type OpenLibrary = () => Promise<Library>;

/** The names of the library's cookies. Cookies cross ports on one host, so the names carry the port. */
export function cookieNames(issuer: string) {
  const { port } = new URL(issuer);
  return {
    session: `countersign-${port}-session`,
    interaction: `countersign-${port}-interaction`,
    resume: `countersign-${port}-resume`,
  };
}
