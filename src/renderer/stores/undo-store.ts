import { appBridge } from '#renderer/api/app-bridge.ts';
import { reviewStore } from './review-store.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { CampaignChange, UndoView } from '#shared/app-api/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Acting, createAct, followEvent, readAgain, readOrKeep } from './follow-core.ts';

export interface UndoState extends Acting<string> {
  /** Null if there is no undo. Absent until it was read. */
  known: Readonly<Record<string, UndoView | null>>;
  changes: Readonly<Record<number, readonly CampaignChange[]>>;
  /** Proposes the undo and opens its confirmation. Sends nothing to the service. */
  undo: (id: string) => Promise<void>;
  watch: (id: string) => () => void;
  watchCampaign: (cid: number) => () => void;
}

export interface UndoStoreParts {
  bridge: AppBridge;
  follow(shown: { id: string; address: string | null }): void;
}

export function undoOf({ doing, refusal, undo }: UndoState, id: string) {
  return {
    isPreparing: doing === id,
    isHeld: doing !== null,
    failure: refusal?.of === id ? refusal.failure : null,
    onUndo: () => void undo(id),
  };
}

export function createUndoStore({ bridge, follow }: UndoStoreParts): StoreApi<UndoState> {
  return createStore<UndoState>((set, get) => {
    const act = createAct<string>(get, set);

    const keepCurrent = (read: () => Promise<Partial<UndoState>>): (() => void) =>
      followEvent(
        bridge,
        'proposals.changed',
        readAgain(() => readOrKeep(set, read)),
      );

    return {
      doing: null,
      refusal: null,
      known: {},
      changes: {},
      async undo(id) {
        const made = await act(id, () => bridge.call('proposals.undo', { id }));
        if (made !== null) follow(made);
      },
      watch: (id) =>
        keepCurrent(async () => {
          const { undo = null } = await bridge.call('proposals.get', { id });
          return { known: { ...get().known, [id]: undo } };
        }),
      watchCampaign: (cid) =>
        keepCurrent(async () => {
          const { items } = await bridge.call('campaigns.changes', { cid });
          return { changes: { ...get().changes, [cid]: items } };
        }),
    };
  });
}

export const undoStore = createUndoStore({
  bridge: appBridge,
  follow: (shown) => reviewStore.getState().follow(shown),
});
