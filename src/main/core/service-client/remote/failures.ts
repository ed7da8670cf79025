import { ErrorCode as RpcCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { AppError, catalogue, type ErrorCode } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { quotation } from '../answers.ts';
import { readChallenge, retryAfterSeconds } from '../headers.ts';
import { unreadable } from './message.ts';

/** The service no longer knows the session (404): what was asked was not carried out, and another session may be begun. */
export class SessionUnknown extends Error {
  /** Its meaning if another session does not help. */
  readonly refusal: AppError;

  constructor(refusal: AppError) {
    super('The service does not know the session', { cause: refusal });
    this.name = 'SessionUnknown';
    this.refusal = refusal;
  }
}

/** Contract §7.3, by status; what is not here is a refused call (4xx) or a failed service. */
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

/** A refusing answer of the endpoint. */
export interface RefusingAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** Blanks the token that was sent: a service that repeats it does not bring it into our messages. */
  conceal(text: string): string;
}

/**
 * The failure that a refusing answer of the endpoint stands for (contract §7.3), the service's words as a quotation.
 * `data.sent` where a failing server may have carried the request out before it failed.
 */
export function refusalOfAnswer({ status, headers, text, conceal }: RefusingAnswer): AppError {
  const { error, scope } = readChallenge(headers);
  if (status === 403 && error === 'insufficient_scope') {
    return new AppError('scope_needed', { data: { status, scope } });
  }
  const code = codes[status] ?? (status >= 400 && status < 500 ? 'tool_refused' : 'service_failed');
  const pause = status === 429 || status === 503 ? retryAfterSeconds(headers) : null;
  return new AppError(code, {
    message: withWords(code, conceal(wordsIn(text))),
    data: {
      status,
      ...(pause === null ? {} : { retryAfterSeconds: pause }),
      ...(code === 'service_failed' ? { sent: true } : {}),
    },
  });
}

/** The catalogue's text, and after it the service's own words where it has some. */
function withWords(code: ErrorCode, words: string): string {
  const { text } = catalogue[code];
  return words === '' || words === text ? text : `${text} The service says: ${quotation(words)}`;
}

/** The contract shows no body of a refusal: a JSON-RPC error, an OAuth error and a plain message are understood. */
function wordsIn(text: string): string {
  const body = objectIn(text);
  const error = body['error'];
  const said = [
    isJsonObject(error) ? error['message'] : undefined,
    body['error_description'],
    body['message'],
  ].find((words): words is string => typeof words === 'string' && words !== '');
  return said ?? '';
}

function objectIn(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** A service that does not understand the message, in JSON-RPC's own codes. */
const notUnderstood: readonly number[] = [RpcCode.ParseError, RpcCode.InvalidRequest, RpcCode.MethodNotFound];

const internalError: number = RpcCode.InternalError;

/** MCP 2025-11-25, Resources, Error Handling. */
const resourceNotFound = -32002;

/** The failure of `initialize`, whatever a call would be told: the caller has nothing to correct. */
const ofCalls: readonly ErrorCode[] = ['tool_refused', 'object_not_found'];

/** The request that failed. */
export interface AskedRequest {
  method: string;
  /** Its session was ended meanwhile. */
  ended: boolean;
  /** Blanks the token in the service's words. */
  conceal(text: string): string;
}

/**
 * The failure of one request as the rest of the program knows it: a JSON-RPC error as `tool_refused`, as `protocol_failed`
 * where the message was not understood, or as `service_failed` (with `data.sent`: it may have failed after the change).
 * What is no expected failure stays as it is: a bug.
 */
export function readFailure(failure: unknown, asked: AskedRequest): Error {
  const { method } = asked;
  const known = asKnown(failure, asked);
  if (method !== 'initialize') return known;
  const refusal = known instanceof SessionUnknown ? known.refusal : known;
  if (!(refusal instanceof AppError) || !ofCalls.includes(refusal.code)) return refusal;
  return new AppError('protocol_failed', { data: refusal.data, cause: refusal });
}

function asKnown(failure: unknown, { ended, conceal }: AskedRequest): Error {
  if (failure instanceof AppError || failure instanceof SessionUnknown) return failure;
  // The session was ended with the request under way.
  if (ended) return new AppError('service_unreachable', { data: { sent: true }, cause: failure });
  if (failure instanceof McpError) return rpcFailure(failure, conceal);
  if (isShapeFailure(failure)) return unreadable('Its shape is not the expected one.', failure);
  if (isVersionFailure(failure)) return new AppError('protocol_failed', { cause: failure });
  return failure instanceof Error
    ? failure
    : new Error('A request of the remote tools failed', { cause: failure });
}

/** The SDK looked at the answer with its own copy of zod. */
function isShapeFailure(failure: unknown): boolean {
  return failure instanceof Error && 'issues' in failure && Array.isArray(failure.issues);
}

/** The SDK gives a version that it does not speak no name of its own. */
function isVersionFailure(failure: unknown): boolean {
  return failure instanceof Error && failure.message.includes('protocol version is not supported');
}

function rpcFailure(failure: McpError, conceal: AskedRequest['conceal']): AppError {
  const words = conceal(failure.message.replace(/^MCP error -?\d+: /, ''));
  const rpcCode = failure.code;
  if (rpcCode === internalError) {
    return new AppError('service_failed', {
      message: withWords('service_failed', words),
      data: { rpcCode, sent: true },
    });
  }
  const code = codeOf(rpcCode);
  return new AppError(code, { message: withWords(code, words), data: { rpcCode } });
}

function codeOf(rpcCode: number): ErrorCode {
  if (rpcCode === resourceNotFound) return 'object_not_found';
  return notUnderstood.includes(rpcCode) ? 'protocol_failed' : 'tool_refused';
}
