import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Profiles } from '#core/profiles/index.ts';
import type { GrantStore } from '#core/service-client/index.ts';
import type { ExtraScope, SignInView } from '#shared/app-api/index.ts';

/** The one sign-in under way, as the pages see it. */
export interface SignInDesk extends AsyncDisposable {
  /** Begins, and resolves at once. Fails with `sign_in_running`, `profile_unknown`, `profile_fixed`, `live_on_desktop_only`. */
  start(wanted: { profileId: string; scopes: readonly ExtraScope[] }): SignInView;
  get(): SignInView | null;
  /** Opens the authorization address once more. */
  open(): SignInView | null;
  /** Ends the sign-in under way, if there is one. */
  cancel(): SignInView | null;
  /** Cancels a sign-in of this profile and resolves when it is over. */
  leave(profileId: string): Promise<void>;
}

export interface SignInDeskOptions {
  profiles: Profiles;
  grantsOf(profileId: string): GrantStore;
  /** The connection begins anew with the new grant. */
  renew(profileId: string): Promise<void>;
  /** Hands the authorization address to the system's browser; resolves to whether that worked. */
  openLink(address: string): Promise<boolean>;
  clock: Clock;
  logger: Logger;
  onChange(): void;
  /** How long a person may take in the browser, in milliseconds. */
  timeoutMs?: number;
}

export function createSignInDesk(_options: SignInDeskOptions): SignInDesk {
  const notYet = (): never => {
    throw new Error('not yet');
  };
  return {
    start: notYet,
    get: () => null,
    open: () => null,
    cancel: () => null,
    leave: async () => {},
    dispose: async () => {},
  };
}
