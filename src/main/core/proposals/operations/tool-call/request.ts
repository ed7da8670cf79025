import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';

/** Who calls: an agent that a person has let in. */
export interface CallingAgent {
  id: string;
  /** As it calls itself: foreign text. */
  name: string;
  sinceMs: number;
  /** Its grant's one profile. */
  profileId: string;
}

/** One call of a tool that local policy takes for a write. */
export interface ToolCallRequest {
  agent: CallingAgent;
  /** The MCP session in which it came. */
  sessionId: string;
  tool: { name: string; title: string | null; definitionHash: string };
  /** As they go to the service. */
  args: JsonObject;
  /** Which of them the tool's pinned definition does not name, by their paths. */
  undeclared: readonly string[];
  /** The agent's own words, or null. */
  quotation: string | null;
  /** What the service prepared for this agent, where the call commits that. */
  prepared: {
    payload: JsonValue;
    /** The fields that change by it, as the service said; null where that cannot be read. */
    changes: readonly string[] | null;
    endsAtMs: number;
  } | null;
}
