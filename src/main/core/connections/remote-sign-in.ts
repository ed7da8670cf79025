import { extraScopes, type ExtraScope } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Connections } from './connections.ts';

/** How a profile's remote tools may be used, beyond reading. */
export interface RemoteSignIn {
  /** `direct`: the member token opens the tools. */
  access: 'ready' | 'signed-out' | 'direct';
  granted: ExtraScope[];
  /** The scopes that are needed and not granted. */
  missing: ExtraScope[];
}

/** The scopes of a member token at the remote endpoint are not known before the service is asked. */
const direct: RemoteSignIn = { access: 'direct', granted: [], missing: [] };

/** Looks at the sign-in of a profile, without a request. Fails as `credentialsOf`. */
export function remoteSignIn(
  connections: Pick<Connections, 'credentialsOf'>,
  profileId: string,
  needed: readonly ExtraScope[],
): RemoteSignIn {
  const { profile, access, grants } = connections.credentialsOf(profileId);
  if (profile.kind === 'demo') return { access: 'ready', granted: [...extraScopes], missing: [] };
  if (profile.remoteAccess === 'direct-jwt') return direct;
  const held = grants?.load();
  const scopes = held?.kind === 'held' ? held.grant.scopes : [];
  return {
    access: access === null ? 'signed-out' : 'ready',
    granted: extraScopes.filter((scope) => scopes.includes(scope)),
    missing: needed.filter((scope) => !scopes.includes(scope)),
  };
}

/** Passes for a sign-in that covers what is needed. Fails with `sign_in_needed` or `scope_needed`. */
export function assertCovered({ access, missing }: RemoteSignIn): void {
  if (access !== 'ready') throw new AppError('sign_in_needed');
  if (missing.length > 0) throw new AppError('scope_needed', { data: { scope: missing.join(' ') } });
}
