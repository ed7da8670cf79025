import type { Principal } from '#core/mcp-server/index.ts';

/** The agent behind a request, admitted by the user for one profile. `key` is the agent's id. */
export interface AgentPrincipal extends Principal {
  agentId: string;
  profileId: string;
  /** The agent's own claim: untrusted text. */
  name: string;
  sinceMs: number;
  scopes: ReadonlySet<string>;
}
