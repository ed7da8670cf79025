import { appBridge } from '#renderer/api/app-bridge.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { ListView, SavedListView } from '#shared/app-api/index.ts';
import { type Acting, createAct, followEvent, readAgain, readOrKeep } from '#renderer/stores/follow-core.ts';

export interface ListViewsState extends Acting<'save' | 'rename' | 'remove'> {
  /** Sorted by name. */
  items: readonly SavedListView[];
  /** With an id, replaces the content of that view. Resolves to false if it was refused. */
  save: (view: { id: string | null; name: string; view: ListView }) => Promise<boolean>;
  rename: (id: string, name: string) => Promise<boolean>;
  remove: (id: string) => Promise<boolean>;
  dismiss: () => void;
  start: () => () => void;
}

export function createListViewsStore(bridge: AppBridge): StoreApi<ListViewsState> {
  return createStore<ListViewsState>((set, get) => {
    const act = createAct<'save' | 'rename' | 'remove'>(get, set);

    const read = (): Promise<void> =>
      readOrKeep(set, async () => ({ items: (await bridge.call('campaigns.views', {})).items }));

    async function attempt(
      doing: 'save' | 'rename' | 'remove',
      ask: () => Promise<unknown>,
    ): Promise<boolean> {
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
