import type { Principal } from '#core/mcp-server/index.ts';

/** The agent behind a request, admitted by the user for one profile. The key is its id. */
export interface AgentPrincipal extends Principal {
  agentId: string;
  /** The one profile that its calls go to. */
  profileId: string;
  /** The agent's own claim: foreign text. */
  name: string;
  sinceMs: number;
  scopes: ReadonlySet<string>;
}
