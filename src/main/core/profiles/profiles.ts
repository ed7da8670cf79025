import type { Clock } from '#core/platform/clock.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { ProfileInput } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Profile } from './profile.ts';

export interface ProfilesOptions {
  store: AppStore;
  /** Always there, fixed, and first. */
  demo: Profile;
  /** False where the host works with Demo only. */
  liveAllowed: boolean;
  clock: Clock;
  ids: Ids;
}

/** The profiles of this data folder, and which one is in front. Nothing here speaks to a service. */
export interface Profiles {
  readonly liveAllowed: boolean;
  /** Demo first, then by name. */
  list(): Profile[];
  /** Fails with `profile_unknown`, or `live_on_desktop_only`. */
  get(id: string): Profile;
  current(): Profile;
  /** Fails as `get`. */
  switchTo(id: string): Profile;
  /** Fails with `validation_failed` naming every field, or `live_on_desktop_only`. */
  add(input: ProfileInput): Profile;
  /** Fails as `add`, and with `profile_fixed`. */
  edit(id: string, input: ProfileInput): Profile;
  /** The service told whose account it is. */
  setAccount(id: string, account: string): void;
  /** Removes the row; Demo is in front where this one was. Fails as `edit`. */
  remove(id: string): void;
}

export function createProfiles({ demo, liveAllowed }: ProfilesOptions): Profiles {
  const notYet = (): never => {
    throw new AppError('profile_unknown');
  };
  return {
    liveAllowed,
    list: () => [demo],
    get: (id) => (id === demo.id ? demo : notYet()),
    current: () => demo,
    switchTo: (id) => (id === demo.id ? demo : notYet()),
    add: notYet,
    edit: notYet,
    setAccount: notYet,
    remove: notYet,
  };
}
