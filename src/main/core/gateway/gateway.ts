import type { Agents, Freeze, RefusedAttempts, ToolPins } from '#core/agents/index.ts';
import type { Connections } from '#core/connections/index.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import { isPortTaken, openOnStablePort } from '#core/platform/loopback/listener.ts';
import { createSerialQueue } from '#shared/lib/serial-queue.ts';
import type { Profiles } from '#core/profiles/index.ts';
import type { Gate } from '#core/proposals/index.ts';
import type { OAuthRows } from '#core/store/oauth-rows.ts';
import { createAgentSurface } from './agent-surface.ts';
import type { PreparedMemory } from './calls/prepared.ts';
import type { AgentView, AppOutput } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { type AgentEndpoint, openAgentEndpoint } from './agent-endpoint.ts';
import type { Formats } from '#shared/lib/formats.ts';

/** The MCP endpoint for agents (docs/agents.md). The creator disposes it. */
export interface Gateway extends AsyncDisposable {
  /** Opens the listener on the stored port, or on any free port the first time. Never fails; `endpoint` reports the result. */
  open(how?: { onAnotherPort: boolean }): Promise<void>;
  endpoint(): AppOutput<'agents.get'>['endpoint'];
  connected(): ReadonlySet<string>;
  repeatedRefreshes(): ReadonlyMap<string, RepeatedRefreshes>;
  endAgent(agent: { id: string; grantId: string | null }): void;
  toolsChanged(profileId: string): void;
}

type RepeatedRefreshes = NonNullable<AgentView['repeatedRefreshes']>;

export interface PortMemory {
  read(): number | null;
  write(port: number): void;
}

export interface GatewayOptions {
  connections: Pick<Connections, 'of' | 'remoteOf'>;
  profiles: Pick<Profiles, 'get' | 'current'>;
  gate: Pick<Gate, 'agents' | 'proposeAdmission' | 'takeBackAdmission' | 'get'>;
  agents: Agents;
  freeze: Pick<Freeze, 'assertThawed'>;
  pins: ToolPins;
  refusedAttempts: Pick<RefusedAttempts, 'record'>;
  rows: OAuthRows;
  port: PortMemory;
  /** Stores prepared changes, so that a commit after a restart is shown in full. */
  prepared: PreparedMemory;
  version: string;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  onChange(): void;
  formats(): Formats;
}

/** Creates the gateway, which listens only after `open`. */
export function createGateway(options: GatewayOptions): Gateway {
  const { agents, port, clock, logger, onChange } = options;
  const surface = createAgentSurface(options, toolsChanged);
  const repeated = new Map<string, RepeatedRefreshes>();
  function onRepeatedRefresh(agentId: string): void {
    const count = (repeated.get(agentId)?.count ?? 0) + 1;
    repeated.set(agentId, { count, lastMs: clock.nowMs() });
    onChange();
  }
  const inTurn = createSerialQueue();
  let endpoint: AgentEndpoint | null = null;
  let problem: AppError | null = new AppError('gateway_closed');
  let isEnded = false;

  function toolsChanged(profileId: string): void {
    endpoint?.mcp.listsChanged((agentId) => agents.living(agentId)?.profileId === profileId);
  }

  const connected = (): ReadonlySet<string> => agents.connected(endpoint?.mcp.present() ?? new Set());

  async function closeEndpoint(): Promise<void> {
    const closing = endpoint;
    endpoint = null;
    await closing?.dispose();
  }

  /** Closes the endpoint again if its port cannot be stored: after a restart, agents would not find it. */
  async function openAt(asked: number): Promise<AgentEndpoint> {
    const opened = await openAgentEndpoint(options, { surface, onRepeatedRefresh, port: asked });
    try {
      if (port.read() !== opened.port) port.write(opened.port);
      return opened;
    } catch (failure) {
      await opened.dispose();
      throw failure;
    }
  }

  /** Agents have the port in their settings. If it is taken, only a person may choose a different port. */
  const openAtOwn = (own: number | null): Promise<AgentEndpoint> =>
    own === null ? openOnStablePort(openAt) : openAt(own);

  /** Agents have only the old address in their settings, so each has to be admitted again. */
  async function openElsewhere(): Promise<void> {
    const opened = await openOnStablePort(openAt);
    await closeEndpoint();
    endpoint = opened;
    agents.endAll();
  }

  /** Ends unclaimed grants, because no browser can claim a grant while the endpoint is closed. */
  function endUnclaimed(): void {
    try {
      agents.endUnclaimed();
    } catch (failure) {
      logger.error({ failure }, 'Agents that never came could not be ended');
    }
  }

  async function open(onAnotherPort: boolean): Promise<void> {
    if (isEnded || (endpoint !== null && !onAnotherPort)) return;
    if (endpoint === null) endUnclaimed();
    try {
      if (onAnotherPort) await openElsewhere();
      else endpoint = await openAtOwn(port.read());
      problem = null;
    } catch (failure) {
      logger.error({ failure }, 'The endpoint for agents could not be opened');
      problem = new AppError(isPortTaken(failure) ? 'gateway_port_taken' : 'gateway_closed');
    }
    onChange();
  }

  return {
    open: ({ onAnotherPort } = { onAnotherPort: false }) => inTurn(() => open(onAnotherPort)),
    endpoint() {
      if (endpoint !== null) return { url: endpoint.url, problem: null };
      const { message, next } = problem ?? new AppError('gateway_closed');
      const stored = port.read();
      const url = stored === null ? '' : `http://127.0.0.1:${stored}/mcp`;
      return { url, problem: { message, next } };
    },
    connected,
    repeatedRefreshes: () => repeated,
    endAgent({ grantId }) {
      if (endpoint === null || grantId === null) return;
      endpoint.mcp.endGrant(grantId);
      endpoint.oauth.revokeGrant(grantId).catch((failure: unknown) => {
        // The agent was ended before, so its tokens are useless.
        logger.error({ failure }, 'The grant of an agent could not be removed');
      });
    },
    toolsChanged,
    dispose: () =>
      inTurn(async () => {
        isEnded = true;
        await closeEndpoint();
        await surface.dispose();
      }),
  };
}
