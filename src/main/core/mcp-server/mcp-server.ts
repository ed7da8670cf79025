import type { IncomingMessage } from 'node:http';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { LoopbackHandler } from '#core/platform/loopback/listener.ts';
import type { McpSurface, Principal } from './surface.ts';

export interface McpLimits {
  /** Of one request body. */
  maxBodyBytes: number;
  /** Messages of one batch, where the protocol has batches. */
  maxBatch: number;
  /** Open at once, of all principals and of one; beyond it the least recently used ends, and one whose call runs last. */
  maxSessions: number;
  maxSessionsPerPrincipal: number;
  /** An unused session without an open stream ends after so long. */
  sessionIdleMs: number;
  /** Running calls of one session; more are 429. */
  maxCallsPerSession: number;
  maxSubscriptionsPerSession: number;
  /** Interval of the comments on a stream, so that no proxy takes it for dead. */
  keepAliveMs: number;
}

export interface McpServerOptions<P extends Principal> {
  /** The server's name in the answer to `initialize`. */
  info: { name: string; title: string; version: string };
  instructions: string;
  surface: McpSurface<P>;
  /**
   * Returns the sender of this request. Fails with an `AppError`: `token_invalid` (401) and `scope_missing` (403) carry a challenge
   * in `WWW-Authenticate` (RFC 6750 §3, RFC 9728 §5.1); anything else is answered with its status.
   */
  authenticate(request: IncomingMessage): Promise<P>;
  /** Goes into every challenge. */
  resourceMetadataUrl: string;
  limits?: Partial<McpLimits>;
  /** Lets a broken stream be resumed where it ended (MCP, Resumability); off by default. */
  resumption?: boolean;
  /** A session was opened or has ended. */
  onSessions?(): void;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}

/** One MCP endpoint over Streamable HTTP with sessions (contract §4.3). The creator disposes it. */
export interface McpServer extends AsyncDisposable {
  handle: LoopbackHandler;
  /**
   * Notifies the sessions whose principal key passes that lists may have changed. A session gets a notification over
   * its stream (`list_changed` for tools, resources and prompts) if its own list differs from the one that it last
   * saw.
   */
  listsChanged(isConcerned: (key: string) => boolean): void;
  /** Notifies the sessions that subscribed to a changed resource. */
  resourceChanged(uri: string): void;
  /** Ends the sessions of a grant. */
  endGrant(grantId: string): void;
  readonly sessions: number;
  /** The principals with an open session, by their keys. */
  present(): ReadonlySet<string>;
}

/** Fits one person with a handful of agents. An upload travels as base64 inside a call, hence the size of a body. */
export const defaultMcpLimits: McpLimits = {
  maxBodyBytes: 4 * 1024 * 1024,
  maxBatch: 20,
  maxSessions: 256,
  maxSessionsPerPrincipal: 16,
  sessionIdleMs: 30 * 60_000,
  maxCallsPerSession: 16,
  maxSubscriptionsPerSession: 100,
  keepAliveMs: 15_000,
};
