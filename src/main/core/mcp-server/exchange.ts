import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import type { McpLimits, McpServerOptions } from './mcp-server.ts';
import type { Message, RequestId } from './message.ts';
import type { Principal } from './surface.ts';

/** One HTTP request on its way through the checks; each check adds what it found. */
export interface Exchange<P extends Principal> {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Known after `authenticateCaller`. */
  principal: P | null;
  /** The session that the request names; null if it names none. */
  session: Session<P> | null;
  body: Buffer;
  value: JsonValue;
  /** One message, or those of a batch in their order. */
  messages: readonly Message[];
  isBatch: boolean;
}

/** One session of one principal: an SDK server with its transport, and the calls that run. */
export interface Session<P extends Principal> {
  readonly id: string;
  /** The principal of its latest request. */
  readonly principal: P;
  readonly protocolVersion: string;
  /** Requests whose work has not ended, those included that were given up. */
  readonly running: number;
  /** A call is running or a stream is open. */
  readonly isBusy: boolean;
  isRunning(id: RequestId): boolean;
  /**
   * True if a stream can be resumed after this event. If no stream can, the header is ignored, as the protocol
   * requires.
   */
  canResumeAfter(eventId: string): boolean;
  /** Another request came: the same principal, as of now. */
  seen(principal: P): void;
  /** True if any of its requests came with this grant. */
  usesGrant(grantId: string): boolean;
  /** Answers a request that has passed every check. Fails with what the transport refuses. */
  serve(exchange: Exchange<P>): void;
  /** Says over its stream which lists are other ones than it knows; later, where no stream is open. */
  notifyChangedLists(): void;
  /** Says that a resource changed, if it wanted to know. */
  notifyChangedResource(uri: string): void;
  /** Answers its calls and ends its streams; resolves within a little more than two seconds. */
  end(): Promise<void>;
}

/** The open sessions of one endpoint, within its limits. */
export interface Sessions<P extends Principal> extends AsyncDisposable {
  readonly size: number;
  /** The session of this id, now used. Fails with `session_unknown`, the same for another principal's as for none. */
  use(id: string, principal: P): Session<P>;
  /** Opens a session; what is over a limit ends, the least recently used first, and those whose calls run last. Fails with `shutting_down`. */
  open(principal: P, protocolVersion: string): Promise<Session<P>>;
  /** Ends a session as its client asked. Fails as the surface does. */
  end(session: Session<P>): Promise<void>;
  /** Ends a session unasked. Failures of the surface go to the log. */
  drop(session: Session<P>): Promise<void>;
  all(): Session<P>[];
}

/** The parts that every check may use. */
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

/** Returns the caller; throws if `authenticateCaller` has not run. */
export function callerOf<P extends Principal>({ principal }: Exchange<P>): P {
  if (principal === null) throw new Error('The caller is not known yet');
  return principal;
}
