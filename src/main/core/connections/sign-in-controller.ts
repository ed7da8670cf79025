import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Credentials, Profile, Profiles } from '#core/profiles/index.ts';
import type { GrantStore } from '#core/service-client/index.ts';
import { type ExtraScope, type SignInView, extraScopes } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Connections } from './connections.ts';
import { type Attempt, runAttempt, isRunning, newAttempt, notWaiting } from './sign-in-attempt.ts';

/** The one sign-in under way, as the pages see it. */
export interface SignInController extends AsyncDisposable {
  /**
   * Begins, and resolves at once. Fails with `sign_in_running`, `profile_unknown`, `profile_fixed`, `sign_in_not_needed`,
   * `live_on_desktop_only`, `service_not_allowed`, `policy_unusable` or `shutting_down`.
   */
  start(wanted: { profileId: string; scopes: readonly ExtraScope[] }): SignInView;
  get(): SignInView | null;
  /** Opens the authorization address once more. */
  open(): SignInView | null;
  /** Ends the sign-in under way, if there is one; `onChange` reports its end. */
  cancel(): SignInView | null;
  /** Cancels a sign-in of this profile and resolves when it is over. */
  leave(profileId: string): Promise<void>;
}

interface SignInControllerOptions {
  profiles: Profiles;
  credentials: Pick<Credentials, 'held'>;
  grantsOf(profileId: string): GrantStore;
  /** Begins the connection again with the new grant. */
  connections: Pick<Connections, 'renew'>;
  /** Hands the authorization address to the system's browser; resolves to whether that worked. */
  openLink(address: string): Promise<boolean>;
  clock: Clock;
  logger: Logger;
  onChange(): void;
  /** One request to the service, in milliseconds. */
  requestTimeoutMs: number;
  /** Time that a person has in the browser, in milliseconds. */
  timeoutMs?: number;
}

/** Default time limit: long enough to find a password and a second factor. */
const usualTimeoutMs = 5 * 60 * 1000;

/** An attempt until all of it has ended, follow-up work included. */
interface UnderWay {
  attempt: Attempt;
  over: Promise<void>;
}

export function createSignInController(options: SignInControllerOptions): SignInController {
  const { profiles, grantsOf, connections, openLink, logger, onChange } = options;
  const timeoutMs = options.timeoutMs ?? usualTimeoutMs;
  const underWay = new Set<UnderWay>();
  let last: Attempt | null = null;
  let disposed = false;

  const view = (): SignInView | null => last && { ...last.view };

  async function open(address: string): Promise<boolean> {
    try {
      return await openLink(address);
    } catch (failure) {
      logger.warn({ failure }, 'The browser could not be opened');
      return false;
    }
  }

  /** Replaces the connection before the sign-in is reported as done. */
  async function run(attempt: Attempt): Promise<void> {
    const { id } = attempt.profile;
    const grant = await runAttempt(attempt, { ...options, grants: grantsOf(id), open, timeoutMs });
    if (grant === null) return;
    await connections.renew(id);
    attempt.view = { ...attempt.view, ...notWaiting, state: 'done', scopes: [...grant.scopes] };
    onChange();
  }

  /** Fails where this profile cannot sign in, or not now. */
  function assertMayStart(profile: Profile): void {
    if (disposed) throw new AppError('shutting_down');
    if (profile.kind === 'demo') throw new AppError('profile_fixed');
    if (profile.remoteAccess === 'direct-jwt') throw new AppError('sign_in_not_needed');
    if (last !== null && isRunning(last)) throw new AppError('sign_in_running');
  }

  async function endThose(which: (attempt: Attempt) => boolean): Promise<void> {
    const ending = [...underWay].filter(({ attempt }) => which(attempt));
    for (const { attempt } of ending) attempt.abort.abort();
    await Promise.all(ending.map(({ over }) => over));
  }

  return {
    start({ profileId, scopes }) {
      const profile = profiles.open(profileId);
      assertMayStart(profile);
      const attempt = newAttempt(profile, grantsOf(profileId), scopes);
      last = attempt;
      const entry: UnderWay = { attempt, over: run(attempt).finally(() => underWay.delete(entry)) };
      underWay.add(entry);
      onChange();
      return { ...attempt.view };
    },
    get: view,
    open() {
      const attempt = last;
      if (attempt !== null && attempt.view.address !== null) {
        void open(attempt.view.address).then((opened) => {
          if (attempt.view.state !== 'waiting') return;
          attempt.view = { ...attempt.view, opened };
          onChange();
        });
      }
      return view();
    },
    cancel() {
      if (last !== null && isRunning(last)) last.abort.abort();
      return view();
    },
    leave: (profileId) => endThose(({ profile }) => profile.id === profileId),
    async dispose() {
      disposed = true;
      await endThose(() => true);
    },
  };
}

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
