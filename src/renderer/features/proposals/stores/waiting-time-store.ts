import { appBridge } from '#renderer/api/app-bridge.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import { AppError } from '#shared/errors/index.ts';
import { followEvent, readAgain } from '#renderer/stores/follow-core.ts';

export interface WaitingTimeState {
  /** The time that a change waits for a decision; null until the first answer. */
  minutes: number | null;
  failure: AppError | null;
  /** Applies to what is proposed from then on. */
  choose: (minutes: number) => Promise<void>;
  /** Keeps it current. Returns the unsubscribe function. */
  start: () => () => void;
}

/** Makes the store of the time that changes wait. */
export function createWaitingTimeStore(bridge: AppBridge): StoreApi<WaitingTimeState> {
  return createStore<WaitingTimeState>((set) => {
    async function attempt(work: () => Promise<{ minutes: number }>): Promise<void> {
      try {
        const { minutes } = await work();
        set({ minutes, failure: null });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        set({ failure: error });
      }
    }
    const read = readAgain(() => attempt(() => bridge.call('proposals.waitingTime', {})));
    return {
      minutes: null,
      failure: null,
      choose: (minutes) => attempt(() => bridge.call('proposals.setWaitingTime', { minutes })),
      start: () => followEvent(bridge, 'status.changed', read),
    };
  });
}

/** The page's store of how long changes wait. */
export const waitingTimeStore = createWaitingTimeStore(appBridge);
