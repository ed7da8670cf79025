import { openTraining } from '#renderer/api/training-services.ts';
import type { AppError } from '#shared/errors/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { asFailure } from './follow-core.ts';

/** The window of training, as the real app's page opens it. */
export interface TrainingWindowState {
  /** The one-time address that the browser refused to open by itself; the person presses it as a link. */
  blocked: string | null;
  failure: AppError | null;
  /** Opens it, or brings it to the front. */
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
