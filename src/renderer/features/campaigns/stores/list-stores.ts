import { appBridge } from '#renderer/api/app-bridge.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type {
  FullState,
  LastChangeView,
  ListView,
  SavedListView,
  WaitingDecision,
} from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { numberedQuestions } from '#shared/lib/numbered-questions.ts';
import {
  type Acting,
  asFailure,
  createAct,
  followEvent,
  readAgain,
  readOrKeep,
} from '#renderer/stores/follow-core.ts';

interface FullCampaignsState {
  full: FullState | null;
  failure: AppError | null;
  /** Reads all campaigns in full. `again` includes campaigns that were already read. */
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
      // The loaded state belongs to one profile, so a switch of profiles reads it again.
      start: () => followEvent(bridge, ['campaigns.loading', 'profiles.changed'], read),
    };
  });
}

export const fullStore = createFullStore(appBridge);

interface LastChangesState {
  byCid: ReadonlyMap<number, LastChangeView>;
  show: (cids: readonly number[]) => void;
  start: () => () => void;
}

const maxAtOnce = 200;

export const lastChangesStore = createStore<LastChangesState>((set, get) => {
  let inView: readonly number[] = [];
  const read = readAgain(async () => {
    const cids = inView.slice(0, maxAtOnce);
    if (cids.length === 0) return;
    await readOrKeep(set, async () => {
      const { items } = await appBridge.call('campaigns.lastChanges', { cids });
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
      return appBridge.subscribe(({ kind }) => {
        if (kind === 'profiles.changed') set({ byCid: new Map() });
        if (kind === 'proposals.changed' || kind === 'profiles.changed') read();
      });
    },
  };
});

type ViewAction = 'save' | 'rename' | 'remove';

interface ListViewsState extends Acting<ViewAction> {
  items: readonly SavedListView[];
  save: (view: { id: string | null; name: string; view: ListView }) => Promise<boolean>;
  rename: (id: string, name: string) => Promise<boolean>;
  remove: (id: string) => Promise<boolean>;
  dismiss: () => void;
  start: () => () => void;
}

export function createListViewsStore(bridge: AppBridge): StoreApi<ListViewsState> {
  return createStore<ListViewsState>((set, get) => {
    const act = createAct<ViewAction>(get, set);

    const read = (): Promise<void> =>
      readOrKeep(set, async () => ({ items: (await bridge.call('campaigns.views', {})).items }));

    async function attempt(doing: ViewAction, ask: () => Promise<unknown>): Promise<boolean> {
      const done = await act(doing, async () => ({ answer: await ask() }));
      if (done !== null) await read();
      return done !== null;
    }

    return {
      items: [],
      doing: null,
      refusal: null,
      save: (view) => attempt('save', () => bridge.call('campaigns.saveView', view)),
      rename: (id, name) => attempt('rename', () => bridge.call('campaigns.renameView', { id, name })),
      remove: (id) => attempt('remove', () => bridge.call('campaigns.removeView', { id })),
      dismiss: () => set({ refusal: null }),
      start: () => followEvent(bridge, ['notes.changed', 'profiles.changed'], readAgain(read)),
    };
  });
}

export const listViewsStore = createListViewsStore(appBridge);

type WaitingChange = Pick<WaitingDecision, 'id' | 'title'>;

interface WaitingState {
  byCid: ReadonlyMap<number, readonly WaitingChange[]>;
  start: () => () => void;
}

export function createWaitingStore(bridge: AppBridge): StoreApi<WaitingState> {
  return createStore<WaitingState>((set) => {
    const read = readAgain(() =>
      readOrKeep(set, async () => ({
        byCid: byCampaign((await bridge.call('campaigns.waiting', {})).items),
      })),
    );
    return {
      byCid: new Map(),
      start: () => followEvent(bridge, ['proposals.changed', 'profiles.changed'], read),
    };
  });
}

function byCampaign(items: readonly WaitingDecision[]): WaitingState['byCid'] {
  const byCid = new Map<number, WaitingChange[]>();
  for (const { id, title, cids } of items) {
    for (const cid of cids) byCid.set(cid, [...(byCid.get(cid) ?? []), { id, title }]);
  }
  return byCid;
}

/** The mark in a row: a short text, and the full text for hover, focus and screen readers. */
export function waitingWords(waiting: readonly WaitingChange[]): { short: string; full: string } {
  const titles = waiting.map(({ title }) => title).join(' · ');
  if (waiting.length === 1) return { short: 'Waiting', full: `Waiting for your approval: ${titles}` };
  const short = `${waiting.length} waiting`;
  return { short, full: `${short} for your approval: ${titles}` };
}

export const waitingStore = createWaitingStore(appBridge);
