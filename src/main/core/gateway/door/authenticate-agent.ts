import type { IncomingMessage } from 'node:http';
import type { Agents } from '#core/agents/index.ts';
import type { AuthorizationServer } from '#core/oauth-server/index.ts';
import { bearerToken } from '#core/platform/loopback/index.ts';
import { createTurns } from '#core/platform/turns.ts';
import { AppError } from '#shared/errors/index.ts';
import type { AgentPrincipal } from '../principal.ts';

export interface AgentAuthentication {
  oauth: Pick<AuthorizationServer, 'authenticate'>;
  agents: Pick<Agents, 'seen'>;
  /** Resolves when this profile's agents can be answered. */
  ready(profileId: string): Promise<void>;
}

/**
 * Finds the agent behind the one bearer token of a request. Fails with `token_invalid` where the token is not a living one
 * of this gateway, or its agent is no longer let in.
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
