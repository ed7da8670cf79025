import type { AppBridge } from '#renderer/api/bridge.ts';
import type { AppOutput } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { asFailure } from '../follow-core.ts';

/** The debriefing of one attempt. */
export type Debriefing = AppOutput<'training.attempt'>;

export interface AttemptState {
  /** The attempt that is wanted; null before the first. */
  id: string | null;
  debriefing: Debriefing | null;
  failure: AppError | null;
  /** Reads an attempt, unless it is there: what is over does not change. */
  open: (id: string) => Promise<void>;
}

export type AttemptStore = StoreApi<AttemptState>;

/** Makes the store of the debriefing on screen. */
export function createAttemptStore(bridge: AppBridge): AttemptStore {
  return createStore<AttemptState>((set, get) => ({
    id: null,
    debriefing: null,
    failure: null,
    async open(id) {
      if (get().debriefing?.attempt.id === id) return;
      set({ id, debriefing: null, failure: null });
      try {
        const debriefing = await bridge.call('training.attempt', { id });
        if (get().id === id) set({ debriefing });
      } catch (error) {
        const failure = asFailure(error);
        if (get().id === id) set({ failure });
      }
    },
  }));
}
