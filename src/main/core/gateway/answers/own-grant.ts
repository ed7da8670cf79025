import { type JsonObject, type JsonValue, isJsonObject, objectAt } from '#shared/lib/json/json-value.ts';
import { listed, ownWords, sentence } from '#shared/lib/sentence.ts';

/** The tool that describes the caller's grant (contract §4.3). */
export const whoamiTool = 'svc_whoami';

interface OwnGrant {
  agentId: string;
  name: string;
  scopes: ReadonlySet<string>;
  toolCount: number;
}

/**
 * The service's answer to `svc_whoami` with the agent's own grant in place of the app's: the agent's id, the scopes
 * that both have, and the number of tools offered to the agent. An answer without `data.scopes` is returned unchanged.
 */
export function withOwnGrant(answer: JsonObject, grant: OwnGrant): JsonObject {
  const structured = objectAt(answer, 'structuredContent');
  const data = objectAt(structured, 'data');
  const { scopes, clientId, counts } = data;
  if (!Array.isArray(scopes)) return answer;
  const own = scopes.filter((scope) => typeof scope === 'string' && grant.scopes.has(scope));
  const structuredContent: JsonObject = {
    ...structured,
    data: {
      ...data,
      scopes: own,
      ...(typeof clientId === 'string' && { clientId: grant.agentId }),
      ...(isJsonObject(counts) && { counts: { ...counts, ...toolsOf(counts, grant.toolCount) } }),
    },
  };
  const may = listed(own.filter((scope): scope is string => typeof scope === 'string'));
  const words = sentence`This is the grant of the agent ${grant.name} at Countersign: ${ownWords(may)}. Each change waits for a person.`;
  const texts = [JSON.stringify(structuredContent), words].map((text) => ({ type: 'text', text }));
  return { ...answer, structuredContent, content: texts };
}

function toolsOf(counts: JsonObject, available: number): { tools?: JsonValue } {
  const { tools } = counts;
  return isJsonObject(tools) && 'available' in tools ? { tools: { ...tools, available } } : {};
}
