import {
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type JSONRPCResultResponse,
  RELATED_TASK_META_KEY,
} from '@modelcontextprotocol/sdk/types.js';
import { AppError, parseServiceJson } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { sentence } from '#shared/lib/sentence.ts';
import { refusePageOrError } from '../answers.ts';
import { unreadable } from './tool-requests.ts';

/** Reads one JSON-RPC message with its unknown members. Fails with `service_answer_unreadable`. */
export function readMessage(text: string): JSONRPCMessage & JsonObject {
  const value = parse(text);
  if (isPlainResult(value)) return value;
  const checked = JSONRPCMessageSchema.safeParse(value);
  if (!checked.success) throw unreadable(sentence`It is no JSON-RPC message.`, checked.error);
  // The schema's copy has lost the unknown members.
  return value as JSONRPCMessage & JsonObject;
}

/** True for a plain result, the most common message. Skips the schema, which would check only the members of `_meta`. */
function isPlainResult(value: JsonValue): value is JSONRPCResultResponse & JsonObject {
  if (!isJsonObject(value) || Object.keys(value).length !== 3) return false;
  const { jsonrpc, id, result } = value;
  const hasId = typeof id === 'string' || Number.isSafeInteger(id);
  return jsonrpc === '2.0' && hasId && result !== undefined && isJsonObject(result) && hasPlainMeta(result);
}

function hasPlainMeta({ _meta: meta }: JsonObject): boolean {
  return (
    meta === undefined ||
    (isJsonObject(meta) && !('progressToken' in meta) && !(RELATED_TASK_META_KEY in meta))
  );
}

function parse(text: string): JsonValue {
  try {
    return parseServiceJson(text);
  } catch (cause) {
    refusePageOrError(text, (words) => words);
    throw unreadable(cause instanceof AppError ? cause.message : sentence``, cause);
  }
}

/** A JSON value that is sent as exactly this text. Parsing and serializing it again would reorder integer-like keys. */
export class ExactJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Fails, because `JSON.stringify` would write other bytes. */
  toJSON(): never {
    throw new Error('An exact text is written as it is');
  }
}

export function cancelledRequestId(message: JSONRPCMessage): string | null {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return null;
  return String(message.params?.['requestId']);
}

/** True for a write: its arguments were approved as an exact text. */
export function isExactCall(message: JSONRPCMessage): boolean {
  return 'method' in message && message.params?.['arguments'] instanceof ExactJson;
}

/** Writes a message. Arguments that are `ExactJson` are inserted unchanged. */
export function serializeMessage(message: JSONRPCMessage): string {
  if (!('method' in message) || message.params === undefined) return JSON.stringify(message);
  const { params, ...envelope } = message;
  const { arguments: args, ...rest } = params;
  if (!(args instanceof ExactJson)) return JSON.stringify(message);
  const paramsText = withMember(JSON.stringify(rest), 'arguments', args.text);
  return withMember(JSON.stringify(envelope), 'params', paramsText);
}

function withMember(objectText: string, key: string, valueText: string): string {
  const separator = objectText === '{}' ? '' : ',';
  return `${objectText.slice(0, -1)}${separator}${JSON.stringify(key)}:${valueText}}`;
}
