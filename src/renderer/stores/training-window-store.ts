import { openTraining } from '#renderer/api/training-services.ts';
import type { AppError } from '#shared/errors/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { asFailure } from './follow-core.ts';

export interface TrainingWindowState {
  /** One-time address that the browser refused to open. */
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
      try {
        set({ blocked: await openWindow() });
      } catch (error) {
        set({ failure: asFailure(error) });
      }
    },
    dismiss: () => set({ blocked: null, failure: null }),
  }));
}

export const trainingWindowStore = createTrainingWindowStore();
