import type { McpServer, McpServerOptions } from './mcp-server.ts';
import type { Principal } from './surface.ts';

/** Makes the endpoint; nothing is listened to. */
export function createMcpServer<P extends Principal>(options: McpServerOptions<P>): McpServer {
  void options;
  return {
    handle: (_request, response) => void response.writeHead(503).end(),
    listsChanged: () => {},
    resourceChanged: () => {},
    endGrant: () => {},
    sessions: 0,
    dispose: async () => {},
  };
}
