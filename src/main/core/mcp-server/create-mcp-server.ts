import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { AppError } from '#shared/errors/index.ts';
import { answerRefusal } from './answer-refusal.ts';
import {
  checkAdmitted,
  checkBatch,
  checkRequestIds,
  checkRunningCalls,
  checkSessionFits,
  parseMessageBody,
  readMessageBody,
  readMessages,
} from './checks/messages.ts';
import {
  authenticateCaller,
  checkAcceptsBoth,
  checkAcceptsStream,
  checkJsonType,
  checkLastEvent,
  checkProtocolVersion,
  findNamedSession,
  requireSession,
} from './checks/request.ts';
import { beginExchange, callerOf, type Check, type Endpoint, type Exchange } from './exchange.ts';
import { defaultMcpLimits, type McpServer, type McpServerOptions } from './mcp-server.ts';
import { createSessions } from './session/sessions.ts';
import type { McpSurface, Principal } from './surface.ts';

/**
 * The checks of a request, in this order: the caller comes first, and no body is read if the headers do not fit.
 * A method that is not here is refused before anything else.
 */
const checksOfMethod: Readonly<Record<string, readonly Check[]>> = {
  POST: [
    authenticateCaller,
    checkJsonType,
    checkAcceptsBoth,
    checkProtocolVersion,
    findNamedSession,
    readMessageBody,
    parseMessageBody,
    readMessages,
    checkSessionFits,
    checkBatch,
    checkRequestIds,
    checkRunningCalls,
    checkAdmitted,
  ],
  GET: [
    authenticateCaller,
    checkAcceptsStream,
    checkProtocolVersion,
    findNamedSession,
    requireSession,
    checkLastEvent,
  ],
  DELETE: [authenticateCaller, checkProtocolVersion, findNamedSession, requireSession],
};

/** Makes the endpoint; nothing is listened to. */
export function createMcpServer<P extends Principal>(options: McpServerOptions<P>): McpServer {
  const limits = { ...defaultMcpLimits, ...options.limits };
  const sessions = createSessions(options, limits);
  const endpoint: Endpoint<P> = { options, limits, sessions };
  return {
    handle(request, response) {
      const exchange = beginExchange<P>(request, response);
      answer(exchange, endpoint).catch((failure: unknown) => answerRefusal(failure, exchange, options));
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

async function answer<P extends Principal>(exchange: Exchange<P>, endpoint: Endpoint<P>): Promise<void> {
  const { request, response } = exchange;
  const method = request.method ?? '';
  const checks = Object.hasOwn(checksOfMethod, method) ? checksOfMethod[method] : undefined;
  if (checks === undefined) throw new AppError('method_not_allowed');
  for (const check of checks) await check(exchange, endpoint);
  if (method === 'DELETE' && exchange.session !== null) {
    await endpoint.sessions.end(exchange.session);
    response.writeHead(204).end();
    return;
  }
  const session = exchange.session ?? (await beginSession(exchange, endpoint));
  session.serve(exchange);
}

function asOfNow<P extends Principal>(principal: P, { current }: McpSurface<P>): P | null {
  return current === undefined ? principal : current(principal);
}

/** The checks have left one `initialize` for a request without a session. */
function beginSession<P extends Principal>(exchange: Exchange<P>, { sessions }: Endpoint<P>) {
  const [message] = exchange.messages;
  const asked = message?.kind === 'request' ? message.params['protocolVersion'] : undefined;
  // Negotiates as the SDK does.
  const isSpoken = typeof asked === 'string' && SUPPORTED_PROTOCOL_VERSIONS.includes(asked);
  return sessions.open(callerOf(exchange), isSpoken ? asked : LATEST_PROTOCOL_VERSION);
}
