import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Profile, Profiles } from '#core/profiles/index.ts';
import { signIn, type Grant, type GrantStore, type SignInProgress } from '#core/service-client/index.ts';
import type { ExtraScope, SignInView } from '#shared/app-api/index.ts';
import { AppError, encodeError } from '#shared/errors/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import type { Connections } from './connections.ts';
import { learnAccount } from './learn-account.ts';

/** The one sign-in under way, as the pages see it. */
export interface SignInDesk extends AsyncDisposable {
  /**
   * Begins, and resolves at once. Fails with `sign_in_running`, `profile_unknown`, `profile_fixed`, `sign_in_not_needed`,
   * `live_on_desktop_only` or `shutting_down`.
   */
  start(wanted: { profileId: string; scopes: readonly ExtraScope[] }): SignInView;
  get(): SignInView | null;
  /** Opens the authorization address once more. */
  open(): SignInView | null;
  /** Ends the sign-in under way, if there is one; how it ended is told by `onChange`. */
  cancel(): SignInView | null;
  /** Cancels a sign-in of this profile and resolves when it is over. */
  leave(profileId: string): Promise<void>;
}

export interface SignInDeskOptions {
  profiles: Profiles;
  grantsOf(profileId: string): GrantStore;
  /** The connection begins anew with the new grant, and tells whose account it is. */
  connections: Pick<Connections, 'of' | 'renew'>;
  /** Hands the authorization address to the system's browser; resolves to whether that worked. */
  openLink(address: string): Promise<boolean>;
  clock: Clock;
  logger: Logger;
  onChange(): void;
  /** How long a person may take in the browser, in milliseconds. */
  timeoutMs?: number;
}

/** Long enough to find a password and a second factor. */
const usualTimeoutMs = 5 * 60 * 1000;

/** Read tools come with every sign-in (contract §5.3). */
const leastScope = 'svc:read';

/** One sign-in, from its start until nothing of it is under way any more. */
interface Attempt {
  profile: Profile;
  view: SignInView;
  abort: AbortController;
  over: Promise<void>;
}

export function createSignInDesk(options: SignInDeskOptions): SignInDesk {
  const { profiles, grantsOf, connections, openLink, clock, logger, onChange } = options;
  const timeoutMs = options.timeoutMs ?? usualTimeoutMs;
  const underWay = new Set<Attempt>();
  let last: Attempt | null = null;
  let disposed = false;

  const view = (): SignInView | null => last && { ...last.view };

  function show(attempt: Attempt, change: Partial<SignInView>): void {
    attempt.view = { ...attempt.view, ...change };
    onChange();
  }

  function showProgress(attempt: Attempt, progress: SignInProgress): void {
    switch (progress.kind) {
      case 'waiting':
        return show(attempt, {
          state: 'waiting',
          address: progress.address,
          endsAtMs: progress.endsAtMs,
        });
      case 'opened':
        return show(attempt, { opened: progress.opened });
      case 'finishing':
        return show(attempt, { state: 'finishing', address: null, endsAtMs: null });
      default:
        return assertNever(progress);
    }
  }

  async function openAddress(address: string): Promise<boolean> {
    try {
      return await openLink(address);
    } catch (failure) {
      logger.warn({ failure }, 'The browser could not be opened');
      return false;
    }
  }

  async function run(attempt: Attempt, scopes: readonly string[]): Promise<void> {
    const { profile, abort } = attempt;
    let grant: Grant;
    try {
      grant = await signIn({
        mcpUrl: profile.addresses.mcpUrl,
        store: grantsOf(profile.id),
        scopes,
        open: openAddress,
        onProgress: (progress) => showProgress(attempt, progress),
        signal: abort.signal,
        timeoutMs,
        clock,
        logger,
      });
    } catch (failure) {
      return showFailure(attempt, failure);
    }
    await connections.renew(profile.id);
    show(attempt, { ...ended, state: 'done', scopes: [...grant.scopes] });
    const learned = await learnAccount(profile.id, { ...options, signal: abort.signal });
    if (learned) onChange();
  }

  function showFailure(attempt: Attempt, failure: unknown): void {
    if (!(failure instanceof AppError)) logger.error({ failure }, 'A sign-in failed');
    const { code, message, next } = encodeError(failure);
    const state = code === 'sign_in_cancelled' ? 'cancelled' : 'failed';
    show(attempt, { ...ended, state, failure: { code, message, next } });
  }

  /** Fails where this profile cannot sign in, or not now. */
  function assertMayStart(profile: Profile): void {
    if (disposed) throw new AppError('shutting_down');
    if (profile.kind === 'demo') throw new AppError('profile_fixed');
    if (profile.remoteAccess === 'direct-jwt') throw new AppError('sign_in_not_needed');
    if (last !== null && isRunning(last)) throw new AppError('sign_in_running');
  }

  async function endAll(which: (attempt: Attempt) => boolean): Promise<void> {
    const ending = [...underWay].filter(which);
    for (const { abort } of ending) abort.abort();
    await Promise.all(ending.map(({ over }) => over));
  }

  return {
    start({ profileId, scopes: wanted }) {
      const profile = profiles.get(profileId);
      assertMayStart(profile);
      const held = grantsOf(profileId).load();
      const granted = held.kind === 'held' ? held.grant.scopes : [];
      const scopes = [...new Set([leastScope, ...granted, ...wanted])];
      const attempt: Attempt = {
        profile,
        view: { profileId, scopes, state: 'preparing', opened: null, failure: null, ...ended },
        abort: new AbortController(),
        over: Promise.resolve(),
      };
      last = attempt;
      underWay.add(attempt);
      attempt.over = run(
        attempt,
        scopes.filter((scope) => scope !== leastScope),
      ).finally(() => underWay.delete(attempt));
      onChange();
      return { ...attempt.view };
    },
    get: view,
    open() {
      const attempt = last;
      if (attempt !== null && attempt.view.address !== null) {
        void openAddress(attempt.view.address).then((opened) => {
          if (attempt.view.state === 'waiting') show(attempt, { opened });
        });
      }
      return view();
    },
    cancel() {
      if (last !== null && isRunning(last)) last.abort.abort();
      return view();
    },
    leave: (profileId) => endAll(({ profile }) => profile.id === profileId),
    async dispose() {
      disposed = true;
      await endAll(() => true);
    },
  };
}

/** Where nobody is waited for in a browser. */
const ended = { address: null, endsAtMs: null } as const;

function isRunning({ view: { state } }: Attempt): boolean {
  return state === 'preparing' || state === 'waiting' || state === 'finishing';
}
