import { appBridge } from '#renderer/api/app-bridge.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { FullState, LastChangeView } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { numberedQuestions } from '#shared/lib/numbered-questions.ts';
import { asFailure, followEvent, readAgain, readOrKeep } from '#renderer/stores/follow-core.ts';

interface FullCampaignsState {
  full: FullState | null;
  failure: AppError | null;
  /** With `again`, also reads campaigns that were read before. */
  load: (again: boolean) => Promise<void>;
  stop: () => Promise<void>;
  start: () => () => void;
}

export function createFullStore(bridge: AppBridge): StoreApi<FullCampaignsState> {
  return createStore<FullCampaignsState>((set) => {
    const question = numberedQuestions();

    async function attempt(ask: () => Promise<unknown>): Promise<void> {
      try {
        await ask();
        const isNewest = question();
        const full = await bridge.call('campaigns.fullState', {});
        if (isNewest()) set({ full, failure: null });
      } catch (error) {
        set({ failure: asFailure(error) });
      }
    }

    const read = readAgain(() => attempt(async () => undefined));
    return {
      full: null,
      failure: null,
      load: (again) => attempt(() => bridge.call('campaigns.loadFull', { cids: null, again })),
      stop: () => attempt(() => bridge.call('campaigns.stopLoading', {})),
      // Full reads belong to the profile that was active.
      start: () => followEvent(bridge, ['campaigns.loading', 'profiles.changed'], read),
    };
  });
}

export const fullStore = createFullStore(appBridge);

interface LastChangesState {
  /** A campaign without a change is absent. */
  byCid: ReadonlyMap<number, LastChangeView>;
  show: (cids: readonly number[]) => void;
  start: () => () => void;
}

/** The app API's limit for one request. */
const maxAtOnce = 200;

function createLastChangesStore(bridge: AppBridge): StoreApi<LastChangesState> {
  return createStore<LastChangesState>((set, get) => {
    let inView: readonly number[] = [];
    const read = readAgain(async () => {
      const cids = inView.slice(0, maxAtOnce);
      if (cids.length === 0) return;
      await readOrKeep(set, async () => {
        const { items } = await bridge.call('campaigns.lastChanges', { cids: [...cids] });
        const byCid = new Map(get().byCid);
        for (const cid of cids) byCid.delete(cid);
        for (const change of items) byCid.set(change.cid, change);
        return { byCid };
      });
    });
    return {
      byCid: new Map(),
      show(cids) {
        if (cids.join() === inView.join()) return;
        inView = cids;
        read();
      },
      start() {
        read();
        return bridge.subscribe(({ kind }) => {
          if (kind === 'profiles.changed') set({ byCid: new Map() });
          if (kind === 'proposals.changed' || kind === 'profiles.changed') read();
        });
      },
    };
  });
}

export const lastChangesStore = createLastChangesStore(appBridge);
