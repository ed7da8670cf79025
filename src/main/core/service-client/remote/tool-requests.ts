import type { Logger } from '#core/platform/logger.ts';
import { mcpErrorCodes } from '#core/platform/mcp-envelope.ts';
import { AppError, catalogue, type ErrorCode } from '#shared/errors/index.ts';
import { type CallOutcome, noAnswer } from '../rest-requests.ts';
import type { HttpAnswer } from '#system/http/answer.ts';
import { assertSendable } from '#system/http/failure-codes.ts';
import { RequestFailure, sendRequest, type HttpRequest } from '#system/http/request.ts';
import type { RemoteAccess } from '../oauth/grants.ts';
import { isJsonObject, jsonOrNull, objectAt } from '#shared/lib/json/json-value.ts';
import { readChallenge, retryAfterSeconds, withServiceWords } from '../answers.ts';
import { ErrorCode as RpcCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { sentence, ownWords, type Sentence } from '#shared/lib/sentence.ts';

export interface Endpoint {
  /** `{mcp_url}/mcp`: the only address to which the token goes (contract §5.3, step 6). */
  endpoint: URL;
  access: RemoteAccess;
  logger: Logger;
  observe?: ((outcome: CallOutcome) => void) | undefined;
  /** Shared by the sessions of one client. True after a failure: the next request then opens a new connection. */
  connections: { areSuspect: boolean };
}

export interface OutgoingRequest extends Pick<
  HttpRequest,
  'method' | 'headers' | 'body' | 'signal' | 'ownConnection'
> {
  /** MCP 2026-07-28: the body of a refusal with 400 or 404 is a JSON-RPC error. */
  isStateless?: boolean;
}

/**
 * Makes one HTTP exchange with the current token. If the service refuses the token (401), it has not executed the request, so
 * the request is repeated with a renewed token. Redirects are never followed: they would take the token elsewhere.
 *
 * Fails by contract §7.3, as `access` does, with `credential_missing` if the token cannot be sent, or with
 * `service_unreachable` or the fault of the network (`noAnswerCode`). `data.sent` is true if the service may have received the
 * request. Fails with the signal's reason when the signal aborts.
 */
export async function exchange(endpoint: Endpoint, outgoing: OutgoingRequest): Promise<HttpAnswer> {
  const { access } = endpoint;
  const token = await awaitToken(access.token());
  const first = await send(endpoint, outgoing, token);
  if (first.status !== 401) return accepted(first, outgoing);
  first.cancel();
  const renewed = await awaitToken(access.renew(token));
  return accepted(await send(endpoint, outgoing, renewed), outgoing);
}

/** Returns the token. The failure of a renewal has `sent: false`, because the request of the caller was not sent. */
async function awaitToken(given: Promise<string>): Promise<string> {
  try {
    return await given;
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.data['sent'] !== true) throw failure;
    const { code, message, data } = failure;
    throw new AppError(code, { message, data: { ...data, sent: false }, cause: failure });
  }
}

async function send(
  { endpoint, logger, observe, connections }: Endpoint,
  outgoing: OutgoingRequest,
  token: string,
): Promise<HttpAnswer> {
  const { isStateless: _, ...request } = outgoing;
  const { method, headers, signal } = request;
  signal.throwIfAborted();
  assertSendable(token);
  const startedAt = performance.now();
  const report = (ready: boolean): void => {
    if (method === 'POST') observe?.({ ready, latencyMs: performance.now() - startedAt });
  };
  try {
    const answer = await sendRequest({
      ...request,
      url: endpoint,
      headers: { ...headers, authorization: `Bearer ${token}` },
      credential: token,
      ownConnection: connections.areSuspect || outgoing.ownConnection === true,
    });
    connections.areSuspect = false;
    report(answer.status < 500);
    return answer;
  } catch (failure) {
    signal.throwIfAborted();
    if (!(failure instanceof RequestFailure)) throw failure;
    report(false);
    connections.areSuspect = !failure.isLate;
    const { sent, cause } = failure;
    // The stream of GET is opened again and again, and would fill the log.
    if (method !== 'GET') logger.warn({ method, cause }, 'The remote tools gave no answer');
    throw noAnswer(failure, { sent });
  }
}

async function accepted(answer: HttpAnswer, { isStateless }: OutgoingRequest): Promise<HttpAnswer> {
  if (answer.status >= 200 && answer.status < 300) return answer;
  // Without a readable text, the status alone decides the error.
  const text = await answer.text().catch(() => '');
  if (isStateless === true && (answer.status === 400 || answer.status === 404))
    throwRpcError(answer.conceal(text));
  throw refusalOfAnswer(answer, answer.conceal(wordsIn(text)));
}

function throwRpcError(text: string): void {
  const body = jsonOrNull(text);
  const { code, message, data } = isJsonObject(body) ? objectAt(body, 'error') : {};
  if (Number.isSafeInteger(code) && typeof message === 'string')
    throw new McpError(Number(code), message, data);
}

/** The service no longer knows the session (404). It has not executed the request, and another session may begin. */
export class SessionUnknown extends Error {
  readonly refusal: AppError;

  constructor(refusal: AppError) {
    super('The service does not know the session', { cause: refusal });
    this.name = 'SessionUnknown';
    this.refusal = refusal;
  }
}

/** Contract §7.3. Any other status is a refused call (4xx) or a failed service. */
const codes: Readonly<Partial<Record<number, ErrorCode>>> = {
  401: 'sign_in_needed',
  403: 'forbidden',
  404: 'object_not_found',
  405: 'protocol_failed',
  406: 'protocol_failed',
  415: 'protocol_failed',
  421: 'wrong_host',
  429: 'rate_limited',
  503: 'service_unavailable',
};

