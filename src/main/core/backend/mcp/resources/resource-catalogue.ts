import type { ResourceContents, ResourceDefinition, ResourceTemplate } from '#core/mcp-server/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { RemotePrincipal } from '../principal.ts';
import { hasModule, isOffered } from '../requirements.ts';
import type { RemoteResource } from './resource.ts';

/** Every kind of resource of the service; what is listed of them depends on who asks. */
export interface ResourceCatalogue {
  readonly size: number;
  /** How many kinds are open to a principal. */
  countFor(principal: RemotePrincipal): number;
  list(principal: RemotePrincipal): ResourceDefinition[];
  templates(principal: RemotePrincipal): ResourceTemplate[];
  /** Fails with `object_not_found`, or `module_denied` for a kind that the account has not. */
  read(principal: RemotePrincipal, uri: string): Promise<ResourceContents>;
}

/** Puts the kinds together. */
export function createResourceCatalogue(kinds: readonly RemoteResource[]): ResourceCatalogue {
  const open = (principal: RemotePrincipal) => kinds.filter((kind) => isOffered(principal, kind));
  return {
    size: kinds.length,
    countFor: (principal) => open(principal).length,
    list: (principal) => open(principal).flatMap((kind) => [...kind.list(principal)]),
    templates: (principal) =>
      open(principal).flatMap(({ template }) => (template === undefined ? [] : [template])),
    async read(principal, uri) {
      for (const kind of kinds) {
        const id = kind.match(uri);
        if (id === null) continue;
        if (!hasModule(principal, kind)) throw new AppError('module_denied');
        return kind.read(principal, { uri, id });
      }
      throw new AppError('object_not_found');
    },
  };
}
