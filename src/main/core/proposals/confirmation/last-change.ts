import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import {
  diffCampaigns,
  type FactView,
  type LastChange,
  lastChangeInWords,
  serviceDay,
} from '#shared/campaign/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import type { Effect } from '../operations/operation.ts';
import { writtenEffects } from '../operations/written-effects.ts';

export interface LastChangeOptions {
  store: Pick<AppStore, 'proposals'>;
  nowMs(): number;
}

/**
 * The last change of the proposal's campaign through this app, as one more fact; null for a proposal that is decided, and for several
 * campaigns. A write of which nothing was read back, or whose details were removed, is named by its title.
 */
export function lastChangeFact(
  proposal: StoredProposal,
  { store, nowMs }: LastChangeOptions,
): FactView | null {
  const { state, profile, targets } = proposal;
  const [cid, ...others] = targets;
  if (!isUndecided(state) || cid === undefined || others.length > 0) return null;
  const writes = store.proposals.lastWritesTo({ profileId: profile.id, cid }).map(effectsOf);
  const last = writes.find(({ effects }) => effects.length === 0 || effects.some((one) => one.cid === cid));
  return lastChangeInWords(last === undefined ? null : changeOf(last, cid, profile.zone), {
    currentYear: Number(serviceDay(nowMs(), profile.zone).date.slice(0, 4)),
  });
}

interface Write {
  stored: StoredProposal;
  /** Empty if they are not known. */
  effects: Effect[];
}

/** A write also lists campaigns that it left as they were: its effects name the others. */
function effectsOf(stored: StoredProposal): Write {
  return { stored, effects: stored.prunedAtMs === null ? writtenEffects(stored) : [] };
}

function changeOf({ stored, effects }: Write, cid: number, zone: string): LastChange {
  return {
    effects: effects
      .filter((effect) => effect.cid === cid)
      .flatMap(({ before, after }) => diffCampaigns(before, after)),
    title: stored.headline.title,
    by: stored.proposedBy,
    date: serviceDay(stored.intentAtMs ?? stored.updatedAtMs, zone).date,
    isUncertain: stored.state === 'unknown',
  };
}
