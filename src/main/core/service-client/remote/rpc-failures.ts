import { ErrorCode as RpcCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { AppError, type ErrorCode } from '#shared/errors/index.ts';
import { SessionUnknown, withWords } from './failures.ts';
import { unreadable } from './message.ts';
import { sentence } from '#shared/lib/sentence.ts';

/** A service that does not understand the message, in JSON-RPC's own codes. */
const notUnderstood: readonly number[] = [RpcCode.ParseError, RpcCode.InvalidRequest, RpcCode.MethodNotFound];

const internalError: number = RpcCode.InternalError;

/** MCP 2025-11-25, Resources, Error Handling. */
const resourceNotFound = -32002;

/** Codes of that range by which MCP refuses a request before anything is done. */
const refusedBefore: readonly number[] = [resourceNotFound, RpcCode.UrlElicitationRequired];

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
 * where the message was not understood, or as `service_failed`; with `data.sent` where it may have failed after the change.
 * Any other failure is a bug, and stays as it is.
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
  if (isShapeFailure(failure)) return unreadable(sentence`Its shape is not the expected one.`, failure);
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

/** A server's own failure (JSON-RPC 2.0 §5.1), such as a session that ended or a time that was up: the call may go on there. */
function isServerError(rpcCode: number): boolean {
  return rpcCode >= -32_099 && rpcCode <= -32_000 && !refusedBefore.includes(rpcCode);
}

function codeOf(rpcCode: number): ErrorCode {
  if (rpcCode === resourceNotFound) return 'object_not_found';
  return notUnderstood.includes(rpcCode) ? 'protocol_failed' : 'tool_refused';
}
