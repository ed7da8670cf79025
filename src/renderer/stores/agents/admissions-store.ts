import type { AppBridge } from '#renderer/api/bridge.ts';
import type { ProposalSummary } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { followEvent } from '../follow-event.ts';
import { readAgain } from '../read-again.ts';

/** Agents that wait to be let in. */
export interface AdmissionsState {
  waiting: ProposalSummary[];
  /** Follows them while the page is open. Returns the way to stop. */
  start: () => () => void;
}

export type AdmissionsStore = StoreApi<AdmissionsState>;

/** More than may wait at once. */
const pageSize = 200;

/** Makes the store of waiting admissions. A read that fails leaves them as they were; the page's own read says why. */
export function createAdmissionsStore(bridge: AppBridge): AdmissionsStore {
  return createStore<AdmissionsState>((set) => {
    const read = readAgain(async () => {
      try {
        const page = await bridge.call('proposals.list', { which: 'waiting', before: null, limit: pageSize });
        set({ waiting: page.items.filter(isWaitingAdmission) });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    });
    return { waiting: [], start: () => followEvent(bridge, 'proposals.changed', read) };
  });
}

function isWaitingAdmission({ operation, state }: ProposalSummary): boolean {
  return operation === 'agent.admit' && (state === 'proposed' || state === 'shown');
}
