import type { Member } from '#core/store/backend/index.ts';
import type { Scope } from './principal.ts';
import type { Requirements } from './tool.ts';

/** Every call reads something, and this is what a token has when nobody asked for more (contract §5.3). */
export const everybodysScope: Scope = 'svc:read';

/** The part of a principal that decides what it is offered. */
export interface Entitled {
  scopes: ReadonlySet<string>;
  member: Pick<Member, 'modules'>;
}

/** Every scope that a call of this needs. */
export function scopesOf({ scopes }: Pick<Requirements, 'scopes'>): readonly Scope[] {
  return scopes.includes(everybodysScope) ? scopes : [everybodysScope, ...scopes];
}

/** Whether the token has every scope that this needs. */
export function hasScopes(entitled: Entitled, needed: Pick<Requirements, 'scopes'>): boolean {
  return scopesOf(needed).every((scope) => entitled.scopes.has(scope));
}

/** Whether the account has one of the modules that this belongs to. */
export function hasModule(entitled: Entitled, { modules }: Pick<Requirements, 'modules'>): boolean {
  return modules.length === 0 || modules.some((module) => entitled.member.modules.includes(module));
}

/** Whether a call would be let through: only then it is listed. */
export function isOffered(entitled: Entitled, needed: Requirements): boolean {
  return hasScopes(entitled, needed) && hasModule(entitled, needed);
}
