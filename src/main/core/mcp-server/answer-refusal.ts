import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import type { RequestId } from './message.ts';
import { outwardMessage, rpcCodes } from './rpc-error.ts';

/**
 * Answers a request that was refused before it reached its session: the HTTP status of the failure, and a JSON-RPC error
 * that carries the code in `data`, and the id where one request was read.
 */
export function answerRefusal(
  failure: unknown,
  refused: { request: IncomingMessage; response: ServerResponse; id: RequestId | null },
  { resourceMetadataUrl, logger }: { resourceMetadataUrl: string; logger: Logger },
): void {
  const { request, response, id } = refused;
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
  if (error.code === 'method_not_allowed') response.setHeader('allow', 'GET, POST, DELETE');
  response.statusCode = error.status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  const data = { code: error.code, status: error.status };
  const body = { code: rpcCodeOf(error), message: outwardMessage(error), data };
  response.end(JSON.stringify({ jsonrpc: '2.0', id, error: body }));
}

function rpcCodeOf({ code, status }: AppError): number {
  if (status >= 500) return rpcCodes.internalError;
  if (code.startsWith('json_')) return rpcCodes.parseError;
  if (code === 'bad_input') return rpcCodes.invalidRequest;
  return code === 'session_unknown' ? rpcCodes.sessionUnknown : rpcCodes.refused;
}

/**
 * The `WWW-Authenticate` of a refusal (RFC 6750 §3, RFC 9728 §5.1); null if another token would not help. A request
 * without credentials gets the address of the metadata and no error.
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
