import type { AppBridge } from '#renderer/api/bridge.ts';
import type { SampleAgentView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { followEvent } from '../follow-event.ts';
import { readAgain } from '../read-again.ts';

/** The sample agent, which comes along and works on Demo alone. */
export interface SampleAgentState {
  view: SampleAgentView | null;
  failure: AppError | null;
  begin: () => Promise<void>;
  stop: () => Promise<void>;
  /** Follows it while the page is open. Returns the way to stop. */
  start: () => () => void;
}

export type SampleAgentStore = StoreApi<SampleAgentState>;

/** Makes the store of the sample agent. */
export function createSampleAgentStore(bridge: AppBridge): SampleAgentStore {
  return createStore<SampleAgentState>((set) => {
    async function take(name: 'sampleAgent.get' | 'sampleAgent.start' | 'sampleAgent.stop'): Promise<void> {
      try {
        set({ view: await bridge.call(name, {}), failure: null });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        set({ failure: error });
      }
    }
    const read = readAgain(() => take('sampleAgent.get'));
    return {
      view: null,
      failure: null,
      begin: () => take('sampleAgent.start'),
      stop: () => take('sampleAgent.stop'),
      start: () => followEvent(bridge, 'agents.changed', read),
    };
  });
}

/** Whether it is at work. */
export function isAtWork({ state }: SampleAgentView): boolean {
  return state === 'connecting' || state === 'waiting-for-you' || state === 'proposing';
}
