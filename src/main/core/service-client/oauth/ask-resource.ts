import { readChallenge } from '../challenge.ts';
import { createGuardedFetch, type GuardedFetchOptions } from './guarded-fetch.ts';

/** What the resource says to somebody without a token. */
export interface ResourceWords {
  /** As `discover` takes it; empty where the resource names no place. */
  resourceMetadataUrl: { resourceMetadataUrl?: string };
  scopes: readonly string[];
}

const question = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'tools/list', params: {} });

/**
 * Asks `{mcp_url}/mcp` without a token: its 401 may say where it is described and which scopes it wants (RFC 9728 §5.1,
 * MCP 2025-11-25, Scope Selection Strategy). Any other answer says nothing. Fails with `service_unreachable`.
 */
export async function askResource(mcpUrl: string, options: GuardedFetchOptions): Promise<ResourceWords> {
  const answer = await createGuardedFetch(options)(`${mcpUrl}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: question,
  });
  if (answer.status !== 401) return { resourceMetadataUrl: {}, scopes: [] };
  const { resourceMetadata, scope } = readChallenge(answer.headers);
  return {
    resourceMetadataUrl: resourceMetadata === null ? {} : { resourceMetadataUrl: resourceMetadata },
    scopes: scope?.split(' ') ?? [],
  };
}
