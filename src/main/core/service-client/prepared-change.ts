import { preparedSchema } from '#shared/contract/index.ts';
import { AppError, catalogue, type FieldError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { checkShape, withServiceWords, foreignWords, quotation } from './answers.ts';
import { sentence } from '#shared/lib/sentence.ts';

/** The part of the remote client that calls a tool. */
export interface ToolCaller {
  callTool(name: string, args: JsonObject, options?: { signal?: AbortSignal }): Promise<JsonObject>;
}

/** A change that the service prepared and holds until its approval ends. */
export interface PreparedCommit {
  approvalId: string;
  fingerprint: string;
  endsAtMs: number;
  payload: JsonObject;
  /** Names of the fields that change, as the service said. */
  changes: string[];
  /** The new value of each field, as the service said. */
  to: Record<string, JsonValue>;
}

/**
 * Calls a tool that changes nothing, such as a read or a prepare, and returns its structured content. Fails as the remote client does,
 * and with `tool_refused` or `forbidden` in the service's words, its fields named as it names them.
 */
export async function callHarmless(
  remote: ToolCaller,
  { name, args, signal }: { name: string; args: JsonObject; signal?: AbortSignal | undefined },
): Promise<JsonObject> {
  const result = await answerTo(remote, { name, args, signal });
  const content = result['structuredContent'];
  if (!isJsonObject(content) || result['isError'] === true) throw refusalOf(result);
  return content;
}

/** Has the service prepare a change, which writes nothing before its commit. Fails as {@link callHarmless}. */
export async function prepareCommit(
  remote: ToolCaller,
  name: string,
  args: JsonObject,
): Promise<PreparedCommit> {
  const { data = null } = await callHarmless(remote, { name, args });
  const { approval, payload, diff } = checkShape(data, preparedSchema, plain);
  const endsAtMs = Date.parse(approval.expiresAt);
  if (Number.isNaN(endsAtMs)) throw new AppError('service_answer_unreadable');
  return {
    approvalId: approval.id,
    fingerprint: approval.fingerprint,
    endsAtMs,
    payload,
    changes: diff.map(({ field }) => field),
    to: Object.fromEntries(diff.map(({ field, to }) => [field, to ?? null])),
  };
}

/** None of these calls changes anything, so that one without an answer leaves nothing open. */
async function answerTo(
  remote: ToolCaller,
  { name, args, signal }: { name: string; args: JsonObject; signal: AbortSignal | undefined },
): Promise<JsonObject> {
  try {
    return await remote.callTool(name, args, signal === undefined ? {} : { signal });
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.code !== 'outcome_unknown') throw failure;
    throw new AppError('service_unreachable', { cause: failure });
  }
}

/** No credential goes with the words of a tool: the remote client has blanked it. */
export const plain = (text: string): string => text;

/** A refusal in the service's words: what it says of single fields stays with them. */
function refusalOf(result: JsonObject): AppError {
  const { statusCode, errors } = toolErrorIn(result);
  const code = statusCode === 403 ? 'forbidden' : 'tool_refused';
  return new AppError(code, {
    ...withServiceWords(catalogue[code].text, toolRefusalWords(result)),
    fields: Array.isArray(errors) ? errors.flatMap(fieldIn) : [],
  });
}

/** The words of a tool's refusal: its structured message, else its first text, where MCP has every refusal (Tools, Error Handling). */
export function toolRefusalWords(result: JsonObject): string {
  const { message } = toolErrorIn(result);
  if (typeof message === 'string') return message;
  const { content } = result;
  const [first] = Array.isArray(content) ? content : [];
  const text = isJsonObject(first) ? first['text'] : undefined;
  return typeof text === 'string' ? text : '';
}

/** The structured part of a tool's refusal; empty where there is none. */
export function toolErrorIn({ structuredContent }: JsonObject): JsonObject {
  const error = isJsonObject(structuredContent) ? structuredContent['error'] : undefined;
  return isJsonObject(error) ? error : {};
}

function fieldIn(error: JsonValue): FieldError[] {
  if (!isJsonObject(error)) return [];
  const { field, message } = error;
  if (typeof field !== 'string' || typeof message !== 'string') return [];
  return [{ field: foreignWords(field), code: 'not_valid', message: sentence`${quotation(message)}` }];
}
