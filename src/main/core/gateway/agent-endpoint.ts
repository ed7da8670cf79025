import type { Agents, Freeze } from '#core/agents/index.ts';
import { type McpServer, type McpSurface, createMcpServer } from '#core/mcp-server/index.ts';
import {
  type AccessGrant,
  type AuthorizationServer,
  type ScopeDefinition,
  createAuthorizationServer,
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
import { createAdmissionInteraction } from './admission/admission-interaction.ts';
import type { AgentPrincipal } from './agent-principal.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { bearerToken } from '#core/platform/loopback/requests.ts';
import { createTicks } from '#core/platform/work-queues.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

interface AgentEndpointOptions {
  agents: Agents;
  gate: Pick<Gate, 'proposeAdmission' | 'takeBackAdmission' | 'get'>;
  freeze: Pick<Freeze, 'assertThawed'>;
  profiles: Pick<Profiles, 'current'>;
  rows: OAuthRows;
  version: string;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  onChange(): void;
}

interface EndpointParts {
  surface: {
    surface: McpSurface<AgentPrincipal>;
    ready(profileId: string): Promise<void>;
  };
  onRepeatedRefresh(agentId: string): void;
  /** `0` means any free port. */
  port: number;
}

/** The open endpoint on one port: listener, authorization server and MCP server. */
export interface AgentEndpoint extends AsyncDisposable {
  port: number;
  url: string;
  mcp: Pick<McpServer, 'present' | 'listsChanged' | 'endGrant'>;
  oauth: Pick<AuthorizationServer, 'revokeGrant'>;
}

const maxClients = 200;

/** Longer than an admission waits for a person, so that the browser can deliver the answer. */
const interactionSeconds = 15 * 60;

/** Maximum number of open calls per session. It is large because a batch of proposals keeps one call open for each member. */
const maxCallsPerSession = 64;

/** Opens the endpoint. Fails with `port_taken`. */
export async function openAgentEndpoint(
  options: AgentEndpointOptions,
  parts: EndpointParts,
): Promise<AgentEndpoint> {
  const stack = new DisposableStack();
  try {
    return await open(options, parts, stack);
  } catch (failure) {
    await stack.dispose();
    throw failure;
  }
}

async function open(
  options: AgentEndpointOptions,
  { surface: { surface, ready }, onRepeatedRefresh, port }: EndpointParts,
  stack: DisposableStack,
): Promise<AgentEndpoint> {
  const { agents, version, clock, ids, logger, onChange } = options;
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
  const oauth = stack.use(await openAuthorizationServer(options, { origin, url, onRepeatedRefresh, stack }));
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
  // Disposal runs in reverse: first refuse new requests, then end sessions and streams, then close the listener.
  stack.defer(() => void (handler = closed));
  handler = dispatchTo({ oauth, mcp: mcp.handle, url });
  return { port: listener.port, url, mcp, oauth, dispose: () => stack.dispose() };
}

function openAuthorizationServer(
  options: AgentEndpointOptions,
  {
    origin,
    url,
    onRepeatedRefresh,
    stack,
  }: { origin: string; url: string; onRepeatedRefresh(agentId: string): void; stack: DisposableStack },
): Promise<AuthorizationServer> {
  const { agents, rows, clock, ids, logger } = options;
  const interaction = createAdmissionInteraction(options);
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
    refreshRepeats: { onRepeat: ({ subject }) => onRepeatedRefresh(subject) },
    lifetimes: { interactionSeconds },
    clock,
    ids,
    logger,
  });
}

/** The service's own scopes (contract §5.3). Most clients request the scopes that the resource names, and no others later. */
const agentScopes: readonly ScopeDefinition[] = [
  { name: 'svc:read', isDefault: true, ofResource: true },
  { name: 'svc:write', isDefault: false, ofResource: true },
  { name: 'svc:upload', isDefault: false, ofResource: true },
  { name: 'offline_access', isDefault: false, ofResource: true },
];

const serverInfo = { name: 'countersign', title: 'Countersign' };

const serverInstructions = [
  'Countersign stands between you and the advertising service: reads pass through, and every change waits until a person approves it.',
  'Find campaigns with countersign_find_campaigns; read one in full, prepare a change, and commit its approval with a fresh idempotency key.',
  'Countersign asks the person for every commit: you need not ask, and confirmed is not yours to say.',
  'Say with countersign_note in your own words why you want the next change; the person reads it beside the change.',
  'A call that says "Not executed: waiting for confirmation" is not refused: call countersign_await with its proposal id to learn the decision, and do not repeat the call.',
  'If an answer has a `countersign` member, trust it: its verdict says what happened to your change, whatever the rest of the answer says, and its next says what to do.',
  'Do not propose a denied change again unless you are asked to.',
].join(' ');

interface EndpointHandlers {
  oauth: { answers(path: string): boolean; handle: LoopbackHandler };
  mcp: LoopbackHandler;
  url: string;
}

function dispatchTo({ oauth, mcp, url }: EndpointHandlers): LoopbackHandler {
  const own = { host: new URL(url).host, url };
  return (request, response) => {
    assertOwnHost(request, own);
    const [path = ''] = (request.url ?? '').split('?', 1);
    if (path === '/mcp') mcp(request, response);
    else if (oauth.answers(path)) oauth.handle(request, response);
    else if (path === '/' && request.method === 'GET') sayWhatThisIs(response, url);
    else throw new AppError('not_found');
  };
}

/** Refuses `localhost` as well: clients compare the address with the one in the OAuth metadata (RFC 9728 §3.3). */
function assertOwnHost({ headers }: IncomingMessage, { host, url }: { host: string; url: string }): void {
  if (headers.host === host) return;
  throw new AppError('host_not_allowed', {
    message: sentence`This address is not served here. Connect at ${ownWords(url)} instead, written exactly so.`,
  });
}

function sayWhatThisIs(response: ServerResponse, url: string): void {
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`This is Countersign. Agents connect at ${url}\n`);
}

interface AgentAuthentication {
  oauth: Pick<AuthorizationServer, 'authenticate'>;
  agents: Pick<Agents, 'seen'>;
  ready(profileId: string): Promise<void>;
}

/** Finds the agent of a request's bearer token. Fails with `token_invalid`. */
function createAgentAuthentication({ oauth, agents, ready }: AgentAuthentication) {
  const nextTick = createTicks();
  const principalOf = ({ subject, grantId, scopes }: AccessGrant): AgentPrincipal | null => {
    const agent = agents.seen(subject, grantId);
    if (agent === null) return null;
    const { id, profileId, name, admittedAtMs: sinceMs } = agent;
    return { key: id, grantId, agentId: id, profileId, name, sinceMs, scopes };
  };
  return async (request: IncomingMessage): Promise<AgentPrincipal> => {
    // Spreads a burst of calls over event loop ticks: each of two hundred calls computes for a moment before it waits.
    await nextTick();
    const token = bearerToken(request);
    const principal = token === null ? null : await oauth.authenticate(token, principalOf);
    if (principal === null) throw new AppError('token_invalid');
    await ready(principal.profileId);
    return principal;
  };
}
