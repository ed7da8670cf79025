import type { AppStore } from '#core/store/app/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Credentials } from '#core/profiles/index.ts';
import type { GrantStore } from '#core/service-client/index.ts';

export interface GrantStoreOptions {
  store: AppStore;
  credentials: Credentials;
  clock: Clock;
}

/** The grant of a live profile, sealed in the app's database; each step is a transaction of its own. */
export function createGrantStore(_profileId: string, _options: GrantStoreOptions): GrantStore {
  throw new Error('not yet');
}
