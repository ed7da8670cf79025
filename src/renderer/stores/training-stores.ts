import {
  watchRealWork,
  reviewReal,
  stopRealAgents,
  type RealStop,
  openTraining,
} from '#renderer/api/training-services.ts';
import type { AppError } from '#shared/errors/index.ts';
import type { RealWork } from '#shared/host-api/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { readInto } from './follow-core.ts';

/** State of the real work. It names no change; only the real windows do. */
export interface RealWorkState {
  work: RealWork;
  stopping: boolean;
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
      await readInto(set, async () => ({ blocked: await host.reviewReal() }));
    },
    async stop() {
      if (get().stopping) return;
      set({ stopping: true, blocked: null, message: null, failure: null });
      await readInto(set, async () => {
        const { blocked, say } = await host.stopRealAgents();
        return { blocked, message: say };
      }).finally(() => set({ stopping: false }));
    },
    dismiss: () => set({ blocked: null, message: null, failure: null }),
    start: () => host.watchRealWork((work) => set({ work })),
  }));
}

export const realWorkStore = createRealWorkStore({ watchRealWork, reviewReal, stopRealAgents });

export interface TrainingWindowState {
  blocked: string | null;
  failure: AppError | null;
  open: () => Promise<void>;
  dismiss: () => void;
}

export function createTrainingWindowStore(
  openWindow: () => Promise<string | null> = openTraining,
): StoreApi<TrainingWindowState> {
  return createStore<TrainingWindowState>((set) => ({
    blocked: null,
    failure: null,
    async open() {
      set({ blocked: null, failure: null });
      await readInto(set, async () => ({ blocked: await openWindow() }));
    },
    dismiss: () => set({ blocked: null, failure: null }),
  }));
}

export const trainingWindowStore = createTrainingWindowStore();
