import type { AgentView, AppOutput, ToolView } from '#shared/app-api/index.ts';

/** An agent that is admitted to Demo and connected. */
export function exampleAgent(change: Partial<AgentView> = {}): AgentView {
  return {
    id: 'agent-1',
    name: 'Claude Code',
    redirectHost: '127.0.0.1',
    profile: { id: 'demo', name: 'Northwind Media', kind: 'demo', account: '1042', zone: 'UTC' },
    scopes: ['svc:read', 'svc:write'],
    sinceMs: 1_000_000,
    lastSeenMs: 1_500_000,
    connected: true,
    repeatedRefreshes: null,
    ended: null,
    tally: { asked: 12, approved: 8, denied: 2, expired: 1, withdrawn: 0, outdated: 0, waiting: 1 },
    ...change,
  };
}

/** Returns an answer of the core to `agents.get`. */
export function exampleAgents(change: Partial<AppOutput<'agents.get'>> = {}): AppOutput<'agents.get'> {
  return {
    endpoint: { url: 'http://127.0.0.1:4321/mcp', problem: null },
    frozenSinceMs: null,
    agents: [exampleAgent()],
    ...change,
  };
}

/** A tool whose pinned definition is unchanged. */
export function exampleTool(change: Partial<ToolView> = {}): ToolView {
  return {
    name: 'svc_whoami',
    title: null,
    description: 'Who am I?',
    treatAs: 'read',
    mayRead: true,
    state: 'pinned',
    hash: 'a'.repeat(64),
    pinnedAtMs: 1_000,
    changes: 0,
    offered: null,
    amendment: null,
    ...change,
  };
}
