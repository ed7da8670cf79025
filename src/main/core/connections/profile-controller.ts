import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import { createKeyedQueue } from '#core/platform/work-queues.ts';
import {
  type Credentials,
  isSameService,
  type Profile,
  type Profiles,
  viewOf,
} from '#core/profiles/index.ts';
import type { GrantStore } from '#core/service-client/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { AppInput, AppOutput, CredentialName, ProfileDetail } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { type Connections, signedInAccount } from './connections.ts';
import { createCredentialRemoval } from './grant-store.ts';
import { askAbout, cleanCredential, otherAccount, refused } from './pasted-credential.ts';
import { opened, profileDetail } from './profile-state.ts';
import type { SignInController } from './sign-in-controller.ts';

export interface ProfileControllerOptions {
  profiles: Profiles;
  credentials: Credentials;
  connections: Pick<Connections, 'renew'>;
  signIn: Pick<SignInController, 'leave'>;
  endExamination(profileId: string): void;
  grantsOf(profileId: string): GrantStore;
  store: AppStore;
  clearCampaignCache(profileId: string): void;
  clearReportCache(profileId: string): void;
  endAgents(profileId: string): void;
  addGuardrails(profileId: string): void;
  forgetLimits(profileId: string): void;
  switchOffAlerts(profileId: string): void;
  forgetNotes(profileId: string): void;
  forgetCampaignNotes(profileId: string): void;
  forgetDrafts(profileId: string): void;
  timeoutMs: number;
  clock: Clock;
  logger: Logger;
  onChange(): void;
}

export interface ProfileController {
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
  /** Signs out of all live profiles in parallel. Skips services that do not answer in time. Never fails. */
  signOutEverywhere(): Promise<void>;
}

const sealedNames = { memberToken: 'member-token', publisherKey: 'publisher-key' } as const satisfies Record<
  CredentialName,
  string
>;

/** Queues the changes of each profile, so that an account is still current when it is stored. */
export function createProfileController(options: ProfileControllerOptions): ProfileController {
  const { profiles, credentials, connections, store, clearCampaignCache, onChange } = options;
  const { endSignIn, leaveService, forgetCredentials } = createCredentialRemoval(options);
  const enqueue = createKeyedQueue();

  const detailOf = (id: string): ProfileDetail => profileDetail(profiles.get(id), options);

  function liveProfile(id: string): Profile {
    const profile = profiles.get(id);
    if (profile.kind === 'demo') throw new AppError('profile_fixed');
    return profile;
  }

  /** Fails with `profile_busy` while a change of this profile waits, is being sent, or has an unknown outcome. */
  function assertIdle(id: string): void {
    if (store.proposals.open().some(({ profile }) => profile.id === id)) throw new AppError('profile_busy');
  }

  function forgetPasted(id: string): void {
    store.transaction(() => {
      credentials.forget(id, 'member-token');
      credentials.forget(id, 'publisher-key');
      clearCampaignCache(id);
    });
  }

  const accountOfSignIn = ({ id, remoteAccess }: Profile): string | null =>
    remoteAccess === 'oauth' ? signedInAccount(options.grantsOf(id)) : null;

  function assertAccountOfSignIn(profile: Profile, account: string | null): void {
    const signedIn = accountOfSignIn(profile);
    if (account === null || signedIn === null || account === signedIn) return;
    throw refused('other_account', otherAccount(account, signedIn));
  }

  /** Stores the account of a new token. Keeps cached data only if the service confirms the same account. */
  function storeAccount(
    profile: Profile,
    { value, account }: { value: string; account: string | null },
  ): void {
    const held = opened(profile, options, 'member-token');
    if (account === null && held.value === value) return;
    if (account !== profile.account) clearCampaignCache(profile.id);
    // If there was no earlier token, the known account comes from a sign-in.
    if (account !== null || held.state !== 'none') {
      profiles.setAccount(profile.id, account ?? accountOfSignIn(profile) ?? '');
    }
  }

  async function finish(id: string): Promise<ProfileDetail> {
    await connections.renew(id);
    onChange();
    return detailOf(id);
  }

  return {
    list: () => ({
      items: profiles.list().map((profile) => profileDetail(profile, options)),
      currentId: profiles.current().id,
      liveAllowed: profiles.liveAllowed,
    }),

    async add(input) {
      const { id } = store.transaction(() => {
        const added = profiles.add(input);
        options.addGuardrails(added.id);
        return added;
      });
      onChange();
      return detailOf(id);
    },

    edit: ({ id, ...input }) =>
      enqueue(id, async () => {
        const before = liveProfile(id);
        const wanted = profiles.check(id, input);
        const isElsewhere = !isSameService(wanted, before.addresses);
        if (isElsewhere) {
          assertIdle(id);
          await leaveService(before);
          assertIdle(id);
        } else if (wanted.remoteAccess !== before.remoteAccess) {
          await endSignIn(before);
        }
        store.transaction(() => {
          profiles.edit(id, input);
          if (!isElsewhere) return;
          forgetCredentials(id);
          options.endAgents(id);
          options.switchOffAlerts(id);
          options.forgetCampaignNotes(id);
          options.forgetDrafts(id);
        });
        if (isElsewhere || wanted.remoteAccess !== before.remoteAccess) return finish(id);
        onChange();
        return detailOf(id);
      }),

    remove: ({ id }) =>
      enqueue(id, async () => {
        const profile = liveProfile(id);
        assertIdle(id);
        await leaveService(profile);
        assertIdle(id);
        store.transaction(() => {
          forgetCredentials(id);
          options.endAgents(id);
          options.forgetNotes(id);
          options.forgetDrafts(id);
          options.forgetLimits(id);
          profiles.remove(id);
        });
        await connections.renew(id);
        onChange();
        return null;
      }),

    switchTo({ id }) {
      const profile = profiles.switchTo(id);
      onChange();
      return viewOf(profile);
    },

    keepCredential: ({ id, name, value: pasted }) =>
      enqueue(id, async () => {
        const profile = liveProfile(id);
        profiles.open(id);
        const value = cleanCredential(name, pasted);
        const { account } = await askAbout(name, value, profile, options);
        assertAccountOfSignIn(profile, account);
        store.transaction(() => {
          if (name === 'memberToken') storeAccount(profiles.get(id), { value, account });
          else if (opened(profile, options, 'publisher-key').value !== value) options.clearReportCache(id);
          credentials.write(id, sealedNames[name], value);
        });
        return finish(id);
      }),

    forgetCredential: ({ id, name }) =>
      enqueue(id, async () => {
        liveProfile(id);
        options.endExamination(id);
        store.transaction(() => credentials.forget(id, sealedNames[name]));
        if (name === 'publisherKey') options.clearReportCache(id);
        return finish(id);
      }),

    signOut: ({ id }) => signOut(id),
    async signOutEverywhere() {
      const live = profiles.list().filter(({ kind }) => kind === 'live');
      await Promise.allSettled(live.map(({ id }) => signOut(id)));
    },
  };

  function signOut(id: string): Promise<AppOutput<'profiles.signOut'>> {
    return enqueue(id, async () => {
      const profile = liveProfile(id);
      // Deletes local credentials at once. The grant follows after
      // a running refresh, when it is known which grant to revoke.
      forgetPasted(id);
      await connections.renew(id);
      const revocation = await leaveService(profile);
      forgetPasted(id);
      store.transaction(() => forgetCredentials(id));
      return { profile: await finish(id), revocation };
    });
  }
}
