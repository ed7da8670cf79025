import type { Client } from '../clients.ts';
import type { Parameters } from '../http/parameters.ts';

/** What the checks know of the server. */
export interface ServerFacts {
  resource: string;
  /** Every scope, in the order of the metadata. */
  scopes: readonly string[];
  /** What a request without scopes asks for. */
  defaultScopes: readonly string[];
  /** Programs of this machine register here (RFC 8252). */
  nativeApps: boolean;
  findClient(clientId: string): Promise<Client | null>;
}

/** A request of a client that is known. */
export interface ClientRequest {
  parameters: Parameters;
  client: Client;
}

/** Looks at one property of a request; throws an `AppError` to refuse. */
export type Check<Asked> = (asked: Asked, server: ServerFacts) => void;
