import type { AppStore } from '#core/store/app/index.ts';
import { everyRow, type LedgerProfile } from '#shared/app-api/index.ts';
import type { Profile } from './profile.ts';
import type { Profiles } from './profiles.ts';

/** Names the profiles that ledger rows are about, those that were removed as well. */
export interface ProfileNames {
  /** The profile of a row that names this id, and perhaps a proposal. */
  of(id: string, proposalId: string | null): LedgerProfile;
  /** Every profile that a row is about. */
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

  /** A removed profile is remembered by what was proposed for it. */
  function of(id: string, proposalId: string | null): LedgerProfile {
    const kind = id === demo?.id ? 'demo' : 'live';
    const proposed = proposalId === null ? undefined : store.proposals.find(proposalId)?.profile;
    const name = find(id)?.name ?? (proposed?.id === id ? proposed.name : null);
    return { id, kind, name };
  }

  function proposalOf(profileId: string): string | null {
    const filter = { ...everyRow, profileId, about: 'proposal' };
    return store.ledger.page({ beforeSeq: null, limit: 1, filter }).rows[0]?.proposalId ?? null;
  }

  return { of, all: () => store.ledger.profileIds().map((id) => of(id, proposalOf(id))) };
}
