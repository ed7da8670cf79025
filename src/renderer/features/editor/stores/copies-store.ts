import { appBridge } from '#renderer/api/app-bridge.ts';
import { createStore } from 'zustand/vanilla';
import type { AppOutput, CampaignCopyView } from '#shared/app-api/index.ts';
import { type Acting, createAct, readOrKeep } from '#renderer/stores/follow-core.ts';

interface CopiesState extends Acting<string> {
  cid: number | null;
  copies: readonly CampaignCopyView[];
  restored: AppOutput<'copies.restore'> | null;
  read: (cid: number) => Promise<void>;
  restore: (day: string) => Promise<void>;
}

export const copiesStore = createStore<CopiesState>((set, get) => {
  const act = createAct<string>(get, set);
  return {
    doing: null,
    refusal: null,
    cid: null,
    copies: [],
    restored: null,
    async read(cid) {
      if (get().cid !== cid) set({ cid, copies: [], restored: null, refusal: null });
      // The editor already reports that the campaign cannot be read.
      await readOrKeep(
        (read) => get().cid === cid && set(read),
        async () => ({ copies: (await appBridge.call('copies.list', { cid })).items }),
      );
    },
    async restore(day) {
      const { cid } = get();
      if (cid === null) return;
      set({ restored: null });
      const restored = await act(day, () => appBridge.call('copies.restore', { cid, day }));
      if (get().cid === cid) set({ restored });
    },
  };
});
