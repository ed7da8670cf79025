import { watchRealWork, reviewReal, stopRealAgents, type RealStop } from '#renderer/api/training-services.ts';
import type { AppError } from '#shared/errors/index.ts';
import type { RealWork } from '#shared/host-api/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { asFailure } from './follow-core.ts';

/** It names no change: only the real windows do. */
export interface RealWorkState {
  work: RealWork;
  stopping: boolean;
  /** Address that the browser refused to open. */
  blocked: string | null;
  message: string | null;
  failure: AppError | null;
  review: () => Promise<void>;
  stop: () => Promise<void>;
  dismiss: () => void;
  start: () => () => void;
}

export interface RealWorkHost {
  watchRealWork(listener: (work: RealWork) => void): () => void;
  reviewReal(): Promise<string | null>;
  stopRealAgents(): Promise<RealStop>;
}

export function createRealWorkStore(host: RealWorkHost): StoreApi<RealWorkState> {
  return createStore<RealWorkState>((set, get) => ({
    work: { waiting: null, frozen: null },
    stopping: false,
    blocked: null,
    message: null,
    failure: null,
    async review() {
      set({ blocked: null, message: null, failure: null });
      try {
        set({ blocked: await host.reviewReal() });
      } catch (error) {
        set({ failure: asFailure(error) });
      }
    },
    async stop() {
      // A second press gets the answer of the first.
      if (get().stopping) return;
      set({ stopping: true, blocked: null, message: null, failure: null });
      try {
        const { blocked, say } = await host.stopRealAgents();
        set({ blocked, message: say });
      } catch (error) {
        set({ failure: asFailure(error) });
      } finally {
        set({ stopping: false });
      }
    },
    dismiss: () => set({ blocked: null, message: null, failure: null }),
    start: () => host.watchRealWork((work) => set({ work })),
  }));
}

export const realWorkStore = createRealWorkStore({ watchRealWork, reviewReal, stopRealAgents });
