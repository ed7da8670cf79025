import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import { viewOf, type Credentials, type Profiles } from '#core/profiles/index.ts';
import type { GrantStore } from '#core/service-client/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { AppInput, AppOutput } from '#shared/app-api/index.ts';
import type { Connections } from './connections.ts';
import type { SignInDesk } from './sign-in-desk.ts';

export interface ProfileDeskOptions {
  profiles: Profiles;
  credentials: Credentials;
  connections: Connections;
  signIn: SignInDesk;
  grantsOf(profileId: string): GrantStore;
  store: AppStore;
  timeoutMs: number;
  clock: Clock;
  logger: Logger;
  /** Something that the pages show of a profile has changed. */
  onChange(): void;
}

/** What a person does with profiles, as the pages ask for it (`profiles.*` of the app API, failures included). */
export interface ProfileDesk {
  list(): AppOutput<'profiles.list'>;
  add(input: AppInput<'profiles.add'>): Promise<AppOutput<'profiles.add'>>;
  edit(input: AppInput<'profiles.edit'>): Promise<AppOutput<'profiles.edit'>>;
  remove(input: AppInput<'profiles.remove'>): Promise<null>;
  switchTo(input: AppInput<'profiles.switch'>): AppOutput<'profiles.switch'>;
  keepCredential(input: AppInput<'profiles.keepCredential'>): Promise<AppOutput<'profiles.keepCredential'>>;
  forgetCredential(
    input: AppInput<'profiles.forgetCredential'>,
  ): Promise<AppOutput<'profiles.forgetCredential'>>;
  signOut(input: AppInput<'profiles.signOut'>): Promise<AppOutput<'profiles.signOut'>>;
}

export function createProfileDesk({ profiles, onChange }: ProfileDeskOptions): ProfileDesk {
  const notYet = (): Promise<never> => Promise.reject(new Error('not yet'));
  return {
    list: () => ({
      items: profiles.list().map((profile) => ({
        ...viewOf(profile),
        addresses: profile.addresses,
        remoteAccess: profile.remoteAccess,
        signIn: { state: 'held', scopes: [], signedInAtMs: null },
        memberToken: { state: 'held', expiresAtMs: null },
        publisherKey: { state: 'held' },
      })),
      currentId: profiles.current().id,
      liveAllowed: profiles.liveAllowed,
    }),
    add: notYet,
    edit: notYet,
    remove: notYet,
    switchTo({ id }) {
      const profile = profiles.switchTo(id);
      onChange();
      return viewOf(profile);
    },
    keepCredential: notYet,
    forgetCredential: notYet,
    signOut: notYet,
  };
}
