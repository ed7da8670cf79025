import type { McpSurface } from '#core/mcp-server/index.ts';
import type { Operations } from '../operations/operations.ts';
import type { PublisherReports } from '../publisher/reports.ts';
import type { BackendService } from '../service.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { RemotePrincipal } from './principal.ts';

/** How often one principal may call per minute; `null` switches the quota off. */
export interface RemoteQuotas {
  callsPerMinute: number | null;
  /** Prepares and commits. */
  operationsPerMinute: number | null;
}

/** What the remote endpoint offers to a member: tools, resources and prompts, as of this request. */
export function createRemoteSurface(
  service: BackendService,
  parts: { reports: PublisherReports; operations: Operations; tasks: Tasks; quotas: RemoteQuotas },
): McpSurface<RemotePrincipal> {
  void service;
  void parts;
  return {
    capabilities: {},
    admit: () => {},
    listTools: () => [],
    callTool: async () => ({ content: [] }),
    listResources: () => [],
    listResourceTemplates: () => [],
    readResource: async () => [],
    listPrompts: () => [],
    getPrompt: async () => ({ messages: [] }),
  };
}
