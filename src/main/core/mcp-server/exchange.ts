import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import type { McpLimits, McpServerOptions } from './mcp-server.ts';
import type { Message } from './message.ts';
import type { Session } from './session/session.ts';
import type { Sessions } from './session/sessions.ts';
import type { Principal } from './surface.ts';

/** One HTTP request on its way through the checks; each check adds what it found. */
export interface Exchange<P extends Principal> {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Known after `authenticateCaller`. */
  principal: P | null;
  /** The session that the request names; null where it names none. */
  session: Session<P> | null;
  body: Buffer;
  value: JsonValue;
  /** One message, or those of a batch in their order. */
  messages: readonly Message[];
  isBatch: boolean;
}

/** What every check may look at. */
export interface Endpoint<P extends Principal> {
  options: McpServerOptions<P>;
  limits: McpLimits;
  sessions: Sessions<P>;
}

/** One check of a request: passes, adds to the exchange, or throws an `AppError` that is the answer. */
export type Check = <P extends Principal>(
  exchange: Exchange<P>,
  endpoint: Endpoint<P>,
) => void | Promise<void>;

/** A request before anything is known of it. */
export function beginExchange<P extends Principal>(
  request: IncomingMessage,
  response: ServerResponse,
): Exchange<P> {
  return {
    request,
    response,
    principal: null,
    session: null,
    body: Buffer.alloc(0),
    value: null,
    messages: [],
    isBatch: false,
  };
}

/** Who sends it; a bug where nobody has asked yet. */
export function callerOf<P extends Principal>({ principal }: Exchange<P>): P {
  if (principal === null) throw new Error('The caller is not known yet');
  return principal;
}
