import { AppError } from '#shared/errors/index.ts';
import type { Grant, GrantStore, HeldGrant } from './grant.ts';

/** The grant that is held for this very resource. Fails with `sign_in_needed`. */
export function heldGrant(store: Pick<GrantStore, 'load'>, mcpUrl: string): Grant {
  const held = store.load();
  if (held.kind !== 'held') throw new AppError('sign_in_needed', { message: reasons[held.kind] });
  if (held.grant.resource !== `${mcpUrl}/mcp`)
    throw new AppError('sign_in_needed', { message: reasons.none });
  return held.grant;
}

const reasons: Record<Exclude<HeldGrant['kind'], 'held'>, string> = {
  none: 'Nobody is signed in to this service.',
  ended: 'The sign-in has ended.',
  'other-key': 'The sign-in is kept under a key that cannot be opened now.',
};

/** False once somebody signed out, or in anew: then what comes of this grant means nothing any more. */
export function isCurrent(store: Pick<GrantStore, 'load'>, grant: Grant): boolean {
  const held = store.load();
  return (
    held.kind === 'held' &&
    held.grant.accessToken === grant.accessToken &&
    held.grant.refreshToken === grant.refreshToken
  );
}
