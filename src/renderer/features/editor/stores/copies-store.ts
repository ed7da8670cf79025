import { appBridge } from '#renderer/api/app-bridge.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { AppOutput, CampaignCopyView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { type Acting, createAct } from '#renderer/stores/follow-core.ts';

export type Restored = AppOutput<'copies.restore'>;

/** `doing` is the day of a copy. */
interface CopiesState extends Acting<string> {
  cid: number | null;
  /** Newest first. */
  copies: readonly CampaignCopyView[];
  restored: Restored | null;
  read: (cid: number) => Promise<void>;
  restore: (day: string) => Promise<void>;
}

function createCopiesStore(bridge: AppBridge): StoreApi<CopiesState> {
  return createStore<CopiesState>((set, get) => {
    const act = createAct<string>(get, set);
    return {
      doing: null,
      refusal: null,
      cid: null,
      copies: [],
      restored: null,
      async read(cid) {
        if (get().cid !== cid) set({ cid, copies: [], restored: null, refusal: null });
        try {
          const { items } = await bridge.call('copies.list', { cid });
          if (get().cid === cid) set({ copies: items });
        } catch (error) {
          // The editor reports that the campaign cannot be read.
          if (!(error instanceof AppError)) throw error;
        }
      },
      async restore(day) {
        const { cid } = get();
        if (cid === null) return;
        set({ restored: null });
        const restored = await act(day, () => bridge.call('copies.restore', { cid, day }));
        if (get().cid === cid) set({ restored });
      },
    };
  });
}

export const copiesStore = createCopiesStore(appBridge);
