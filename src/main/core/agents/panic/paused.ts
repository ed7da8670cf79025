import type { Gate } from '#core/proposals/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { ProposalState, ProposalView } from '#shared/app-api/index.ts';
import { runs } from '#shared/campaign/index.ts';
import type { RememberedPause } from './memory.ts';

export interface Proposals {
  store: Pick<AppStore, 'proposals'>;
  gate: Pick<Gate, 'get'>;
}

/** What an emergency pause has done, as far as it was read back: each campaign with the status that it had. */
export interface DonePause {
  remembered: RememberedPause;
  atMs: number;
  targets: ProposalView['targets'];
}

/** States of a pause whose campaigns, or some of them, were found paused afterwards. */
const readBack: ReadonlySet<ProposalState> = new Set(['verified', 'differs']);

/** States in which the return of the statuses was carried out. */
const carriedOut: ReadonlySet<ProposalState> = new Set(['verified', 'done']);

/** The newest pause that was carried out and not taken back, or null. Its proposal is the only memory of the statuses. */
export function lastDone(proposals: Proposals, pauses: readonly RememberedPause[]): DonePause | null {
  for (const remembered of pauses) {
    if (remembered.resume !== null && isTakenBack(proposals, remembered.resume)) continue;
    const parts = partsOf(proposals, remembered.pause).filter(({ state }) => readBack.has(state));
    const targets = parts.flatMap((part) => part.targets.filter(({ statusBefore }) => runs(statusBefore)));
    if (targets.length === 0) continue;
    return { remembered, atMs: Math.max(...parts.map(({ updatedAtMs }) => updatedAtMs)), targets };
  }
  return null;
}

/** A batch is done whatever came of its members: what the service refused, or what was never sent, can be asked for again. */
function isTakenBack(proposals: Proposals, resume: string): boolean {
  const parts = partsOf(proposals, resume);
  return parts.length > 0 && parts.every(({ state }) => carriedOut.has(state));
}

/** True where the proposal, or what it was asked again as, is in one of these states. */
export function isIn(proposals: Proposals, id: string, states: ReadonlySet<ProposalState>): boolean {
  const latest = latestOf(proposals, id);
  return latest !== null && states.has(latest.state);
}

/** The proposal itself, or the members of a batch: each as it was asked last. */
function partsOf(proposals: Proposals, id: string): ProposalView[] {
  const latest = latestOf(proposals, id);
  if (latest === null) return [];
  const view = proposals.gate.get(latest.id);
  if (view.detail.kind !== 'batch') return [view];
  return view.detail.members.flatMap((member) => {
    const last = latestOf(proposals, member.id);
    return last === null ? [] : [proposals.gate.get(last.id)];
  });
}

function latestOf({ store }: Proposals, id: string): { id: string; state: ProposalState } | null {
  let found = store.proposals.find(id);
  while (found !== null && found.replacedBy !== null) found = store.proposals.find(found.replacedBy);
  return found;
}
