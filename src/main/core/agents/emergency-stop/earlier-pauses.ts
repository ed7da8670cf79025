import { type Gate, latestId, leftOutCids, statusEffects } from '#core/proposals/index.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import type { ProposalState } from '#shared/app-api/index.ts';
import { runs } from '#shared/campaign/index.ts';
import { isOpen, isUndecided } from '#shared/proposals/states.ts';
import type { RememberedPause } from './memory.ts';

interface Proposals {
  store: Pick<AppStore, 'proposals'>;
  gate: Pick<Gate, 'get'>;
}

/** A campaign that an emergency pause has paused, with the status that it had. */
export interface PausedCampaign {
  cid: number;
  /** Foreign text. */
  name: string;
  statusBefore: 1 | 4;
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
export function lastDone(proposals: Proposals, pauses: readonly RememberedPause[]): DonePause | null {
  for (const remembered of pauses) {
    const parts = [remembered.pause, ...remembered.more]
      .flatMap((id) => partsOf(proposals, id))
      .filter(({ state }) => readBack.has(state));
    const settled = settledBy(proposals, remembered);
    const campaigns = parts.flatMap(pausedBy).filter(({ cid }) => !settled.has(cid));
    if (campaigns.length === 0) continue;
    return { remembered, atMs: Math.max(...parts.map(({ updatedAtMs }) => updatedAtMs)), campaigns };
  }
  return null;
}

function pausedBy(part: StoredProposal): PausedCampaign[] {
  return statusEffects(part).flatMap(({ cid, name, before }) => {
    const { status } = before;
    return runs(status) ? [{ cid, name, statusBefore: status === 1 ? 1 : 4, proposalId: part.id }] : [];
  });
}

/** Campaigns that a return has brought back, or that it was approved to leave as they are. */
function settledBy(proposals: Proposals, { returns }: RememberedPause): ReadonlySet<number> {
  return new Set(
    returns.flatMap(({ id, leaves }) => [
      ...(isIn(proposals, id, executed) ? leaves : []),
      ...partsOf(proposals, id)
        .filter(({ state }) => readBack.has(state))
        .flatMap((part) => statusEffects(part).map(({ cid }) => cid)),
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
function partsOf({ store, gate }: Proposals, id: string): StoredProposal[] {
  const latest = latestOf(store, id);
  if (latest === null) return [];
  const { detail } = gate.get(latest.id);
  if (detail.kind !== 'batch') return [latest];
  return detail.members.flatMap((member) => latestOf(store, member.id) ?? []);
}

/** The latest successor of the proposal, which replaces it if its campaign had changed. */
export function latestOf({ proposals }: Pick<AppStore, 'proposals'>, id: string): StoredProposal | null {
  return proposals.find(latestId({ proposals }, id));
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
  return { ended, cids: parts.flatMap(cidsNotSent) };
}

/** True once nothing more is sent for it; a member of a batch may end later than the batch. */
function hasEnded(proposals: Proposals, id: string): boolean {
  const isSettled = ({ state }: StoredProposal): boolean => state !== 'unknown' && !isOpen(state);
  const latest = latestOf(proposals.store, id);
  return latest !== null && isSettled(latest) && partsOf(proposals, id).every(isSettled);
}

function cidsNotSent(part: StoredProposal): readonly number[] {
  return part.outcome?.code === 'campaign_locked' ? part.targets : [...leftOutCids(part)];
}

interface WaitingOptions {
  store: AppStore;
  gate: Pick<Gate, 'get' | 'withdraw'>;
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
    const { detail } = gate.get(id);
    const members = detail.kind === 'batch' ? detail.members.map((member) => member.id) : [];
    for (const one of [...members, id]) {
      if (isWaiting({ store, gate }, one)) gate.withdraw(one);
    }
  }
}
