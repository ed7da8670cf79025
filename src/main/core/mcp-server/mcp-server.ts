import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { LoopbackHandler } from '#core/platform/loopback/listener.ts';
import { answerRefusal } from './rpc-error.ts';
import type { Exchanges } from './exchange/exchanges.ts';
import { createSessions } from './session/sessions.ts';
import type { McpLimits, McpServerOptions, McpSurface, Principal } from './surface.ts';

/** One MCP endpoint over Streamable HTTP, with sessions (contract §4.3) and without. The creator disposes it. */
export interface McpServer extends AsyncDisposable {
  handle: LoopbackHandler;
  /** Sends `list_changed` to the clients whose key passes and whose own lists differ from those that they last saw. */
  listsChanged(isConcerned: (key: string) => boolean): void;
  resourceChanged(uri: string): void;
  endGrant(grantId: string): void;
  readonly sessions: number;
  /** The principals whose call runs, whose stream is open, or whose latest request without a session is minutes old, by their keys. */
  present(): ReadonlySet<string>;
}

/** Fits one person with a handful of agents. An upload travels as base64 inside a call, hence the size of a body. */
const defaultMcpLimits: McpLimits = {
  maxBodyBytes: 4 * 1024 * 1024,
  maxBatch: 20,
  maxSessions: 256,
  maxSessionsPerPrincipal: 16,
  sessionIdleMs: 30 * 60_000,
  maxCallsPerSession: 16,
  maxSubscriptionsPerSession: 100,
  keepAliveMs: 15_000,
};

/** Loads the modules that answer requests, and the SDK with them. */
export const loadMcpServer = () => import('./answer-request.ts');

export function createMcpServer<P extends Principal>(options: McpServerOptions<P>): McpServer {
  const limits = { ...defaultMcpLimits, ...options.limits };
  const sessions = createSessions(options, limits);
  let exchanges: Exchanges<P> | null = null;
  return {
    handle(request, response) {
      // With the first request comes the SDK, which no start of the core waits for.
      void loadMcpServer()
        .then(({ answerRequest, createExchanges }) => {
          exchanges ??= createExchanges(options, limits);
          return answerRequest(request, response, { options, limits, sessions, exchanges });
        })
        .catch((failure: unknown) => answerRefusal(failure, { request, response, id: null }, options));
    },
    listsChanged(isConcerned) {
      for (const session of sessions.all()) {
        if (!isConcerned(session.principal.key)) continue;
        const now = asOfNow(session.principal, options.surface);
        if (now === null) {
          void sessions.drop(session);
          continue;
        }
        session.seen(now);
        session.notifyChangedLists();
      }
      exchanges?.listsChanged(isConcerned);
    },
    resourceChanged(uri) {
      for (const session of sessions.all()) session.notifyChangedResource(uri);
    },
    endGrant(grantId) {
      for (const session of sessions.all()) if (session.usesGrant(grantId)) void sessions.drop(session);
      exchanges?.endGrant(grantId);
    },
    get sessions() {
      return sessions.size;
    },
    present: () =>
      new Set([
        ...sessions
          .all()
          .filter(({ isBusy }) => isBusy)
          .map(({ principal }) => principal.key),
        ...(exchanges?.present() ?? []),
      ]),
    async dispose() {
      await Promise.all([sessions.dispose(), exchanges?.dispose()]);
    },
  };
}

function asOfNow<P extends Principal>(principal: P, { current }: McpSurface<P>): P | null {
  return current === undefined ? principal : current(principal);
}
