import type { LoopbackHandler } from '#core/platform/loopback/index.ts';

/** The parts of one tenant's service, by who answers which path. */
export interface Parts {
  oauth: { answers(path: string): boolean; handle: LoopbackHandler };
  mcp: LoopbackHandler;
  rest: LoopbackHandler;
}

/** Hands every request to the part that its path belongs to. OAuth and MCP get the raw request. */
export function dispatchTo({ oauth, mcp, rest }: Parts): LoopbackHandler {
  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    if (path === '/mcp') mcp(request, response);
    else if (oauth.answers(path)) oauth.handle(request, response);
    else rest(request, response);
  };
}
