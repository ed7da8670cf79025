import { createHash } from 'node:crypto';
import type { McpSurface, Principal } from '../surface.ts';

/** What is listed, each with its own notification. */
const listKinds = ['tools', 'resources', 'prompts'] as const;
export type ListKind = (typeof listKinds)[number];

/** What one session knows of the lists. */
export interface KnownLists<P extends Principal> {
  /** It was just shown this list. */
  saw(kind: ListKind, principal: P): void;
  /** The lists that are other ones than it knows; from now on it knows them. */
  takeChanged(principal: P): ListKind[];
}

/** A session begins with what it would be shown at its opening. */
export function createKnownLists<P extends Principal>(surface: McpSurface<P>, opener: P): KnownLists<P> {
  const known = new Map(listKinds.map((kind) => [kind, fingerprint(surface, kind, opener)]));
  return {
    saw: (kind, principal) => void known.set(kind, fingerprint(surface, kind, principal)),
    takeChanged: (principal) =>
      listKinds.filter((kind) => {
        const now = fingerprint(surface, kind, principal);
        if (known.get(kind) === now) return false;
        known.set(kind, now);
        return true;
      }),
  };
}

function fingerprint<P extends Principal>(surface: McpSurface<P>, kind: ListKind, principal: P): string {
  return createHash('sha256')
    .update(JSON.stringify(listOf(surface, kind, principal)))
    .digest('base64');
}

function listOf<P extends Principal>(surface: McpSurface<P>, kind: ListKind, principal: P): unknown {
  switch (kind) {
    case 'tools':
      return surface.listTools(principal);
    case 'resources':
      return [surface.listResources(principal), surface.listResourceTemplates(principal)];
    case 'prompts':
      return surface.listPrompts(principal);
  }
}
