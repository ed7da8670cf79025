import type { Client } from '../../clients.ts';
import type { Parameters } from '../../http/parameters.ts';
import type { ServerFacts } from '../facts.ts';

/** An authorization request on its way through the checks. */
export interface AskedAuthorization {
  parameters: Parameters;
  /** Assigned by the check that finds it. */
  client: Client | null;
}

/** A check of the authorization endpoint. */
export type AuthorizationCheck = (asked: AskedAuthorization, server: ServerFacts) => void | Promise<void>;
