import { AppError } from '#shared/errors/index.ts';
import type { Logger } from '#core/platform/logger.ts';

/** Codes of JSON-RPC 2.0 §5.1 and of MCP. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Anything else that is refused. */
  refused: -32000,
  /** The code of the reference servers for an unknown session. */
  sessionUnknown: -32001,
  resourceNotFound: -32002,
} as const;

/** A JSON-RPC error that a method throws. */
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

/** Fails a request for what its params say. */
export function invalidParams(message: string): RpcError {
  return new RpcError(rpcCodes.invalidParams, message);
}

/** Methods whose missing object is a resource, which has a code of its own (MCP, Resources, Error Handling). */
const resourceMethods = new Set(['resources/read', 'resources/subscribe']);

/** The JSON-RPC error of a failed request. A bug is logged with its cause, which is not part of the answer. */
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

/** A failure of ours says nothing of its cause. */
export function outwardMessage(error: AppError): string {
  return error.status < 500 ? error.message : 'The service failed. Try again later.';
}

function rpcCodeOf({ code, status }: AppError, method: string): number {
  if (status >= 500) return rpcCodes.internalError;
  if (code === 'object_not_found') {
    return resourceMethods.has(method) ? rpcCodes.resourceNotFound : rpcCodes.invalidParams;
  }
  return status === 400 || status === 422 ? rpcCodes.invalidParams : rpcCodes.refused;
}
