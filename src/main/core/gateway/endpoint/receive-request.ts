import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Agents } from '#core/agents/index.ts';
import type { AuthorizationServer } from '#core/oauth-server/index.ts';
import type { Principal } from '#core/mcp-server/index.ts';
import { bearerToken } from '#core/platform/loopback/requests.ts';
import type { LoopbackHandler } from '#core/platform/loopback/listener.ts';
import { createTurns } from '#core/platform/work-queues.ts';
import { AppError } from '#shared/errors/index.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

interface EndpointHandlers {
  oauth: { answers(path: string): boolean; handle: LoopbackHandler };
  mcp: LoopbackHandler;
  url: string;
}

/**
 * Passes the raw request to OAuth and MCP; answers a visit of the bare address with a short explanation; refuses
 * everything else.
 */
export function dispatchTo({ oauth, mcp, url }: EndpointHandlers): LoopbackHandler {
  return (request, response) => {
    assertOwnHost(request, url);
    const [path = ''] = (request.url ?? '').split('?', 1);
    if (path === '/mcp') mcp(request, response);
    else if (oauth.answers(path)) oauth.handle(request, response);
    else if (path === '/' && request.method === 'GET') sayWhatThisIs(response, url);
    else throw new AppError('not_found');
  };
}

/**
 * Refuses `localhost`, which the listener accepts for this machine as well: the documents of the sign-in name one
 * address, and a client compares it with the one that it was given (RFC 9728 §3.3). The refusal names the right
 * address.
 */
function assertOwnHost({ headers }: IncomingMessage, url: string): void {
  if (headers.host === new URL(url).host) return;
  throw new AppError('host_not_allowed', {
    message: sentence`This address is not served here. Connect at ${ownWords(url)} instead, written exactly so.`,
  });
}

function sayWhatThisIs(response: ServerResponse, url: string): void {
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`This is Countersign. Agents connect at ${url}\n`);
}

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

interface AgentAuthentication {
  oauth: Pick<AuthorizationServer, 'authenticate'>;
  agents: Pick<Agents, 'seen'>;
  ready(profileId: string): Promise<void>;
}

/**
 * Finds the agent behind the one bearer token of a request. Fails with `token_invalid` where the token is not a living one
 * of this gateway, or its agent is no longer admitted.
 */
export function createAgentAuthentication({ oauth, agents, ready }: AgentAuthentication) {
  const nextTurn = createTurns();
  return async (request: IncomingMessage): Promise<AgentPrincipal> => {
    // Two hundred calls may come in one turn, and each takes a moment until it waits for something.
    await nextTurn();
    const token = bearerToken(request);
    const grant = token === null ? null : await oauth.authenticate(token);
    const agent = grant === null ? null : agents.seen(grant.subject, grant.grantId);
    if (grant === null || agent === null) throw new AppError('token_invalid');
    await ready(agent.profileId);
    return {
      key: agent.id,
      grantId: grant.grantId,
      agentId: agent.id,
      profileId: agent.profileId,
      name: agent.name,
      sinceMs: agent.admittedAtMs,
      scopes: grant.scopes,
    };
  };
}
