import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { AppError } from '#shared/errors/index.ts';
import type { UrlPolicy } from '../url-policy.ts';
import { fieldsOf } from './document-fields.ts';
import { readDocument, unusable, type DocumentReader } from './read-document.ts';

const which = 'protected-resource';
const wellKnown = '/.well-known/oauth-protected-resource';

/** So many authorization servers of one resource are tried. */
const mostServers = 4;

/** What the resource says of itself (RFC 9728 §2). */
export interface ProtectedResource {
  /** In the order of the document, as their text is. */
  authorizationServers: readonly string[];
  scopesSupported: readonly string[] | null;
}

export interface FindResourceOptions extends DocumentReader {
  mcpUrl: string;
  policy: UrlPolicy;
  /** From a 401 of the resource (RFC 9728 §5.1); then it is looked for nowhere else. */
  resourceMetadataUrl?: string | undefined;
}

/**
 * Reads the document about `{mcp_url}/mcp` (contract §4.3): where the 401 said, else at the well-known place of the path, else
 * at that of the origin (MCP 2025-11-25, "Protected Resource Metadata Discovery Requirements"). Null where there is none.
 */
export async function findResource(options: FindResourceOptions): Promise<ProtectedResource | null> {
  const { mcpUrl, resourceMetadataUrl } = options;
  const resource = `${mcpUrl}/mcp`;
  if (resourceMetadataUrl !== undefined) {
    const document = await readDocument(which, announced(resourceMetadataUrl, options), options);
    if (document === null) throw unusable(which, null, 'it is not where the service says');
    return checkResource(document, [resource]);
  }
  const own = await readDocument(which, `${mcpUrl}${wellKnown}/mcp`, options);
  if (own !== null) return checkResource(own, [resource]);
  const common = await readDocument(which, `${mcpUrl}${wellKnown}`, options);
  // A document at the origin may speak of the origin, which is the identifier that its place belongs to (RFC 9728 §3.3).
  return common === null ? null : checkResource(common, [resource, mcpUrl]);
}

/** The place that the resource itself announced: on its own origin, nowhere else. */
function announced(address: string, { mcpUrl, policy }: FindResourceOptions): string {
  const field = 'resource_metadata';
  const url = policy.check(address, field);
  if (url.origin === new URL(mcpUrl).origin) return url.href;
  throw new AppError('address_refused', {
    message: `The service names another origin than its own in ${field}. Countersign does not open it.`,
    data: { field, sent: false },
  });
}

/** The resource must be the one that was asked for, byte for byte (RFC 9728 §3.3). */
function checkResource(document: JsonObject, expected: readonly string[]): ProtectedResource {
  const fields = fieldsOf(which, document);
  if (!expected.includes(fields.text('resource'))) {
    throw unusable(which, 'resource', `is not ${expected[0]}, the address of the tools`);
  }
  const servers = fields.texts('authorization_servers') ?? [];
  if (servers.length === 0) throw unusable(which, 'authorization_servers', 'names none');
  return {
    authorizationServers: servers.slice(0, mostServers),
    scopesSupported: fields.scopes('scopes_supported'),
  };
}
