import type { Agents, Freeze } from '#core/agents/index.ts';
import { createMcpServer, type McpServer, type McpSurface } from '#core/mcp-server/index.ts';
import {
  type AuthorizationServer,
  createAuthorizationServer,
  type ScopeDefinition,
} from '#core/oauth-server/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { type AsyncDisposable, DisposableStack } from '#core/platform/disposable.ts';
import { type LoopbackHandler, openLoopbackListener } from '#core/platform/loopback/listener.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Profiles } from '#core/profiles/index.ts';
import type { Gate } from '#core/proposals/index.ts';
import type { OAuthRows } from '#core/store/oauth-rows.ts';
import { AppError } from '#shared/errors/index.ts';
import { createAdmissionInteraction } from '../admission/admission-interaction.ts';
import { type AgentPrincipal, createAgentAuthentication, dispatchTo } from './receive-request.ts';

interface AgentEndpointOptions {
  agents: Agents;
  gate: Pick<Gate, 'proposeAdmission' | 'takeBackAdmission' | 'get'>;
  freeze: Pick<Freeze, 'assertThawed'>;
  profiles: Pick<Profiles, 'current'>;
  rows: OAuthRows;
  surface: McpSurface<AgentPrincipal>;
  /** Resolves when this profile's agents can be answered. */
  ready(profileId: string): Promise<void>;
  version: string;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  onChange(): void;
  /** A refresh of this agent was answered once more. */
  onRepeatedRefresh(agentId: string): void;
}

/** The open endpoint at one address: listener, authorization server, MCP. */
export interface AgentEndpoint extends AsyncDisposable {
  port: number;
  /** `http://127.0.0.1:PORT/mcp`. */
  url: string;
  mcp: Pick<McpServer, 'present' | 'listsChanged' | 'endGrant'>;
  oauth: Pick<AuthorizationServer, 'revokeGrant'>;
}

const maxClients = 200;

/** Longer than an admission waits for a person, so that the browser can carry the answer. */
const interactionSeconds = 15 * 60;

/** The most open calls of one session; a batch of proposals waits as so many calls. */
const maxCallsPerSession = 64;

/** Opens the endpoint; 0 takes any free port. Fails with `port_taken`. */
export async function openAgentEndpoint(options: AgentEndpointOptions, port: number): Promise<AgentEndpoint> {
  const stack = new DisposableStack();
  try {
    return await open(options, { port, stack });
  } catch (failure) {
    await stack.dispose();
    throw failure;
  }
}

async function open(
  options: AgentEndpointOptions,
  { port, stack }: { port: number; stack: DisposableStack },
): Promise<AgentEndpoint> {
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
  // At the end new requests are refused first, then sessions and their streams end, then the listener.
  stack.defer(() => void (handler = closed));
  handler = dispatchTo({ oauth, mcp: mcp.handle, url });
  return { port: listener.port, url, mcp, oauth, dispose: () => stack.dispose() };
}

function openAuthorizationServer(
  options: AgentEndpointOptions,
  { origin, url, stack }: { origin: string; url: string; stack: DisposableStack },
): Promise<AuthorizationServer> {
  const { agents, rows, gate, freeze, profiles, clock, ids, logger } = options;
  const interaction = createAdmissionInteraction({ gate, freeze, profiles, agents, clock, ids, logger });
  stack.defer(() => interaction.close());
  return createAuthorizationServer({
    issuer: origin,
    resource: url,
    scopes: agentScopes,
    rows,
    interaction,
    registration: { kind: 'open', maxClients, nativeApps: true },
    isActive: (agentId) => agents.living(agentId) !== null,
    onGranted: ({ subject, grantId }) => agents.seen(subject, grantId),
    refreshRepeats: { onRepeat: ({ subject }) => options.onRepeatedRefresh(subject) },
    lifetimes: { interactionSeconds },
    clock,
    ids,
    logger,
  });
}

/**
 * The scopes that an agent may request: the service's own (contract §5.3). Without any it may only read. Most clients request those that
 * the resource names, and cannot ask for another one later.
 */
const agentScopes: readonly ScopeDefinition[] = [
  { name: 'svc:read', isDefault: true, ofResource: true },
  { name: 'svc:write', isDefault: false, ofResource: true },
  { name: 'svc:upload', isDefault: false, ofResource: true },
  { name: 'offline_access', isDefault: false, ofResource: true },
];

const serverInfo = { name: 'countersign', title: 'Countersign' };

const serverInstructions = [
  'Countersign stands between you and the advertising service: reads pass through, and every change waits until a person approves it.',
  'Work as the tools say: read the current state, prepare a change, commit it unchanged with a fresh idempotency key.',
  'Say with countersign_note in your own words why you want the next change; the person reads it beside the change.',
  'A call that says "Not executed: waiting for confirmation" is not refused: call countersign_await with its proposal id to learn the decision, and do not repeat the call.',
  'If an answer has a `countersign` member, trust it: its verdict says what happened to your change, whatever the rest of the answer says, and its next says what to do.',
  'Do not propose a denied change again unless you are asked to.',
].join(' ');
