import type { Clock } from '#core/platform/clock.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { AdministratorPolicy } from '#system/policy/index.ts';
import type { AppStore, StoredProfile } from '#core/store/app/index.ts';
import { everyRow, type LedgerProfile, type ProfileInput } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isSameService, checkProfileInput, type Profile } from './profile.ts';

export interface ProfilesOptions {
  store: AppStore;
  demo: Profile;
  /** False on a host that supports only Demo. */
  liveAllowed: boolean;
  policy: Pick<AdministratorPolicy, 'assertAllowed'>;
  forgetReads(profileId: string): void;
  clock: Clock;
  ids: Ids;
}

/** The profiles of this data folder and the active profile. Writes join the caller's transaction and fail with `storage_failed`. */
export interface Profiles {
  readonly liveAllowed: boolean;
  /** Demo first, then sorted by name. */
  list(): Profile[];
  /** Distinct origins of the profile's own addresses; empty if the profile does not exist or cannot be used on this host. */
  originsOf(id: string): readonly string[];
  /** Use it to show a profile. Fails with `profile_unknown` or `live_on_desktop_only`. */
  get(id: string): Profile;
  /** Use it before a request to the profile's service. Fails as `get` does, and with `service_not_allowed` or `policy_unusable`. */
  open(id: string): Profile;
  /** The reason why the administrator's policy makes `open` fail; null if the policy allows the profile. */
  stopped(profile: Profile): AppError | null;
  /** The active profile. Returns Demo if the active profile was removed, cannot be used on this host, or is stopped by policy. */
  current(): Profile;
  /** Fails as `open` does. */
  switchTo(id: string): Profile;
  /** Fails with `validation_failed` naming every field, `live_on_desktop_only`, `service_not_allowed` or `policy_unusable`. */
  add(input: ProfileInput): Profile;
  check(id: string, input: ProfileInput): ProfileInput;
  /** Other addresses mean another service: account and cached data are deleted. Fails as `add` and `get`, and with `profile_fixed`. */
  edit(id: string, input: ProfileInput): Profile;
  /** Stores the account that the service named; deletes data of a different account. Fails as `remove` does. */
  setAccount(id: string, account: string): void;
  /** Removes the profile; makes Demo active if the profile was active. Fails as `get` does, and with `profile_fixed`. */
  remove(id: string): void;
}

const currentSetting = 'profile.current';

export function createProfiles(options: ProfilesOptions): Profiles {
  const { store, demo, liveAllowed, policy, forgetReads, clock, ids } = options;
  const { settings, profiles: rows } = store;

  const list = (): Profile[] => [demo, ...(liveAllowed ? rows.all().map(fromStored) : [])];
  const others = (id: string): Profile[] => list().filter((profile) => profile.id !== id);

  function storedOf(id: string): StoredProfile {
    if (id === demo.id) throw new AppError('profile_fixed');
    if (!liveAllowed) throw new AppError('live_on_desktop_only');
    const found = rows.find(id);
    if (found === null) throw new AppError('profile_unknown');
    return found;
  }

  const get = (id: string): Profile => (id === demo.id ? demo : fromStored(storedOf(id)));

  function open(id: string): Profile {
    const profile = get(id);
    if (profile.kind === 'live') policy.assertAllowed(profile.addresses);
    return profile;
  }

  function stopped({ kind, addresses }: Profile): AppError | null {
    if (kind === 'demo') return null;
    try {
      policy.assertAllowed(addresses);
      return null;
    } catch (failure) {
      if (failure instanceof AppError) return failure;
      throw failure;
    }
  }

  function checked(input: ProfileInput, others: readonly Profile[]): ProfileInput {
    const { baseUrl, apiUrl, mcpUrl, ...rest } = checkProfileInput(input, others);
    policy.assertAllowed({ baseUrl, apiUrl, mcpUrl });
    return { baseUrl, apiUrl, mcpUrl, ...rest };
  }

  function check(id: string, input: ProfileInput): ProfileInput {
    storedOf(id);
    return checked(input, others(id));
  }

  return {
    liveAllowed,
    list,
    originsOf(id) {
      const addresses = list().find((profile) => profile.id === id)?.addresses;
      return [...new Set(Object.values(addresses ?? {}).map((address) => new URL(address).origin))];
    },
    get,
    open,
    stopped,
    current() {
      const id = settings.get(currentSetting);
      const found = liveAllowed && id !== null ? rows.find(id) : null;
      const profile = found === null ? demo : fromStored(found);
      return stopped(profile) === null ? profile : demo;
    },
    switchTo(id) {
      const profile = open(id);
      store.transaction(() => settings.set(currentSetting, id));
      return profile;
    },
    add(input) {
      if (!liveAllowed) throw new AppError('live_on_desktop_only');
      const added = { ...checked(input, list()), id: ids.id(), account: '', createdAtMs: clock.nowMs() };
      store.transaction(() => rows.insert(added));
      return fromStored(added);
    },
    check,
    edit(id, input) {
      const before = storedOf(id);
      const wanted = check(id, input);
      const isElsewhere = !isSameService(wanted, before);
      const edited = { ...before, ...wanted, account: isElsewhere ? '' : before.account };
      store.transaction(() => {
        rows.update(edited);
        if (isElsewhere) forgetReads(id);
      });
      return fromStored(edited);
    },
    setAccount(id, account) {
      const before = storedOf(id);
      if (before.account === account) return;
      store.transaction(() => {
        rows.update({ ...before, account });
        if (before.account !== '') forgetReads(id);
      });
    },
    remove(id) {
      storedOf(id);
      store.transaction(() => {
        rows.remove(id);
        forgetReads(id);
        if (settings.get(currentSetting) === id) settings.set(currentSetting, demo.id);
      });
    },
  };
}

function fromStored({ id, name, account, zone, remoteAccess, ...stored }: StoredProfile): Profile {
  const { baseUrl, apiUrl, mcpUrl } = stored;
  return { id, name, kind: 'live', account, zone, addresses: { baseUrl, apiUrl, mcpUrl }, remoteAccess };
}

export interface ProfileNames {
  of(id: string, proposalId: string | null): LedgerProfile;
  all(): LedgerProfile[];
}

export function createProfileNames({
  profiles,
  store,
}: {
  profiles: Pick<Profiles, 'list'>;
  store: Pick<AppStore, 'ledger' | 'proposals'>;
}): ProfileNames {
  const [demo] = profiles.list();

  function find(id: string): Profile | undefined {
    return profiles.list().find((profile) => profile.id === id);
  }

  function of(id: string, proposalId: string | null): LedgerProfile {
    const kind = id === demo?.id ? 'demo' : 'live';
    return { id, kind, name: find(id)?.name ?? nameInProposal(id, proposalId) };
  }

  function nameInProposal(id: string, proposalId: string | null): string | null {
    const proposed = proposalId === null ? null : store.proposals.findListed(proposalId)?.profile;
    return proposed?.id === id ? proposed.name : null;
  }

  function proposalOf(profileId: string): string | null {
    const filter = { ...everyRow, profileId, about: 'proposal' };
    return store.ledger.page({ beforeSeq: null, limit: 1, filter }).rows[0]?.proposalId ?? null;
  }

  return { of, all: () => store.ledger.profileIds().map((id) => of(id, proposalOf(id))) };
}
