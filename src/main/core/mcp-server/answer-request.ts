import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
  isInitializeRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { parseJsonBody, readBody, requireJsonType } from '#core/platform/loopback/requests.ts';
import { AppError } from '#shared/errors/index.ts';
import { commonHeaders } from '#core/platform/loopback/guards.ts';
import { areForExchange, hasExchangeHeaders } from './exchange/envelope.ts';
import type { Exchanges } from './exchange/exchanges.ts';
import { type Message, readMessage } from './message.ts';
import { answerRefusal, type RequestId } from './rpc-error.ts';
import type { Session } from './session/session.ts';
import type { Sessions } from './session/sessions.ts';
import type { McpLimits, McpServerOptions, McpSurface, Principal } from './surface.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';

export { createExchanges } from './exchange/exchanges.ts';

interface Endpoint<P extends Principal> {
  options: McpServerOptions<P>;
  limits: McpLimits;
  sessions: Sessions<P>;
  exchanges: Exchanges<P>;
}

/** Answers one request, also if a check refuses it. Never fails. */
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
        if (areForExchange(request, post.messages)) exchange(request, response, post, endpoint);
        else {
          checkPost(post, endpoint);
          const session = post.session ?? (await beginSession(post, endpoint));
          session.serve(post, response);
        }
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

interface Post<P extends Principal = Principal> {
  principal: P;
  session: Session<P> | null;
  messages: readonly Message[];
  isBatch: boolean;
}

/** Authenticates the caller and checks the headers first, so that the body of a refused request is not read. */
async function readPost<P extends Principal>(
  request: IncomingMessage,
  { options, limits, sessions }: Endpoint<P>,
): Promise<Post<P>> {
  const principal = await options.authenticate(request);
  requireJsonType(request);
  checkAcceptsBoth(request);
  checkProtocolVersion(request);
  const session = findNamedSession(request, principal, sessions);
  // Strict JSON: refuses a text that two parsers could read differently.
  const value = parseJsonBody(await readBody(request, limits.maxBodyBytes));
  const isBatch = Array.isArray(value);
  const values = isBatch ? value : [value];
  if (values.length === 0 || values.length > limits.maxBatch) {
    throw badInput(sentence`A batch has 1 to ${limits.maxBatch} messages.`);
  }
  return { principal, session, messages: values.map(readMessage), isBatch };
}

function checkPost(post: Post, { options, limits }: Endpoint<Principal>): void {
  checkSessionFits(post);
  checkBatch(post);
  checkRequestIds(post);
  checkRunningCalls(post, limits);
  checkAdmitted(post, options.surface);
}

function exchange<P extends Principal>(
  request: IncomingMessage,
  response: ServerResponse,
  { principal, messages: [message], isBatch }: Post<P>,
  { options, exchanges }: Endpoint<P>,
): void {
  if (isBatch || message === undefined || message.kind === 'response') {
    throw badInput(sentence`This version of the protocol has no batches, and no answers of clients.`);
  }
  if (message.kind === 'notification') {
    response.writeHead(202, commonHeaders).end();
    return;
  }
  const { id, method, params } = message;
  const asked = { principal, id, method, params };
  const client = exchanges.check(request, asked);
  options.surface.admit(principal, { method, params });
  exchanges.serve(asked, client, response);
}

/** Refuses GET and DELETE without a session. */
function requireSessionHeaders(request: IncomingMessage): void {
  if (hasExchangeHeaders(request)) throw new AppError('method_not_allowed', { data: { allow: 'POST' } });
}

async function listen<P extends Principal>(
  request: IncomingMessage,
  response: ServerResponse,
  { options, sessions }: Endpoint<P>,
): Promise<void> {
  const principal = await options.authenticate(request);
  requireSessionHeaders(request);
  requireAccepted(request.headers.accept, ['text/event-stream']);
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
  requireSessionHeaders(request);
  checkProtocolVersion(request);
  await sessions.end(requireSession(request, principal, sessions));
  response.writeHead(204).end();
}

function idOf<P extends Principal>({ messages: [message], isBatch }: Post<P>): RequestId | null {
  return !isBatch && message?.kind === 'request' ? message.id : null;
}

/** Begins a session. `checkSessionFits` has ensured that the only message is `initialize`. */
function beginSession<P extends Principal>(
  { principal, messages: [message] }: Post<P>,
  { sessions }: Endpoint<P>,
): Promise<Session<P>> {
  const asked = message?.kind === 'request' ? message.params['protocolVersion'] : undefined;
  const isSpoken = typeof asked === 'string' && SUPPORTED_PROTOCOL_VERSIONS.includes(asked);
  return sessions.open(principal, isSpoken ? asked : LATEST_PROTOCOL_VERSION);
}

