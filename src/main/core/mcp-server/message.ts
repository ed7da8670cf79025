import type { RequestId } from './rpc-error.ts';
import { JsonText } from './surface.ts';
import { metaPrefix } from '#core/platform/mcp-envelope.ts';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject } from '#shared/lib/json/json-value.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { type Sentence, sentence } from '#shared/lib/sentence.ts';

/** One JSON-RPC 2.0 message that MCP allows. `raw` is passed to the SDK. */
export type Message =
  | { kind: 'request'; id: RequestId; method: string; params: JsonObject; raw: JsonObject }
  | { kind: 'notification'; method: string; raw: JsonObject }
  | { kind: 'response'; raw: JsonObject };

/** Reads one message. Fails with `bad_input` for everything that the SDK would refuse. */
export function readMessage(value: JsonValue): Message {
  if (!isJsonObject(value)) throw refusal(sentence`A message must be a JSON object.`);
  if (value['jsonrpc'] !== '2.0') throw refusal(sentence`\`jsonrpc\` must be "2.0".`);
  if ('method' in value) return readCall(value);
  if ('result' in value || 'error' in value) return readResponse(value);
  throw refusal(sentence`A message must have \`method\`, \`result\` or \`error\`.`);
}

function readCall(value: JsonObject): Message {
  allowKeys(value, ['jsonrpc', 'id', 'method', 'params']);
  const { method, params = {} } = value;
  if (typeof method !== 'string' || method === '') throw refusal(sentence`\`method\` must be a text.`);
  if (!isJsonObject(params)) throw refusal(sentence`\`params\` must be an object.`);
  checkMeta(params);
  if (!('id' in value)) return { kind: 'notification', method, raw: value };
  const known = withoutTask(params);
  return {
    kind: 'request',
    id: readId(value['id']),
    method,
    params: known,
    raw: { ...value, params: known },
  };
}

function readResponse(value: JsonObject): Message {
  allowKeys(value, ['jsonrpc', 'id', 'result', 'error']);
  const { result, error } = value;
  if ((result === undefined) === (error === undefined)) {
    throw refusal(sentence`A response must have \`result\` or \`error\`, not both.`);
  }
  if (result !== undefined && !isJsonObject(result)) throw refusal(sentence`\`result\` must be an object.`);
  if (error !== undefined && !isRpcErrorShape(error))
    throw refusal(sentence`\`error\` must have \`code\` and \`message\`.`);
  readId(value['id']);
  return { kind: 'response', raw: value };
}

/** Refuses null, which MCP does not allow, and fractions, which an answer might not repeat exactly. */
function readId(id: JsonValue | undefined): RequestId {
  if (typeof id === 'string' || Number.isSafeInteger(id)) return id as RequestId;
  throw refusal(sentence`\`id\` must be a text or a whole number.`);
}

function checkMeta({ _meta: meta }: JsonObject): void {
  if (meta === undefined) return;
  if (!isJsonObject(meta)) throw refusal(sentence`\`_meta\` must be an object.`);
  const { progressToken } = meta;
  if (progressToken === undefined || typeof progressToken === 'string') return;
  if (!Number.isSafeInteger(progressToken))
    throw refusal(sentence`\`progressToken\` must be a text or a whole number.`);
}

const relatedTask = `${metaPrefix}related-task`;

/** Drops requests for tasks, as a server without tasks must (MCP 2025-11-25, Tasks). The SDK would refuse them. */
function withoutTask(params: JsonObject): JsonObject {
  const { task, _meta: meta, ...others } = params;
  const isRelated = isJsonObject(meta) && relatedTask in meta;
  if (task === undefined && !isRelated) return params;
  if (meta === undefined) return others;
  if (!isRelated) return { ...others, _meta: meta };
  const { [relatedTask]: _related, ...otherMeta } = meta;
  return { ...others, _meta: otherMeta };
}

function isRpcErrorShape(error: JsonValue): boolean {
  return isJsonObject(error) && Number.isSafeInteger(error['code']) && typeof error['message'] === 'string';
}

function allowKeys(value: JsonObject, allowed: readonly string[]): void {
  const unknown = Object.keys(value).find((key) => !allowed.includes(key));
  if (unknown !== undefined) throw refusal(sentence`A message has no ${unknown}.`);
}

function refusal(message: Sentence): AppError {
  return new AppError('bad_input', { message });
}

export function textOf(message: object): string {
  if (!('result' in message)) return JSON.stringify(message);
  const { result, ...envelope } = message;
  const { structuredContent } = result as { structuredContent?: unknown };
  if (!(structuredContent instanceof JsonText)) return JSON.stringify(message);
  let members = '';
  for (const [name, value] of Object.entries(result as Record<string, unknown>)) {
    const text = value instanceof JsonText ? value.text : JSON.stringify(value);
    if (text !== undefined) members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${text}`;
  }
  return `${JSON.stringify(envelope).slice(0, -1)},"result":{${members}}}`;
}
