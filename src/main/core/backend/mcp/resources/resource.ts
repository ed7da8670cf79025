import type { ResourceContents, ResourceDefinition, ResourceTemplate } from '#core/mcp-server/index.ts';
import type { RemotePrincipal } from '../principal.ts';
import type { Requirements } from '../tool.ts';

/** One kind of resource: a fixed one, or many under a template. */
export interface RemoteResource extends Requirements {
  /** What is listed for this principal. */
  list(principal: RemotePrincipal): readonly ResourceDefinition[];
  template?: ResourceTemplate;
  /** The part of an address that names one of them; null when the address is of another kind. */
  match(uri: string): string | null;
  /** Fails with `object_not_found`, the same for absent and foreign ones. */
  read(
    principal: RemotePrincipal,
    asked: { uri: string; id: string },
  ): ResourceContents | Promise<ResourceContents>;
}

/** The type of everything that is JSON. */
export const jsonType = 'application/json';
