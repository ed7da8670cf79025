import { randomBytes } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult, Progress } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import { createToolPins, type FailedWrite, type ToolPins } from '#core/agents/index.ts';
import type { Connection } from '#core/connections/index.ts';
import { createAgentSurface } from '#core/gateway/agent-surface.ts';
import type { PreparedBody, PreparedMemory } from '#core/gateway/calls/prepared.ts';
import type { AgentPrincipal } from '#core/gateway/agent-principal.ts';
import { createMcpServer, type McpServer, type McpSurface } from '#core/mcp-server/index.ts';
import { systemClock, type Clock } from '#core/platform/clock.ts';
import { createIds } from '#core/platform/ids.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { openLoopbackListener } from '#core/platform/loopback/listener.ts';
import { createRemoteClient, type RemoteClient } from '#core/service-client/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { openLedger } from '#test/core/ledger/fixture.ts';
import { fixedAccess } from '#test/core/service-client/remote/fake-mcp.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { untilFound } from '#test/setup/eventually.ts';
import { createFakeGate, type FakeGate } from './calls/fake-gate.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

/** The surface at a real endpoint, for a service of the test. */
export interface SurfaceWorld {
  gate: FakeGate;
  pins: ToolPins;
  prepared: Map<string, PreparedBody>;
  mcp: McpServer;
  surface: McpSurface<AgentPrincipal>;
  url: string;
  /** Writes that were refused before they became proposals. */
  refused: FailedWrite[];
  /** True while all agents are frozen. The test sets it. */
  frozen: boolean;
  /** Opens a new connection, as an edit of the profile or a new sign-in does. */
  renew(origin?: string): RemoteClient;
  /** Connects the SDK's own client as an agent. Its token is the id of the agent, with optional scopes after a slash. */
  agent(token?: string): Promise<SurfaceAgent>;
}

export interface SurfaceAgent {
  client: Client;
  transport: StreamableHTTPClientTransport;
  /** The number of reported changes of each list. */
  reported: Record<'tools' | 'resources' | 'prompts', number>;
  call(name: string, args?: Record<string, unknown>, options?: CallHow): Promise<CallToolResult>;
}

export interface CallHow {
  signal?: AbortSignal;
  onProgress?(progress: Progress): void;
}

export const profileId = 'p';

export async function openSurface(
  origin: string,
  { token = 'service-token', clock = systemClock }: { token?: string; clock?: Clock } = {},
): Promise<SurfaceWorld> {
  const { store, secrets, ledger } = openLedger(tempFolder(), randomBytes(32));
  const gate = createFakeGate();
  const prepared = new Map<string, PreparedBody>();
  const pins = createToolPins({ store, secrets, ledger, clock, formats: () => defaultFormats });
  pins.onChanged(() => notify());
  const refused: FailedWrite[] = [];
  const remotes: RemoteClient[] = [];
  let connection = connect(origin);

  function connect(to: string): Connection {
    const access = fixedAccess(token);
    const remote = createRemoteClient({ mcpUrl: to, access, timeoutMs: 60_000, logger });
    remotes.push(remote);
    return { remote, profile: { addresses: { mcpUrl: to } } } as Connection;
  }

  const surface = createAgentSurface(
    {
      connections: { of: () => connection, remoteOf: () => connection.remote },
      gate: { agents: gate },
      freeze: {
        assertThawed() {
          if (world.frozen) throw new AppError('agents_frozen');
        },
      },
      pins,
      refusedAttempts: { record: (write) => void refused.push(write) },
      prepared: memoryIn(prepared),
      rows: store.oauth,
      clock,
      logger,
      formats: () => defaultFormats,
    },
    () => notify(),
  );
  const mcp = createMcpServer<AgentPrincipal>({
    info: { name: 'countersign', title: 'Countersign', version: '1' },
    instructions: '',
    surface: surface.surface,
    async authenticate({ headers: { authorization = '' } }) {
      await surface.ready(profileId);
      return principalOf(authorization.replace('Bearer ', ''));
    },
    resourceMetadataUrl: 'http://127.0.0.1/.well-known/oauth-protected-resource/mcp',
    limits: { maxCallsPerSession: 64 },
    clock: systemClock,
    ids: createIds(() => Date.now()),
    logger,
  });
  const notify = (): void => mcp.listsChanged(() => true);
  const listener = await openLoopbackListener({
    port: 0,
    logger,
    handler: mcp.handle,
    limits: { closeGraceMs: 20 },
  });
  onTestFinished(async () => {
    await mcp.dispose();
    await listener.dispose();
    await surface.dispose();
    await Promise.all(remotes.map((remote) => remote.dispose()));
  });
  const world: SurfaceWorld = {
    gate,
    pins,
    prepared,
    refused,
    mcp,
    surface: surface.surface,
    url: `${listener.origin}/mcp`,
    frozen: false,
    renew(to = origin) {
      connection = connect(to);
      return connection.remote;
    },
    agent: (as = 'a') => connectAgent(world.url, as),
  };
  return world;
}

async function connectAgent(url: string, token: string): Promise<SurfaceAgent> {
  const client = new Client({ name: 'agent', version: '1' });
  const reported = { tools: 0, resources: 0, prompts: 0 };
  client.fallbackNotificationHandler = async ({ method }) => {
    const [, list] = /^notifications\/(\w+)\/list_changed$/.exec(method) ?? [];
    if (list !== undefined) reported[list as keyof typeof reported] += 1;
  };
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    transport,
    reported,
    call: async (name, args = {}, { signal, onProgress } = {}) =>
      (await client.callTool({ name, arguments: args }, undefined, {
        ...(signal === undefined ? {} : { signal }),
        ...(onProgress === undefined ? {} : { onprogress: onProgress }),
      })) as CallToolResult,
  };
}

/** Resolves when the condition is true. */
export async function until(isSo: () => boolean): Promise<void> {
  await untilFound(isSo);
}

/** Returns the agent behind a token. */
export function principalOf(token: string): AgentPrincipal {
  const [agentId = '', scopes = 'svc:read svc:write svc:upload offline_access'] = token.split('/');
  return {
    key: agentId,
    grantId: null,
    agentId,
    profileId,
    name: `Agent ${agentId}`,
    sinceMs: 1,
    scopes: new Set(scopes.split(' ')),
  };
}

function memoryIn(prepared: Map<string, PreparedBody>): PreparedMemory {
  return {
    keep: ({ agentId, approvalId, ...body }) => void prepared.set(`${agentId} ${approvalId}`, body),
    find: (agentId, approvalId) => prepared.get(`${agentId} ${approvalId}`) ?? null,
  };
}
