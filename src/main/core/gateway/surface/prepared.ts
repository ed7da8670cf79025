import type { ToolCallRequest } from '#core/proposals/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import type { PreparedMemory } from '../prepared-memory.ts';

/**
 * Remembers what the service prepared for this agent: `data` of the answer with `approval {id, expiresAt}` and `payload`
 * (docs/architecture.md, "Where the contract is silent"). An answer of another shape is not remembered.
 */
export function keepPrepared(
  answer: JsonObject,
  { memory, agentId, tool }: { memory: PreparedMemory; agentId: string; tool: string },
): void {
  const data = memberOf(memberOf(answer, 'structuredContent'), 'data');
  const { id: approvalId, expiresAt } = memberOf(data, 'approval');
  const expiresAtMs = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.NaN;
  if (answer['isError'] === true || data['payload'] === undefined) return;
  if (typeof approvalId !== 'string' || Number.isNaN(expiresAtMs)) return;
  memory.keep({ agentId, approvalId, tool, body: canonicalJson(data), expiresAtMs });
}

/** What was prepared for this agent under the approval that its arguments name. */
export function findPrepared(
  { approvalId }: JsonObject,
  { memory, agentId }: { memory: PreparedMemory; agentId: string },
): ToolCallRequest['prepared'] {
  const found = typeof approvalId === 'string' ? memory.find(agentId, approvalId) : null;
  if (found === null) return null;
  const { payload, diff } = JSON.parse(found.body) as { payload: JsonValue; diff?: JsonValue };
  return { payload, changes: fieldsOf(diff), endsAtMs: found.expiresAtMs };
}

/** The fields of a diff `[{field, …}, …]`; null for one of another shape. */
function fieldsOf(diff: JsonValue | undefined): string[] | null {
  if (!Array.isArray(diff)) return null;
  const fields = diff.map((line) => (isJsonObject(line) ? line['field'] : undefined));
  return fields.every((field) => typeof field === 'string') ? fields : null;
}

function memberOf(value: JsonObject, name: string): JsonObject {
  const found = value[name];
  return found !== undefined && isJsonObject(found) ? found : {};
}
