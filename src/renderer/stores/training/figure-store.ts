import type { AppBridge } from '#renderer/api/bridge.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';

/** Pictures of lessons: cases of the corpus with the words that the core makes of them. */
export interface FigureState {
  figures: ReadonlyMap<string, ProposalView>;
  /** Cases that the core did not give; a lesson goes on without its picture. */
  failed: ReadonlySet<string>;
  /** Reads one, unless it is there. */
  want: (caseName: string) => Promise<void>;
}

export type FigureStore = StoreApi<FigureState>;

/** Makes the store of the pictures of lessons. */
export function createFigureStore(bridge: AppBridge): FigureStore {
  return createStore<FigureState>((set, get) => ({
    figures: new Map(),
    failed: new Set(),
    async want(caseName) {
      if (get().figures.has(caseName)) return;
      try {
        const { proposal } = await bridge.call('training.figure', { caseName });
        set({ figures: new Map([...get().figures, [caseName, proposal]]) });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        set({ failed: new Set([...get().failed, caseName]) });
      }
    },
  }));
}
