import { appBridge } from '#renderer/api/app-bridge.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { ReportQuery, ReportView } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { asFailure, createAct, type Acting } from '#renderer/stores/acting.ts';
import { followEvent, readAgain } from '#renderer/stores/follow-core.ts';

/** The action on a view; `id` names it, null for a new one. */
export interface ViewDoing {
  kind: 'save' | 'overwrite' | 'rename' | 'remove' | 'reorder' | 'start';
  id: string | null;
}

export interface ViewsState extends Acting<ViewDoing> {
  /** In the order that a person gave them; null until the first answer. */
  items: readonly ReportView[] | null;
  failure: AppError | null;
  /** Resolves to false where it was refused. */
  save: (name: string, query: ReportQuery) => Promise<boolean>;
  overwrite: (id: string, query: ReportQuery) => Promise<boolean>;
  rename: (id: string, name: string) => Promise<boolean>;
  remove: (id: string) => Promise<boolean>;
  /** Moves a view one place up or down. */
  move: (id: string, by: -1 | 1) => Promise<boolean>;
  setStart: (id: string | null) => Promise<boolean>;
  dismiss: () => void;
  /** Resolves to the query of the view that opens first; null where there is none. */
  startQuery: () => Promise<ReportQuery | null>;
  /** Keeps the views current. Returns the unsubscribe function. */
  start: () => () => void;
}

/** Makes the store of saved views. */
export function createViewsStore(bridge: AppBridge): StoreApi<ViewsState> {
  return createStore<ViewsState>((set, get) => {
    const act = createAct(get, set);

    async function read(): Promise<void> {
      try {
        const { items } = await bridge.call('reports.views.list', {});
        set({ items, failure: null });
      } catch (error) {
        set({ failure: asFailure(error) });
      }
    }

    /** Does it and reads again, so that the list shows it before the next event. */
    async function attempt(doing: ViewDoing, ask: () => Promise<unknown>): Promise<boolean> {
      const done = await act(doing, async () => ({ answer: await ask() }));
      if (done !== null) await read();
      return done !== null;
    }

    return {
      items: null,
      failure: null,
      doing: null,
      refusal: null,
      save: (name, query) =>
        attempt({ kind: 'save', id: null }, () => bridge.call('reports.views.save', { name, query })),
      overwrite: (id, query) =>
        attempt({ kind: 'overwrite', id }, () => bridge.call('reports.views.overwrite', { id, query })),
      rename: (id, name) =>
        attempt({ kind: 'rename', id }, () => bridge.call('reports.views.rename', { id, name })),
      remove: (id) => attempt({ kind: 'remove', id }, () => bridge.call('reports.views.remove', { id })),
      async move(id, by) {
        const ids = (get().items ?? []).map((view) => view.id);
        const from = ids.indexOf(id);
        const to = from + by;
        if (from < 0 || to < 0 || to >= ids.length) return false;
        const order = ids.toSpliced(from, 1).toSpliced(to, 0, id);
        return attempt({ kind: 'reorder', id }, () => bridge.call('reports.views.reorder', { ids: order }));
      },
      setStart: (id) => attempt({ kind: 'start', id }, () => bridge.call('reports.views.setStart', { id })),
      dismiss: () => set({ refusal: null }),
      async startQuery() {
        if (get().items === null) await read();
        return get().items?.find((view) => view.start)?.query ?? null;
      },
      start: () => followEvent(bridge, 'reports.changed', readAgain(read)),
    };
  });
}

/** The page's store of saved views. */
export const viewsStore = createViewsStore(appBridge);
