import type { Principal } from '#core/mcp-server/index.ts';

/** The agent behind a request: let in by a person, for one profile. The key is its id. */
export interface AgentPrincipal extends Principal {
  agentId: string;
  /** The one profile that its calls go to. */
  profileId: string;
  /** As the agent calls itself: foreign text. */
  name: string;
  /** When it was let in. */
  sinceMs: number;
  scopes: ReadonlySet<string>;
}
