import { type Gate, latestId, leftOutCids, memberIds, statusEffects } from '#core/proposals/index.ts';
import { createRecentMap } from '#core/platform/recent-map.ts';
import type { AppStore, ListedProposal, StoredProposal } from '#core/store/app/index.ts';
import type { ProposalState } from '#shared/app-api/index.ts';
import { runs } from '#shared/campaign/index.ts';
import { isOpen, isUndecided } from '#shared/proposals/states.ts';
import type { RememberedPause } from './memory.ts';

interface Proposals {
  store: Pick<AppStore, 'proposals'>;
}

interface Effects extends Proposals {
  effectsOf: ReadEffects;
}

/** Effects of a change of status on its campaigns, as far as they were read back. */
export type ReadEffects = (part: ListedProposal) => readonly PausedCampaign[];

/** Parts whose effects are remembered. */
const maxRemembered = 200;

/** Reads the effects of a part once: they are of up to a thousand campaigns, and are asked for with every change of a status. */
export function createReadEffects({ proposals }: Pick<AppStore, 'proposals'>): ReadEffects {
  const remembered = createRecentMap<string, readonly PausedCampaign[]>(maxRemembered);
  return ({ id, updatedAtMs }) => {
    const key = `${id} ${updatedAtMs}`;
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const part = proposals.find(id);
    const effects = part === null ? [] : effectsIn(part);
    remembered.set(key, effects);
    return effects;
  };
}

/** A campaign that an emergency pause has paused, with the status that it had. */
export interface PausedCampaign {
  cid: number;
  /** Foreign text. */
  name: string;
  statusBefore: number;
  /** The pause, member or follow-up that paused it. */
  proposalId: string;
}

/** The campaigns that an emergency pause has paused, as far as they were read back and not resumed since. */
interface DonePause {
  remembered: RememberedPause;
  atMs: number;
  campaigns: PausedCampaign[];
}

/** States of a change of status that reached its campaigns, or some of them. */
const readBack: ReadonlySet<ProposalState> = new Set(['verified', 'differs']);

/** States in which the return of the statuses was executed: its members may have ended in any way. */
const executed: ReadonlySet<ProposalState> = new Set(['verified', 'done', 'differs', 'unknown']);

/** The newest pause that was executed and not fully resumed, or null. The proposals are the only memory of the statuses. */
export function lastDone(proposals: Effects, pauses: readonly RememberedPause[]): DonePause | null {
  for (const remembered of pauses) {
    const parts = [remembered.pause, ...remembered.more]
      .flatMap((id) => partsOf(proposals, id))
      .filter(({ state }) => readBack.has(state));
    const settled = settledBy(proposals, remembered);
    const campaigns = parts
      .flatMap(proposals.effectsOf)
      .filter(({ cid, statusBefore }) => runs(statusBefore) && !settled.has(cid));
    if (campaigns.length === 0) continue;
    return { remembered, atMs: Math.max(...parts.map(({ updatedAtMs }) => updatedAtMs)), campaigns };
  }
  return null;
}

function effectsIn(part: StoredProposal): PausedCampaign[] {
  return statusEffects(part).flatMap(({ cid, name, before: { status } }) =>
    typeof status === 'number' ? [{ cid, name, statusBefore: status, proposalId: part.id }] : [],
  );
}

/** Campaigns that a return has brought back, or that it was approved to leave as they are. */
function settledBy(proposals: Effects, { returns }: RememberedPause): ReadonlySet<number> {
  return new Set(
    returns.flatMap(({ id, leaves }) => [
      ...(isIn(proposals, id, executed) ? leaves : []),
      ...partsOf(proposals, id)
        .filter(({ state }) => readBack.has(state))
        .flatMap((part) => proposals.effectsOf(part).map(({ cid }) => cid)),
    ]),
  );
}

/** Every proposal from which these pauses may still be taken back: as it was asked last, and the members of batches. */
export function neededFor(proposals: Proposals, pauses: readonly RememberedPause[]): ReadonlySet<string> {
  const ids = pauses.flatMap(({ pause, more, returns }) => [pause, ...more, ...returns.map(({ id }) => id)]);
  const latest = ids.flatMap((id) => latestOf(proposals.store, id)?.id ?? []);
  return new Set([...ids, ...latest, ...ids.flatMap((id) => partsOf(proposals, id).map((part) => part.id))]);
}

