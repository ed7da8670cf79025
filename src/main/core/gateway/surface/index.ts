import type { McpSurface } from '#core/mcp-server/index.ts';
import type { GatewayOptions } from '../gateway.ts';
import type { AgentPrincipal } from '../principal.ts';

/** What agents are offered: the tools, resources and prompts of their profile's service, and the app's own. */
export interface AgentSurface {
  surface: McpSurface<AgentPrincipal>;
  /** Resolves once what this profile's service offers was read, or could not be. Never fails. */
  ready(profileId: string): Promise<void>;
  dispose(): Promise<void>;
}

export interface SurfaceOptions extends Pick<
  GatewayOptions,
  'connections' | 'profiles' | 'gate' | 'agents' | 'freeze' | 'pins' | 'prepared' | 'clock' | 'ids' | 'logger'
> {
  /** What the agents of this profile may list has changed. */
  onListsChanged(profileId: string): void;
}

export function createAgentSurface(_options: SurfaceOptions): AgentSurface {
  return {
    surface: {
      capabilities: {},
      admit() {},
      listTools: () => [],
      callTool: async () => ({ content: [], isError: true }),
      listResources: () => [],
      listResourceTemplates: () => [],
      readResource: async () => [],
      listPrompts: () => [],
      getPrompt: async () => ({}),
    },
    async ready() {},
    async dispose() {},
  };
}
