import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { AppError } from '#shared/errors/index.ts';
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
import { callerOf, type Check, type Endpoint, type Exchange } from './exchange.ts';
import type { Principal } from './surface.ts';

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

/** Answers one request. Fails as its checks do. */
export async function answerRequest<P extends Principal>(
  exchange: Exchange<P>,
  endpoint: Endpoint<P>,
): Promise<void> {
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

/** The checks have left one `initialize` for a request without a session. */
function beginSession<P extends Principal>(exchange: Exchange<P>, { sessions }: Endpoint<P>) {
  const [message] = exchange.messages;
  const asked = message?.kind === 'request' ? message.params['protocolVersion'] : undefined;
  // Negotiates as the SDK does.
  const isSpoken = typeof asked === 'string' && SUPPORTED_PROTOCOL_VERSIONS.includes(asked);
  return sessions.open(callerOf(exchange), isSpoken ? asked : LATEST_PROTOCOL_VERSION);
}
