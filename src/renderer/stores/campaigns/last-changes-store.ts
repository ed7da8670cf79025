import { appBridge } from '#renderer/api/app-bridge.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { LastChangeView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { readAgain } from '../follow-core.ts';

/** The last change of each campaign through this app, for the rows in view. */
export interface LastChangesState {
  /** A campaign without one is absent. */
  byCid: ReadonlyMap<number, LastChangeView>;
  /** Asks for these campaigns in one request. */
  show: (cids: readonly number[]) => void;
  /** Keeps them current. Returns the unsubscribe function. Call once. */
  start: () => () => void;
}

/** One request names no more (the app API's limit). */
const maxAtOnce = 200;

/** Makes the store of last changes. A failed read keeps what was known. */
export function createLastChangesStore(bridge: AppBridge): StoreApi<LastChangesState> {
  return createStore<LastChangesState>((set, get) => {
    let inView: readonly number[] = [];
    const read = readAgain(async () => {
      const cids = inView.slice(0, maxAtOnce);
      if (cids.length === 0) return;
      try {
        const { items } = await bridge.call('campaigns.lastChanges', { cids: [...cids] });
        const byCid = new Map(get().byCid);
        for (const cid of cids) byCid.delete(cid);
        for (const change of items) byCid.set(change.cid, change);
        set({ byCid });
      } catch (failure) {
        if (!(failure instanceof AppError)) throw failure;
      }
    });
    return {
      byCid: new Map(),
      show(cids) {
        if (cids.join() === inView.join()) return;
        inView = cids;
        read();
      },
      start: () =>
        bridge.subscribe(({ kind }) => {
          if (kind === 'profiles.changed') set({ byCid: new Map() });
          if (kind === 'proposals.changed' || kind === 'profiles.changed') read();
        }),
    };
  });
}

/** The page's store of the last changes of the campaigns in view. */
export const lastChangesStore = createLastChangesStore(appBridge);
