import { answerRefusal } from './answer-refusal.ts';
import { beginExchange, type Endpoint } from './exchange.ts';
import { defaultMcpLimits, type McpServer, type McpServerOptions } from './mcp-server.ts';
import { createSessions } from './session/sessions.ts';
import type { McpSurface, Principal } from './surface.ts';

/** Loads the modules that answer requests, and the SDK with them. */
export const loadMcpServer = () => import('./answer-request.ts');

/** Makes the endpoint; nothing is listened to. */
export function createMcpServer<P extends Principal>(options: McpServerOptions<P>): McpServer {
  const limits = { ...defaultMcpLimits, ...options.limits };
  const sessions = createSessions(options, limits);
  const endpoint: Endpoint<P> = { options, limits, sessions };
  return {
    handle(request, response) {
      const exchange = beginExchange<P>(request, response);
      // With the first request comes the SDK, which no start of the core waits for.
      void loadMcpServer()
        .then(({ answerRequest }) => answerRequest(exchange, endpoint))
        .catch((failure: unknown) => answerRefusal(failure, exchange, options));
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
    },
    resourceChanged(uri) {
      for (const session of sessions.all()) session.notifyChangedResource(uri);
    },
    endGrant(grantId) {
      for (const session of sessions.all()) if (session.usesGrant(grantId)) void sessions.drop(session);
    },
    get sessions() {
      return sessions.size;
    },
    present: () => new Set(sessions.all().map(({ principal }) => principal.key)),
    dispose: () => sessions.dispose(),
  };
}

function asOfNow<P extends Principal>(principal: P, { current }: McpSurface<P>): P | null {
  return current === undefined ? principal : current(principal);
}
