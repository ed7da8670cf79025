import {
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type JSONRPCResultResponse,
} from '@modelcontextprotocol/sdk/types.js';
import { AppError, parseStrictJson } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { foreignWords } from '../answers.ts';

/**
 * A JSON value that leaves as this very text: what was approved is what is sent, byte for byte. Reading and writing it again
 * would move keys that look like integers.
 */
export class ExactJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Ordinary serialisation would write other bytes. */
  toJSON(): never {
    throw new Error('An exact text is written as it is');
  }
}

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

/** The id of the request that a message cancels. */
export function cancelledRequest(message: JSONRPCMessage): string | null {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return null;
  return String(message.params?.['requestId']);
}

/** The text of a message as it is sent: exact arguments of a call stand in it as they are. */
export function messageText(message: JSONRPCMessage): string {
  if (!('method' in message) || message.params === undefined) return JSON.stringify(message);
  const { params, ...envelope } = message;
  const { arguments: args, ...rest } = params;
  if (!(args instanceof ExactJson)) return JSON.stringify(message);
  const paramsText = withMember(JSON.stringify(rest), 'arguments', args.text);
  return withMember(JSON.stringify(envelope), 'params', paramsText);
}

/** The text of an object with one member more. */
function withMember(objectText: string, key: string, valueText: string): string {
  const separator = objectText === '{}' ? '' : ',';
  return `${objectText.slice(0, -1)}${separator}${JSON.stringify(key)}:${valueText}}`;
}
