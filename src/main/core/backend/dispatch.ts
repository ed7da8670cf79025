import type { LoopbackHandler } from '#core/platform/loopback/index.ts';
import type { Surface } from './faults/with-faults.ts';
import { pathOf } from './http/request-log.ts';

/** The parts of one tenant's service, by who answers which path. */
export interface Parts {
  oauth: { answers(path: string): boolean; handle: LoopbackHandler };
  mcp: LoopbackHandler;
  rest: LoopbackHandler;
}

/** Whose path this is. */
export function surfaceOf(path: string, oauth: Pick<Parts['oauth'], 'answers'>): Surface {
  if (path === '/mcp') return 'mcp';
  return oauth.answers(path) ? 'oauth' : 'rest';
}

/** Hands every request to the part that its path belongs to. OAuth and MCP get the raw request. */
export function dispatchTo({ oauth, mcp, rest }: Parts): LoopbackHandler {
  const handlers: Readonly<Record<Surface, LoopbackHandler>> = { oauth: oauth.handle, mcp, rest };
  return (request, response) => handlers[surfaceOf(pathOf(request.url ?? ''), oauth)](request, response);
}
