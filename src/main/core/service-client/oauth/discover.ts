import type { AuthorizationServer } from 'oauth4webapi';
import { AppError } from '#shared/errors/index.ts';
import type { UrlPolicy } from '../url-policy.ts';
import { createGuardedFetch, type Lookup } from './guarded-fetch.ts';
import { findResource } from './protected-resource.ts';
import { unusable, type DocumentName, type DocumentRead, type DocumentReader } from './read-document.ts';
import { findServer, findServerAtOrigin } from './server-metadata.ts';

export type { DocumentRead } from './read-document.ts';

/** The protected resource and its authorization server, as their documents say (RFC 9728, RFC 8414). */
export interface Discovery {
  /** `{mcp_url}/mcp`, compared byte for byte with what the document says. */
  resource: string;
  scopesSupported: readonly string[] | null;
  /** Every address in it has passed the policy. */
  server: AuthorizationServer;
}

export interface DiscoverOptions {
  mcpUrl: string;
  policy: UrlPolicy;
  /** One document, in milliseconds. */
  timeoutMs: number;
  signal?: AbortSignal;
  /** From a 401 of the resource (RFC 9728 §5.1), where one was seen. */
  resourceMetadataUrl?: string;
  /** Called for every answer, also where it only says that the document is not there. */
  onDocument?(which: DocumentName, read: DocumentRead): void;
  /** Of the operating system, unless a test brings its own. */
  lookup?: Lookup;
}

/**
 * Reads both documents. Fails with `discovery_failed` (`data.document` and `data.field` say where), `address_refused`
 * (`data.field`), `service_unreachable`, `wrong_host`, `rate_limited`, `service_unavailable` or `service_failed`; cancelled,
 * with the signal's reason. Of several authorization servers the first one counts whose document passes; where none does, the
 * failure is that of the first.
 */
export async function discover(options: DiscoverOptions): Promise<Discovery> {
  const { mcpUrl, policy, resourceMetadataUrl, signal } = options;
  const reader: DocumentReader = { ...options, fetch: createGuardedFetch(options) };
  const found = await findResource({ ...reader, mcpUrl, policy, resourceMetadataUrl });
  const resource = `${mcpUrl}/mcp`;
  if (found === null) {
    const server = await findServerAtOrigin(mcpUrl, policy, reader);
    if (server === null) throw unusable('protected-resource', null, 'there is none');
    return { resource, scopesSupported: null, server };
  }
  const { authorizationServers, scopesSupported } = found;
  const failures: AppError[] = [];
  for (const issuer of authorizationServers) {
    try {
      const server = await findServer(issuer, policy, reader);
      if (server !== null) return { resource, scopesSupported, server };
      failures.push(unusable('authorization-server', null, 'there is none'));
    } catch (failure) {
      signal?.throwIfAborted();
      if (!(failure instanceof AppError)) throw failure;
      failures.push(failure);
    }
  }
  throw failures[0];
}
