import type { IncomingMessage, ServerResponse } from 'node:http';
import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { parseJsonBody, readBody, requireJsonType } from '#core/platform/loopback/requests.ts';
import { AppError } from '#shared/errors/index.ts';
import { answerRefusal } from './answer-refusal.ts';
import {
  checkAdmitted,
  checkBatch,
  checkRequestIds,
  checkRunningCalls,
  checkSessionFits,
  type Post,
  readMessages,
} from './checks/messages.ts';
import {
  checkAcceptsBoth,
  checkAcceptsStream,
  checkLastEvent,
  checkProtocolVersion,
  findNamedSession,
  requireSession,
} from './checks/request.ts';
import type { RequestId } from './message.ts';
import type { Session } from './session/session.ts';
import type { Sessions } from './session/sessions.ts';
import type { McpLimits, McpServerOptions, Principal } from './surface.ts';

interface Endpoint<P extends Principal> {
  options: McpServerOptions<P>;
  limits: McpLimits;
  sessions: Sessions<P>;
}

/** Answers one request, also one that a check refuses. Never fails. */
export async function answerRequest<P extends Principal>(
  request: IncomingMessage,
  response: ServerResponse,
  endpoint: Endpoint<P>,
): Promise<void> {
  let id: RequestId | null = null;
  try {
    switch (request.method) {
      case 'POST': {
        const post = await readPost(request, endpoint);
        id = idOf(post);
        checkPost(post, endpoint);
        const session = post.session ?? (await beginSession(post, endpoint));
        session.serve(post, response);
        break;
      }
      case 'GET':
        await listen(request, response, endpoint);
        break;
      case 'DELETE':
        await endSession(request, response, endpoint);
        break;
      default:
        throw new AppError('method_not_allowed');
    }
  } catch (failure) {
    answerRefusal(failure, { request, response, id }, endpoint.options);
  }
}

/** The caller comes first, and no body is read if the headers do not fit. */
async function readPost<P extends Principal>(
  request: IncomingMessage,
  { options, limits, sessions }: Endpoint<P>,
): Promise<Post<P>> {
  const principal = await options.authenticate(request);
  requireJsonType(request);
  checkAcceptsBoth(request);
  checkProtocolVersion(request);
  const session = findNamedSession(request, principal, sessions);
  // Strict JSON: nothing that two readers could read in two ways.
  const value = parseJsonBody(await readBody(request, limits.maxBodyBytes));
  return { principal, session, messages: readMessages(value, limits), isBatch: Array.isArray(value) };
}

function checkPost<P extends Principal>(post: Post<P>, { options, limits }: Endpoint<P>): void {
  checkSessionFits(post);
  checkBatch(post);
  checkRequestIds(post);
  checkRunningCalls(post, limits);
  checkAdmitted(post, options.surface);
}

async function listen<P extends Principal>(
  request: IncomingMessage,
  response: ServerResponse,
  { options, sessions }: Endpoint<P>,
): Promise<void> {
  const principal = await options.authenticate(request);
  checkAcceptsStream(request);
  checkProtocolVersion(request);
  const session = requireSession(request, principal, sessions);
  checkLastEvent(request, session);
  session.listen(request, response);
}

async function endSession<P extends Principal>(
  request: IncomingMessage,
  response: ServerResponse,
  { options, sessions }: Endpoint<P>,
): Promise<void> {
  const principal = await options.authenticate(request);
  checkProtocolVersion(request);
  await sessions.end(requireSession(request, principal, sessions));
  response.writeHead(204).end();
}

/** The id of the only request; null for a batch and for other messages. */
function idOf<P extends Principal>({ messages: [message], isBatch }: Post<P>): RequestId | null {
  return !isBatch && message?.kind === 'request' ? message.id : null;
}

/** The checks have left one `initialize` for a request without a session. */
function beginSession<P extends Principal>(
  { principal, messages: [message] }: Post<P>,
  { sessions }: Endpoint<P>,
): Promise<Session<P>> {
  const asked = message?.kind === 'request' ? message.params['protocolVersion'] : undefined;
  // Negotiates as the SDK does.
  const isSpoken = typeof asked === 'string' && SUPPORTED_PROTOCOL_VERSIONS.includes(asked);
  return sessions.open(principal, isSpoken ? asked : LATEST_PROTOCOL_VERSION);
}
