import type { McpLimits } from './mcp-server.ts';

/** Fits one person with a handful of agents. An upload travels as base64 inside a call, hence the size of a body. */
export const defaultMcpLimits: McpLimits = {
  maxBodyBytes: 4 * 1024 * 1024,
  maxBatch: 20,
  maxSessions: 256,
  maxSessionsPerPrincipal: 16,
  sessionIdleMs: 30 * 60_000,
  maxCallsPerSession: 16,
  maxSubscriptionsPerSession: 100,
  keepAliveMs: 15_000,
};
