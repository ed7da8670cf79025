import type { Agents, Freeze, ToolPins } from '#core/agents/index.ts';
import type { Connections } from '#core/connections/index.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Profiles } from '#core/profiles/index.ts';
import type { Gate } from '#core/proposals/index.ts';
import type { OAuthRows } from '#core/store/oauth/index.ts';
import type { PreparedMemory } from './prepared-memory.ts';
import type { AppOutput } from '#shared/app-api/index.ts';

/** The MCP endpoint for agents (docs/architecture.md, "The gateway"). Whoever made it disposes it. */
export interface Gateway extends AsyncDisposable {
  /** Opens the listener on the stored port, or on any where none was chosen yet. Never fails: `endpoint` tells. */
  open(how?: { onAnotherPort: boolean }): Promise<void>;
  endpoint(): AppOutput<'agents.get'>['endpoint'];
  /** The agents with an open session. */
  connected(): ReadonlySet<string>;
  /** Ends the sessions and the grant of an agent that is no longer let in. */
  endAgent(agent: { id: string; grantId: string | null }): void;
  /** What the agents of this profile may list has changed. */
  toolsChanged(profileId: string): void;
}

/** Where the port is kept that was chosen once. */
export interface PortMemory {
  read(): number | null;
  write(port: number): void;
}

export interface GatewayOptions {
  connections: Pick<Connections, 'of'>;
  profiles: Pick<Profiles, 'get' | 'current'>;
  gate: Pick<Gate, 'agents' | 'proposeAdmission' | 'get'>;
  agents: Agents;
  freeze: Pick<Freeze, 'assertThawed' | 'sinceMs'>;
  pins: ToolPins;
  /** Clients, codes, tokens and grants of the agents. */
  rows: OAuthRows;
  port: PortMemory;
  /** Remembers what was prepared, so that a commit after a restart is shown in full. */
  prepared: PreparedMemory;
  version: string;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  /** An agent came or went, or the endpoint opened or closed. */
  onChange(): void;
}

export function createGateway(_options: GatewayOptions): Gateway {
  return {
    async open() {},
    endpoint: () => ({ url: '', problem: null }),
    connected: () => new Set(),
    endAgent() {},
    toolsChanged() {},
    async dispose() {},
  };
}
