import { DisposableStack, type AsyncDisposable } from '#core/platform/disposable.ts';
import { openLoopbackListener, type LoopbackHandler } from '#core/platform/loopback/index.ts';
import { createMcpServer, type McpServer, type McpSurface } from '#core/mcp-server/index.ts';
import { createAuthorizationServer, type AuthorizationServer } from '#core/oauth-server/index.ts';
import type { OAuthRows } from '#core/store/oauth/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Agents } from '#core/agents/index.ts';
import type { AgentPrincipal } from '../principal.ts';
import { createAgentAuthentication } from './authenticate-agent.ts';
import { dispatchTo } from './dispatch.ts';
import { agentScopes } from './scopes.ts';
import { serverInfo, serverInstructions } from './server-info.ts';
import { createWaitingRoom, type WaitingRoomOptions } from './waiting-room.ts';

export interface DoorOptions extends WaitingRoomOptions {
  agents: Agents;
  /** Clients, codes, tokens and grants of the agents. */
  rows: OAuthRows;
  surface: McpSurface<AgentPrincipal>;
  /** Resolves when this profile's agents can be answered. */
  ready(profileId: string): Promise<void>;
  version: string;
  /** An agent came or went. */
  onChange(): void;
  /** A refresh of this agent was answered once more. */
  onRepeatedRefresh(agentId: string): void;
}

/** The open endpoint at one address: listener, authorization server, MCP. */
export interface Door extends AsyncDisposable {
  port: number;
  /** `http://127.0.0.1:PORT/mcp`. */
  url: string;
  mcp: Pick<McpServer, 'present' | 'listsChanged' | 'endGrant'>;
  oauth: Pick<AuthorizationServer, 'revokeGrant'>;
}

/** How many registered clients are kept. */
const mostClients = 200;

/** Longer than a person may take to decide (proposals, `proposalLifetimeMs`), so that the browser can carry the answer. */
const interactionSeconds = 15 * 60;

/** What one agent may have open in one session; a batch of proposals waits as so many calls. */
const maxCallsPerSession = 64;

/** Opens the endpoint; 0 takes any free port. Fails with `port_taken`. */
export async function openDoor(options: DoorOptions, port: number): Promise<Door> {
  const stack = new DisposableStack();
  try {
    return await open(options, { port, stack });
  } catch (failure) {
    await stack.dispose();
    throw failure;
  }
}

async function open(
  options: DoorOptions,
  { port, stack }: { port: number; stack: DisposableStack },
): Promise<Door> {
  const { agents, surface, ready, version, clock, ids, logger, onChange } = options;
  const closed: LoopbackHandler = () => {
    throw new AppError('gateway_closed');
  };
  let handler = closed;
  const listener = stack.use(
    await openLoopbackListener({
      port,
      logger,
      handler: (request, response) => handler(request, response),
    }),
  );
  const { origin } = listener;
  const url = `${origin}/mcp`;
  const oauth = stack.use(await openAuthorizationServer(options, { origin, url, stack }));
  const mcp = stack.use(
    createMcpServer({
      info: { ...serverInfo, version },
      instructions: serverInstructions,
      surface,
      authenticate: createAgentAuthentication({ oauth, agents, ready }),
      resourceMetadataUrl: oauth.resourceMetadataUrl,
      limits: { maxCallsPerSession },
      onSessions: onChange,
      clock,
      ids,
      logger,
    }),
  );
  stack.defer(
    oauth.onRevoked((grantId) => {
      mcp.endGrant(grantId);
      agents.endOfGrant(grantId);
    }),
  );
  // At the end nobody gets in any more, then sessions and their streams end, then the listener.
  stack.defer(() => void (handler = closed));
  handler = dispatchTo({ oauth, mcp: mcp.handle, url });
  return { port: listener.port, url, mcp, oauth, dispose: () => stack.dispose() };
}

function openAuthorizationServer(
  options: DoorOptions,
  { origin, url, stack }: { origin: string; url: string; stack: DisposableStack },
): Promise<AuthorizationServer> {
  const { agents, rows, clock, ids, logger } = options;
  const interaction = createWaitingRoom(options);
  stack.defer(() => interaction.close());
  return createAuthorizationServer({
    issuer: origin,
    resource: url,
    scopes: agentScopes,
    rows,
    interaction,
    registration: { kind: 'open', mostClients, nativeApps: true },
    isActive: (agentId) => agents.living(agentId) !== null,
    onGranted: ({ subject, grantId }) => agents.seen(subject, grantId),
    refreshRepeats: { onRepeat: ({ subject }) => options.onRepeatedRefresh(subject) },
    lifetimes: { interactionSeconds },
    clock,
    ids,
    logger,
  });
}
