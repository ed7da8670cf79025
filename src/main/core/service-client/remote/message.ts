import {
  JSONRPCMessageSchema,
  type JSONRPCMessage,
  type JSONRPCResultResponse,
} from '@modelcontextprotocol/sdk/types.js';
import { AppError, parseStrictJson } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { foreignWords } from '../foreign-words.ts';

/**
 * Reads one JSON-RPC message as strictly as every answer of a service: duplicate keys, `__proto__`, numbers that cannot be
 * kept, broken characters and nesting over 64 are refused. What the message carries stays whole. Fails with
 * `service_answer_unreadable`.
 */
export function readMessage(text: string): JSONRPCMessage {
  const value = parse(text);
  if (isResult(value)) return value;
  const checked = JSONRPCMessageSchema.safeParse(value);
  if (!checked.success) throw unreadable('It is no JSON-RPC message.', checked.error);
  // Not what the schema made of it: the value as it came.
  return value as JSONRPCMessage;
}

/** A result without `_meta`, as nearly every message is: the schema would look at nothing more. */
function isResult(value: JsonValue): value is JSONRPCResultResponse & JsonObject {
  if (!isJsonObject(value) || Object.keys(value).length !== 3) return false;
  const { jsonrpc, id, result } = value;
  const hasId = typeof id === 'string' || Number.isSafeInteger(id);
  return jsonrpc === '2.0' && hasId && result !== undefined && isJsonObject(result) && !('_meta' in result);
}

function parse(text: string): JsonValue {
  try {
    return parseStrictJson(text);
  } catch (cause) {
    throw unreadable(foreignWords(cause instanceof Error ? cause.message : ''), cause);
  }
}

/** An answer came, so whatever was asked may have been carried out. */
export function unreadable(what: string, cause?: unknown): AppError {
  return new AppError('service_answer_unreadable', {
    message: `The service gave an answer that cannot be read. ${what}`,
    data: { sent: true },
    cause,
  });
}
