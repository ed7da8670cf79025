import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Principal } from '../surface.ts';
import type { KeptEvents } from './event-store.ts';
import type { SessionOptions } from './session.ts';

/** How soon a client comes back for a stream that was closed on it. */
const retryIntervalMs = 500;

/** Whether the streams of a session can be resumed: from this version on they say from the beginning where. */
export function isResumable<P extends Principal>({ options, protocolVersion }: SessionOptions<P>): boolean {
  return options.resumption === true && protocolVersion >= '2025-11-25';
}

/** The SDK's transport for one session, with the events that it keeps, if any. */
export function createTransport<P extends Principal>(
  { id, limits }: SessionOptions<P>,
  events: KeptEvents | null,
): WebStandardStreamableHTTPServerTransport {
  return new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    keepAliveMs: limits.keepAliveMs,
    ...(events === null ? {} : { eventStore: events.store, retryInterval: retryIntervalMs }),
  });
}
