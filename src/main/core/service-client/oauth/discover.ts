import type { AuthorizationServer } from 'oauth4webapi';
import type { UrlPolicy } from '../url-policy.ts';

/** The protected resource and its authorization server, as their documents say (RFC 9728, RFC 8414). */
export interface Discovery {
  /** `{mcp_url}/mcp`, compared byte for byte with what the document says. */
  resource: string;
  scopesSupported: readonly string[] | null;
  /** Every address in it has passed the policy. */
  server: AuthorizationServer;
}

/** One of the two documents, as it came: for the doctor. */
export interface DocumentRead {
  url: string;
  status: number;
  tookMs: number;
}

export interface DiscoverOptions {
  mcpUrl: string;
  policy: UrlPolicy;
  timeoutMs: number;
  signal?: AbortSignal;
  /** From a 401 of the resource (RFC 9728 §5.1), where one was seen. */
  resourceMetadataUrl?: string;
  onDocument?(which: 'protected-resource' | 'authorization-server', read: DocumentRead): void;
}

/**
 * Reads both documents. Fails with `discovery_failed`, `address_refused`, `service_unreachable`, `wrong_host` or
 * `service_unavailable`, naming the document and the field.
 */
export async function discover(_options: DiscoverOptions): Promise<Discovery> {
  throw new Error('not yet');
}
