import { AppError } from '#shared/errors/index.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { commonHeaders } from '#core/platform/loopback/guards.ts';
import { mcpErrorCodes } from '#core/platform/mcp-envelope.ts';

export type RequestId = string | number;

/** Codes of JSON-RPC 2.0 §5.1, and two from its range for a server’s own errors. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  refused: -32000,
  sessionUnknown: -32001,
} as const;

export class RpcError extends Error {
  readonly code: number;
  readonly data: Record<string, unknown> | undefined;

  constructor(code: number, message: string, data?: Record<string, unknown>) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

export function invalidParams(message: string): RpcError {
  return new RpcError(rpcCodes.invalidParams, message);
}

/** Methods with the code of an unknown resource (MCP, Resources, Error Handling). */
const resourceMethods = new Set(['resources/read', 'resources/subscribe']);

/** The JSON-RPC error of a failed request. A bug is logged with its cause, which the answer does not contain. */
export function toRpcError(
  failure: unknown,
  { method, logger }: { method: string; logger: Logger },
): RpcError {
  if (failure instanceof RpcError) return failure;
  const error = failure instanceof AppError ? failure : new AppError('internal', { cause: failure });
  if (error.status >= 500) logger.error({ err: failure, method }, 'An MCP request failed');
  const { code, status, fields } = error;
  const errors = fields.length > 0 ? { errors: fields } : {};
  return new RpcError(rpcCodeOf(error, method), outwardMessage(error), { code, status, ...errors });
}

function outwardMessage(error: AppError): string {
  return error.status < 500 ? error.message : 'The service failed. Try again later.';
}

function rpcCodeOf({ code, status }: AppError, method: string): number {
  if (status >= 500) return rpcCodes.internalError;
  if (code === 'object_not_found') {
    return resourceMethods.has(method) ? mcpErrorCodes.resourceNotFound : rpcCodes.invalidParams;
  }
  return status === 400 || status === 422 ? rpcCodes.invalidParams : rpcCodes.refused;
}

/** The HTTP status that revision 2026-07-28 requires for an error; null if it requires none. */
export function statusOf(code: number): number | null {
  if (code === rpcCodes.methodNotFound) return 404;
  return code === mcpErrorCodes.missingCapability ? 400 : null;
}

export function rpcErrorMessage<Id extends RequestId | null>(id: Id, { code, message, data }: RpcError) {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } } as const;
}

export function answerJson(response: ServerResponse, status: number, text: string): void {
  const length = Buffer.byteLength(text);
  response.writeHead(status, { ...jsonHeaders, 'content-length': length }).end(text);
}

const jsonHeaders = { ...commonHeaders, 'content-type': 'application/json; charset=utf-8' };

/** Answers a refused request with an HTTP status, and a JSON-RPC error with our code in `data`. */
export function answerRefusal(
  failure: unknown,
  refused: { request: IncomingMessage; response: ServerResponse; id: RequestId | null },
  { resourceMetadataUrl, logger }: { resourceMetadataUrl: string; logger: Logger },
): void {
  const { request, response, id } = refused;
  if (failure instanceof RpcError && !response.headersSent) {
    answerJson(response, statusOf(failure.code) ?? 400, JSON.stringify(rpcErrorMessage(id, failure)));
    return;
  }
  const error = failure instanceof AppError ? failure : new AppError('internal', { cause: failure });
  if (error.status >= 500) logger.error({ err: failure, method: request.method }, 'The MCP endpoint failed');
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const challenge = challengeOf(error, request, resourceMetadataUrl);
  const { retryAfterSeconds } = error.data;
  if (challenge !== null) response.setHeader('www-authenticate', challenge);
  if (typeof retryAfterSeconds === 'number') response.setHeader('retry-after', String(retryAfterSeconds));
  if (error.code === 'method_not_allowed') {
    response.setHeader('allow', String(error.data['allow'] ?? 'GET, POST, DELETE'));
  }
  const { code, status } = error;
  const refusal = new RpcError(refusalCodeOf(error), outwardMessage(error), { code, status });
  answerJson(response, status, JSON.stringify(rpcErrorMessage(id, refusal)));
}

function refusalCodeOf({ code, status }: AppError): number {
  if (status >= 500) return rpcCodes.internalError;
  if (code.startsWith('json_')) return rpcCodes.parseError;
  if (code === 'bad_input') return rpcCodes.invalidRequest;
  return code === 'session_unknown' ? rpcCodes.sessionUnknown : rpcCodes.refused;
}

/**
 * `WWW-Authenticate` (RFC 6750 §3, RFC 9728 §5.1); null if another token would not help. A request without credentials gets
 * no error code.
 */
function challengeOf(error: AppError, request: IncomingMessage, resourceMetadataUrl: string): string | null {
  const word = errorWord(error);
  if (word === null) return null;
  const { scope } = error.data;
  const hasCredentials = request.headers.authorization !== undefined;
  const parameters: Record<string, string> = {
    ...(hasCredentials ? { error: word, error_description: error.message } : {}),
    ...(typeof scope === 'string' ? { scope } : {}),
    resource_metadata: resourceMetadataUrl,
  };
  const written = Object.entries(parameters).map(([name, value]) => `${name}="${quotable(value)}"`);
  return `Bearer ${written.join(', ')}`;
}

function errorWord({ code, status }: AppError): string | null {
  if (code === 'scope_missing') return 'insufficient_scope';
  return status === 401 ? 'invalid_token' : null;
}

/** The characters that RFC 6750 §3 allows between the quotes. */
function quotable(text: string): string {
  return text.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?');
}
