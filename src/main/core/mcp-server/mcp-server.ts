import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { LoopbackHandler } from '#core/platform/loopback/listener.ts';
import { answerRefusal } from './rpc-error.ts';
import type { Exchanges } from './exchange/exchanges.ts';
import { createSessions } from './session/sessions.ts';
import type { McpLimits, McpServerOptions, McpSurface, Principal } from './surface.ts';

/** One MCP endpoint over Streamable HTTP, with sessions (contract §4.3) and without. The creator disposes it. */
export interface McpServer extends AsyncDisposable {
  handle: LoopbackHandler;
  /** Sends `list_changed` to the clients with a concerned key whose lists differ from those that they last saw. */
  listsChanged(isConcerned: (key: string) => boolean): void;
  resourceChanged(uri: string): void;
  endGrant(grantId: string): void;
  readonly sessions: number;
  /** The keys of principals with a running call, an open stream, or a request without a session in the last five minutes. */
  present(): ReadonlySet<string>;
}

/** Limits for one person with a few agents. Bodies may be large, because a call may contain an upload in Base64. */
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

/** Loads the modules that answer requests, and the SDK. */
export const loadMcpServer = () => import('./answer-request.ts');

export function createMcpServer<P extends Principal>(options: McpServerOptions<P>): McpServer {
  const limits = { ...defaultMcpLimits, ...options.limits };
  const sessions = createSessions(options, limits);
  let exchanges: Exchanges<P> | null = null;
  let loaded: Promise<(...exchange: Parameters<LoopbackHandler>) => Promise<void>> | null = null;

  async function load() {
    const { answerRequest, createExchanges } = await loadMcpServer();
    const endpoint = { options, limits, sessions, exchanges: createExchanges(options, limits) };
    ({ exchanges } = endpoint);
    return (...[request, response]: Parameters<LoopbackHandler>) =>
      answerRequest(request, response, endpoint);
  }

  return {
    handle(request, response) {
      // The first request loads the SDK, so that the start of the core does not wait for it.
      loaded ??= load();
      void loaded
        .then((answer) => answer(request, response))
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
