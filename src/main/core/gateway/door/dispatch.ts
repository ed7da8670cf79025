import type { ServerResponse } from 'node:http';
import type { LoopbackHandler } from '#core/platform/loopback/index.ts';
import { AppError } from '#shared/errors/index.ts';

/** Who answers which path. */
export interface DoorParts {
  oauth: { answers(path: string): boolean; handle: LoopbackHandler };
  mcp: LoopbackHandler;
  /** Where agents connect. */
  url: string;
}

/** OAuth and MCP get the raw request; a person who looks at the bare address is told what this is; nothing else is here. */
export function dispatchTo({ oauth, mcp, url }: DoorParts): LoopbackHandler {
  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    if (path === '/mcp') mcp(request, response);
    else if (oauth.answers(path)) oauth.handle(request, response);
    else if (path === '/' && request.method === 'GET') sayWhatThisIs(response, url);
    else throw new AppError('not_found');
  };
}

function sayWhatThisIs(response: ServerResponse, url: string): void {
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`This is Countersign. Agents connect at ${url}\n`);
}
