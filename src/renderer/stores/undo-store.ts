import { appBridge } from '#renderer/api/app-bridge.ts';
import { reviewStore } from './review-store.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { CampaignChange, UndoView } from '#shared/app-api/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Acting, createAct, followEvent, readAgain, readOrKeep } from './follow-core.ts';

/** Changes that can be taken back, by the id of their proposal. A refusal names the change that was to be undone. */
export interface UndoState extends Acting<string> {
  /** The undo of the changes that are watched; null where there is none. Absent until it was read. */
  known: Readonly<Record<string, UndoView | null>>;
  /** The last changes of the campaigns that are watched. Absent until they were read; a failed read keeps what was known. */
  changes: Readonly<Record<number, readonly CampaignChange[]>>;
  /** Proposes to take the change back and shows that. Nothing is sent. */
  undo: (id: string) => Promise<void>;
  watch: (id: string) => () => void;
  watchCampaign: (cid: number) => () => void;
}

export interface UndoStoreParts {
  bridge: AppBridge;
  /** Goes on to the confirmation that the core shows. */
  follow(shown: { id: string; address: string | null }): void;
}

/** The undo of one change, as its button shows and proposes it. */
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

    /** Reads now and whenever a proposal changes. */
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