/** The failure by contract §7.3, with `data.sent` if a failing server may have executed the request. */
function refusalOfAnswer({ status, headers, conceal }: HttpAnswer, words: string): AppError {
  const challenge = readChallenge(headers);
  if (status === 403 && challenge.error === 'insufficient_scope') {
    const scope = challenge.scope === null ? null : conceal(challenge.scope);
    const { text } = catalogue.scope_needed;
    const message =
      scope === null ? text : sentence`${ownWords(text)} The service requires the scope ${scope}.`;
    return new AppError('scope_needed', { message, data: { status, scope } });
  }
  const code = codes[status] ?? (status >= 400 && status < 500 ? 'tool_refused' : 'service_failed');
  const pause = status === 429 || status === 503 ? retryAfterSeconds(headers) : null;
  const { message, data } = withWords(code, words);
  return new AppError(code, {
    message,
    data: {
      ...data,
      status,
      ...(pause === null ? {} : { retryAfterSeconds: pause }),
      ...(code === 'service_failed' ? { sent: true } : {}),
    },
  });
}

function withWords(code: ErrorCode, words: string): ReturnType<typeof withServiceWords> {
  const { text } = catalogue[code];
  return withServiceWords(text, words === text ? '' : words);
}

/** Reads a JSON-RPC error, an OAuth error or a plain message: the contract does not define the body of a refusal. */
function wordsIn(text: string): string {
  const value = jsonOrNull(text);
  const body = isJsonObject(value) ? value : {};
  const error = body['error'];
  const said = [
    isJsonObject(error) ? error['message'] : undefined,
    body['error_description'],
    body['message'],
  ].find((words): words is string => typeof words === 'string' && words !== '');
  return said ?? '';
}

const notUnderstood: readonly number[] = [RpcCode.ParseError, RpcCode.InvalidRequest, RpcCode.MethodNotFound];

const internalError: number = RpcCode.InternalError;

/** Codes in the server-error range with which MCP refuses a request unexecuted. */
const refusedBefore: readonly number[] = [RpcCode.UrlElicitationRequired, ...Object.values(mcpErrorCodes)];

/** Codes that blame the caller. Callers do not write `initialize`, so there they become `protocol_failed`. */
const callerErrors: readonly ErrorCode[] = ['tool_refused', 'object_not_found'];

interface AskedRequest {
  method: string;
  ended: boolean;
  conceal(text: string): string;
}

/**
 * Maps a failure to an `AppError`, with `data.sent` if the service may have executed the request. Returns `SessionUnknown`
 * and `AppError` unchanged, except for `initialize`.
 */
export function toFailure(failure: unknown, asked: AskedRequest): Error {
  const { method } = asked;
  const known = asKnown(failure, asked);
  if (method !== 'initialize') return known;
  const refusal = known instanceof SessionUnknown ? known.refusal : known;
  if (!(refusal instanceof AppError) || !callerErrors.includes(refusal.code)) return refusal;
  return new AppError('protocol_failed', { data: refusal.data, cause: refusal });
}

function asKnown(failure: unknown, { ended, conceal }: AskedRequest): Error {
  if (failure instanceof AppError || failure instanceof SessionUnknown) return failure;
  // The session ended before the request was answered.
  if (ended) return new AppError('service_unreachable', { data: { sent: true }, cause: failure });
  if (failure instanceof McpError) return rpcFailure(failure, conceal);
  if (isShapeFailure(failure)) return unreadable(sentence`Its shape is not the expected one.`, failure);
  if (isVersionFailure(failure)) return new AppError('protocol_failed', { cause: failure });
  return failure instanceof Error
    ? failure
    : new Error('A request of the remote tools failed', { cause: failure });
}

/** True for a failure of the SDK's own copy of zod. The class cannot be compared, because it is not the one that we import. */
function isShapeFailure(failure: unknown): boolean {
  return failure instanceof Error && 'issues' in failure && Array.isArray(failure.issues);
}

/** Reads the message, because the SDK has no error class for an unknown version. */
function isVersionFailure(failure: unknown): boolean {
  return failure instanceof Error && failure.message.includes('protocol version is not supported');
}

function rpcFailure(failure: McpError, conceal: AskedRequest['conceal']): AppError {
  const words = conceal(failure.message.replace(/^MCP error -?\d+: /, ''));
  const rpcCode = failure.code;
  if (rpcCode === internalError) {
    const { message, data } = withWords('service_failed', words);
    return new AppError('service_failed', { message, data: { ...data, rpcCode, sent: true } });
  }
  const code = codeOf(rpcCode);
  const { message, data } = withWords(code, words);
  return new AppError(code, {
    message,
    data: { ...data, rpcCode, ...(isServerError(rpcCode) ? { sent: true } : {}) },
  });
}

/** True for a failure of the server itself (JSON-RPC 2.0 §5.1), such as a timeout: the server may still execute the call. */
function isServerError(rpcCode: number): boolean {
  return rpcCode >= -32_099 && rpcCode <= -32_000 && !refusedBefore.includes(rpcCode);
}

function codeOf(rpcCode: number): ErrorCode {
  if (rpcCode === mcpErrorCodes.resourceNotFound) return 'object_not_found';
  return notUnderstood.includes(rpcCode) ? 'protocol_failed' : 'tool_refused';
}

/** The failure for an answer that cannot be read. The service may have executed the request. */
export function unreadable(what: Sentence, cause?: unknown): AppError {
  return new AppError('service_answer_unreadable', {
    message: sentence`The service gave an answer that cannot be read. ${ownWords(what)}`,
    data: { sent: true },
    cause,
  });
}
