import type { IncomingMessage, ServerResponse } from 'node:http';
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
    assertOwnHost(request, url);
    const [path = ''] = (request.url ?? '').split('?', 1);
    if (path === '/mcp') mcp(request, response);
    else if (oauth.answers(path)) oauth.handle(request, response);
    else if (path === '/' && request.method === 'GET') sayWhatThisIs(response, url);
    else throw new AppError('not_found');
  };
}

/**
 * Refuses `localhost`, which the listener takes for this machine as well: the documents of the sign-in name one address, and a
 * client compares it with the one it was given (RFC 9728 §3.3). So it is told the right one.
 */
function assertOwnHost({ headers }: IncomingMessage, url: string): void {
  if (headers.host === new URL(url).host) return;
  throw new AppError('host_not_allowed', {
    message: `This address is not served here. Connect at ${url} instead, written exactly so.`,
  });
}

function sayWhatThisIs(response: ServerResponse, url: string): void {
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`This is Countersign. Agents connect at ${url}\n`);
}
