import {
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type JSONRPCResultResponse,
} from '@modelcontextprotocol/sdk/types.js';
import { AppError, parseServiceJson } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { sentence } from '#shared/lib/sentence.ts';
import { type HttpAnswer, readText } from '#system/http/answer.ts';
import { refuseOddAnswer } from '../answers.ts';
import { unreadable } from './tool-requests.ts';

export function mediaTypeOf(response: HttpAnswer): string {
  return (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Fails with `service_unreachable` where the answer is cut. */
export async function readWhole(response: HttpAnswer): Promise<string> {
  try {
    return await readText(response);
  } catch (cause) {
    throw new AppError('service_unreachable', { data: { sent: true }, cause });
  }
}

/** Reads one JSON-RPC message as strictly as every answer, and keeps it whole. Fails with `service_answer_unreadable`. */
export function readMessage(text: string): JSONRPCMessage {
  const value = parse(text);
  if (isResult(value)) return value;
  const checked = JSONRPCMessageSchema.safeParse(value);
  if (!checked.success) throw unreadable(sentence`It is no JSON-RPC message.`, checked.error);
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
    return parseServiceJson(text);
  } catch (cause) {
    refuseOddAnswer(text, (words) => words);
    throw unreadable(cause instanceof AppError ? cause.message : sentence``, cause);
  }
}