/** Requires `initialize` as the only message of a new session, and refuses it in an open session (MCP, Lifecycle). */
function checkSessionFits({ session, messages, isBatch }: Post): void {
  const initialize = messages.find(
    (message) => message.kind === 'request' && message.method === 'initialize',
  );
  if (session !== null) {
    if (initialize !== undefined) throw badRequest(sentence`This session is initialized already.`);
    return;
  }
  if (initialize === undefined)
    throw badRequest(sentence`The header Mcp-Session-Id is missing. Initialize first.`);
  if (isBatch) throw badRequest(sentence`\`initialize\` comes alone.`);
  if (!isInitializeRequest(initialize.raw))
    throw badInput(sentence`The params of \`initialize\` are not in the expected form.`);
}

function badRequest(message: Sentence): AppError {
  return new AppError('bad_request', { message });
}

function badInput(message: Sentence): AppError {
  return new AppError('bad_input', { message });
}

/** Refuses a batch in a session of a later version, because 2025-03-26 is the last version with batches. */
function checkBatch({ isBatch, session }: Post): void {
  if (!isBatch || session === null || session.protocolVersion <= lastVersionWithBatches) return;
  throw badInput(sentence`This version of the protocol has no batches.`);
}

const lastVersionWithBatches = '2025-03-26';

/** Refuses the id of a running request: a second request would get the answer of the first. */
function checkRequestIds({ messages, session }: Post): void {
  const ids = new Set<RequestId>();
  for (const message of messages) {
    if (message.kind !== 'request') continue;
    if (ids.has(message.id) || session?.isRunning(message.id) === true)
      throw badInput(sentence`A request with this id is still running.`);
    ids.add(message.id);
  }
}

function checkRunningCalls({ messages, session }: Post, { maxCallsPerSession }: McpLimits): void {
  const more = messages.filter(({ kind }) => kind === 'request').length;
  if (more === 0 || session === null || session.running + more <= maxCallsPerSession) return;
  throw new AppError('quota_exceeded', {
    message: sentence`A session runs at most ${maxCallsPerSession} requests at once.`,
    data: { retryAfterSeconds: 1 },
  });
}

function checkAdmitted({ principal, messages }: Post, surface: McpSurface<Principal>): void {
  for (const message of messages) {
    if (message.kind !== 'request') continue;
    surface.admit(principal, { method: message.method, params: message.params });
  }
}

/** The value in the contract, which most clients send. */
const usual = 'application/json, text/event-stream';

/** Requires that the client accepts JSON and event streams (MCP, Streamable HTTP; contract §4.3). */
function checkAcceptsBoth({ headers: { accept } }: IncomingMessage): void {
  if (accept !== usual) requireAccepted(accept, ['application/json', 'text/event-stream']);
}

function requireAccepted(accept: string | undefined, types: readonly string[]): void {
  const accepted = new Set((accept ?? '').split(',').map(mediaTypeOf));
  if (types.every((type) => accepted.has(type))) return;
  throw new AppError('not_acceptable', {
    message: sentence`Accept must name ${ownWords(types.join(' and '))}.`,
  });
}

/** The media type without parameters; empty for a type with `q=0`, which is not accepted (RFC 9110 §12.5.1). */
function mediaTypeOf(range: string): string {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? '' : type;
}

/** Checks the version of a session. A new session negotiates its version in the message (MCP, Protocol Version Header). */
function checkProtocolVersion({ headers }: IncomingMessage): void {
  const version = headers['mcp-protocol-version'];
  if (version === undefined || headers['mcp-session-id'] === undefined) return;
  if (SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) return;
  const spoken = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
  throw badRequest(sentence`Unsupported protocol version. Spoken here: ${ownWords(spoken)}.`);
}

function findNamedSession<P extends Principal>(
  { headers }: IncomingMessage,
  principal: P,
  sessions: Sessions<P>,
): Session<P> | null {
  const id = headers['mcp-session-id'];
  return id === undefined ? null : sessions.use(String(id), principal);
}

function requireSession<P extends Principal>(
  request: IncomingMessage,
  principal: P,
  sessions: Sessions<P>,
): Session<P> {
  const session = findNamedSession(request, principal, sessions);
  if (session !== null) return session;
  throw badRequest(sentence`The header Mcp-Session-Id is missing.`);
}

/** Refuses to resume a stream after an event that is no longer buffered (MCP, Resumability). */
function checkLastEvent({ headers }: IncomingMessage, session: Session<Principal>): void {
  const id = headers['last-event-id'];
  if (id === undefined || session.canResumeAfter(String(id))) return;
  throw badRequest(sentence`This event is not kept. Open a new stream.`);
}
