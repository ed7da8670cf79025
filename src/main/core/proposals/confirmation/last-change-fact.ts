import { type AppStore, maxLastWrites, type StoredProposal } from '#core/store/app/index.ts';
import {
  diffCampaigns,
  type FactView,
  type LastChange,
  lastChangeInWords,
  serviceDay,
} from '#shared/campaign/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { knownEffects, writtenStatusMoves } from '../operations/written-effects.ts';

export interface LastChangeOptions {
  store: { proposals: Pick<AppStore['proposals'], 'lastWritesTo'> };
  nowMs(): number;
}

/**
 * The last change of the proposal's campaign through this app, as one more fact; null for a proposal that is decided, for several
 * campaigns, and if none of the writes that were looked through tells. A write of which nothing was read back, or whose details were
 * removed or cannot be read, is named by its title.
 */
export function lastChangeFact(
  proposal: StoredProposal,
  { store, nowMs }: LastChangeOptions,
): FactView | null {
  const { state, profile, targets } = proposal;
  const [cid, ...others] = targets;
  if (!isUndecided(state) || cid === undefined || others.length > 0) return null;
  const writes = store.proposals.lastWritesTo({ profileId: profile.id, cid });
  const last = writes.find((stored) => mayHaveChanged(stored, cid));
  if (last === undefined && writes.length >= maxLastWrites) return null;
  return lastChangeInWords(last === undefined ? null : changeOf(last, cid, profile.zone), {
    currentYear: Number(serviceDay(nowMs(), profile.zone).date.slice(0, 4)),
  });
}

/** False for a campaign that a write of several only listed: it was sent for others, or they alone were changed. */
function mayHaveChanged(stored: StoredProposal, cid: number): boolean {
  const effects = knownEffects(stored);
  if (effects === null) return true;
  if (effects.some((effect) => effect.cid === cid)) return true;
  // Sent, and no read told: the campaign is not among the effects, and may be changed all the same.
  const isUntold = writtenStatusMoves(stored).some((move) => move.cid === cid && move.after === null);
  return isUntold || (effects.length === 0 && stored.targets.length === 1);
}

function changeOf(stored: StoredProposal, cid: number, zone: string): LastChange {
  const effects = knownEffects(stored);
  const ofCampaign = (effects ?? []).filter((effect) => effect.cid === cid);
  return {
    effects: ofCampaign.flatMap(({ before, after }) => diffCampaigns(before, after)),
    title: stored.headline.title,
    by: stored.proposedBy,
    date: serviceDay(stored.intentAtMs ?? stored.updatedAtMs, zone).date,
    doubt: ofCampaign.length > 0 ? null : doubtOf(stored, effects !== null),
  };
}

/** Of a write that is done nothing was read back, and of one without details nothing is known any more: its title is all there is. */
function doubtOf({ state }: StoredProposal, hasDetails: boolean): LastChange['doubt'] {
  if (state === 'differs') return 'differs';
  if (state === 'unknown') return 'unknown';
  return state === 'done' || !hasDetails ? null : 'unknown';
}
