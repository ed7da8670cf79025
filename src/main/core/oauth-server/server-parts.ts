import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthorizationServerOptions } from './authorization-server.ts';
import type { ServerFacts } from './checks/every-request.ts';
import type { Clients } from './clients.ts';
import type { Grants } from './tokens/grants.ts';
import type { CookieFilter } from './http/request.ts';
import type { OpenLibrary } from './library/library.ts';
import type { Quota } from './quota.ts';
import type { RefreshRepeats } from './tokens/refresh-repeats.ts';

/** The parts that the endpoints use. */
export interface ServerParts {
  options: AuthorizationServerOptions;
  facts: ServerFacts;
  library: OpenLibrary;
  cookies: CookieFilter;
  clients: Clients;
  grants: Grants;
  /** Null if no refresh is answered a second time. */
  repeats: RefreshRepeats | null;
  tokenQuota: Quota;
  registrationQuota: Quota;
}

/** One request and its answer. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** The path of the request, without its query. */
  path: string;
}

/** Answers one request; what it throws is answered by its caller. */
export type Endpoint = (exchange: Exchange) => Promise<void>;