/** True if the proposal, or what it was asked again as, waits for a decision. */
export function isWaiting({ store }: Proposals, id: string): boolean {
  const latest = latestOf(store, id);
  return latest !== null && isUndecided(latest.state);
}

function isIn({ store }: Proposals, id: string, states: ReadonlySet<ProposalState>): boolean {
  const latest = latestOf(store, id);
  return latest !== null && states.has(latest.state);
}

/** The proposal itself, or the members of a batch: each as it was asked last. */
function partsOf({ store }: Proposals, id: string): ListedProposal[] {
  const latest = latestOf(store, id);
  if (latest === null) return [];
  const batch = latest.operation === 'batch' ? store.proposals.find(latest.id) : null;
  return batch === null ? [latest] : memberIds(batch).flatMap((member) => latestOf(store, member) ?? []);
}

/** The latest successor of the proposal, which replaces it if its campaign had changed. */
export function latestOf({ proposals }: Pick<AppStore, 'proposals'>, id: string): ListedProposal | null {
  return proposals.findListed(latestId({ proposals }, id));
}

/** Campaigns that ended pauses did not send, because another write locked them or they had stopped. */
export interface NotSent {
  /** The pauses, as they are remembered. */
  ended: string[];
  cids: number[];
}

/** Of the pause and its follow-ups those that have ended, but for the ones that are named. */
export function notSent(
  proposals: Proposals,
  pauses: readonly RememberedPause[],
  { of, ended: known }: { of: string | null; ended: readonly string[] },
): NotSent {
  const asked = pauses.flatMap(({ pause, more }) => (pause === of ? [pause, ...more] : []));
  const ended = asked.filter((id) => !known.includes(id) && hasEnded(proposals, id));
  const parts = ended.flatMap((id) => partsOf(proposals, id));
  return { ended, cids: parts.flatMap((part) => cidsNotSent(proposals, part)) };
}

/** True once nothing more is sent for it; a member of a batch may end later than the batch. */
function hasEnded(proposals: Proposals, id: string): boolean {
  const isSettled = ({ state }: ListedProposal): boolean => state !== 'unknown' && !isOpen(state);
  const latest = latestOf(proposals.store, id);
  return latest !== null && isSettled(latest) && partsOf(proposals, id).every(isSettled);
}

function cidsNotSent({ store }: Proposals, { id, outcome, targets }: ListedProposal): readonly number[] {
  if (outcome?.code === 'campaign_locked') return targets;
  const part = store.proposals.find(id);
  return part === null ? [] : [...leftOutCids(part)];
}

interface WaitingOptions {
  store: AppStore;
  gate: Pick<Gate, 'withdraw'>;
}

/** Pauses that a person has not decided yet. */
export interface WaitingPauses {
  /** The first one is the one to show. */
  ids: readonly string[];
  cids: ReadonlySet<number>;
}

/** The undecided proposals of the newest pause and its follow-ups, each in its latest form; null if there are none. */
export function waitingPauses(
  options: WaitingOptions,
  [newest]: readonly RememberedPause[],
): WaitingPauses | null {
  if (newest === undefined) return null;
  const { store } = options;
  const waiting = [newest.pause, ...newest.more]
    .filter((id) => isWaiting(options, id))
    .flatMap((id) => latestOf(store, id) ?? []);
  if (waiting.length === 0) return null;
  return { ids: waiting.map(({ id }) => id), cids: new Set(waiting.flatMap(({ targets }) => targets)) };
}

/** The newest pause in its latest form, while a person has not decided it; its follow-ups do not count. Null otherwise. */
export function undecidedPause(proposals: Proposals, [newest]: readonly RememberedPause[]): string | null {
  if (newest === undefined || !isWaiting(proposals, newest.pause)) return null;
  return latestOf(proposals.store, newest.pause)?.id ?? null;
}

/** Takes them back, because another pause stands in for them. */
export function withdrawAll({ store, gate }: WaitingOptions, ids: readonly string[]): void {
  for (const id of ids) {
    const batch = store.proposals.find(id);
    const members = batch?.operation === 'batch' ? memberIds(batch) : [];
    for (const one of [...members, id]) {
      if (isWaiting({ store }, one)) gate.withdraw(one);
    }
  }
}
