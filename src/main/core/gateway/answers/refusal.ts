import type { ToolResult } from '#core/mcp-server/index.ts';
import type { Logger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { takesVerdict, verdictMember } from './verdict-schema.ts';
import { nextForAgent, type Refusal } from '#shared/wording/index.ts';

/** The refusal that a failure stands for. A bug is logged and stays neutral. */
export function refusalOf(failure: unknown, { tool, logger }: { tool: string; logger: Logger }): Refusal {
  if (!(failure instanceof AppError)) logger.error({ err: failure, tool }, 'A call of an agent failed');
  const error = failure instanceof AppError ? failure : new AppError('internal');
  const { code, message, status } = error;
  return { code, message, next: nextForAgent(error), statusCode: status };
}

/**
 * A refusal as the answer of a tool (MCP `isError`): in words, and as the service's own refusals are structured (contract §7.3)
 * where the tool's output schema takes that: clients check also the structured part of an error against it. The verdict on a
 * proposal goes along wherever the schema takes it (docs/decisions/0030).
 */
export function refusalResult(
  refusal: Refusal,
  outputSchema: JsonValue | undefined,
  verdict: JsonObject | null = null,
): ToolResult {
  const { message, next } = refusal;
  const structuredContent = structuredRefusal(refusal, { outputSchema, verdict });
  return {
    content: [{ type: 'text', text: `${message} ${next}` }],
    ...(structuredContent === null ? {} : { structuredContent }),
    isError: true,
  };
}

/** Null if the schema has no place for it: then clients pass the words on. */
function structuredRefusal(
  { code, message, next, statusCode }: Refusal,
  { outputSchema, verdict }: { outputSchema: JsonValue | undefined; verdict: JsonObject | null },
): JsonObject | null {
  const said = verdict !== null && takesVerdict(outputSchema) ? { [verdictMember]: verdict } : {};
  const isFree = outputSchema === undefined && verdict !== null;
  if (isFree || takesRefusals(outputSchema)) {
    return { ...said, status: 'error', error: { code, message, next, statusCode } };
  }
  return null;
}

const ours = ['code', 'message', 'next', 'statusCode'];

/** True if the schema has a place for `{status: 'error', error: {code, message, next, statusCode}}`. */
function takesRefusals(schema: JsonValue | undefined): boolean {
  if (schema === undefined || !isJsonObject(schema)) return false;
  const { status, error } = members(schema, 'properties');
  if (status === undefined || error === undefined || !isJsonObject(status) || !isJsonObject(error))
    return false;
  const { enum: words = [] } = status;
  const { required = [] } = error;
  const named = Object.keys(members(error, 'properties'));
  return (
    Array.isArray(words) &&
    words.includes('error') &&
    ours.every((name) => named.includes(name)) &&
    Array.isArray(required) &&
    required.every((name) => typeof name === 'string' && ours.includes(name))
  );
}

function members(schema: JsonObject, name: string): JsonObject {
  const found = schema[name];
  return found !== undefined && isJsonObject(found) ? found : {};
}
