import type { Freeze, ToolPins } from '#core/agents/index.ts';
import type { Connections } from '#core/connections/index.ts';
import type { McpSurface } from '#core/mcp-server/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { OAuthRows } from '#core/store/oauth/index.ts';
import type { AgentGate } from '#core/proposals/index.ts';
import type { PreparedMemory } from '../prepared-memory.ts';
import type { AgentPrincipal } from '../principal.ts';

export interface SurfaceOptions {
  connections: Pick<Connections, 'of'>;
  gate: { agents: AgentGate };
  freeze: Pick<Freeze, 'assertThawed'>;
  pins: ToolPins;
  prepared: PreparedMemory;
  /** Of the tokens that agents have of this gateway. */
  rows: Pick<OAuthRows, 'find'>;
  clock: Clock;
  logger: Logger;
  /** What the agents of this profile are listed may be another list now. */
  onListsChanged(profileId: string): void;
}

/** What agents are offered (docs/architecture.md, "Agents"). Whoever made it disposes it. */
export interface AgentSurface extends AsyncDisposable {
  surface: McpSurface<AgentPrincipal>;
  /**
   * Resolves when the lists of the profile's service are there, or when waiting for them is of no use: asked before every
   * request, and cheap when they are. Never fails: what is pinned stands in for a service that is away.
   */
  ready(profileId: string): Promise<void>;
}
