import { appBridge } from '#renderer/api/app-bridge.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { AppOutput, ToolView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { followEvent, readAgain } from '#renderer/stores/follow-core.ts';
import { createAct, type Acting } from '#renderer/stores/acting.ts';

/** The tools of one profile's service, as agents see them. */
export interface ToolsState extends Acting<{ name: string }> {
  profileId: string | null;
  /** Null until the first answer about this profile. */
  view: AppOutput<'agents.tools'> | null;
  failure: AppError | null;
  /** Goes to another profile's tools. */
  show: (profileId: string) => void;
  /** The person has looked at what is offered: it is used from now on. */
  accept: (tool: ToolView) => Promise<void>;
  treat: (name: string, treatAs: 'read' | 'write') => Promise<void>;
  /** Keeps it current while the page is open. Returns the unsubscribe function. */
  start: () => () => void;
}

export type ToolsStore = StoreApi<ToolsState>;

/** Makes the store of pinned tools. */
export function createToolsStore(bridge: AppBridge): ToolsStore {
  return createStore<ToolsState>((set, get) => {
    const act = createAct<{ name: string }>(get, set);

    const read = readAgain(async () => {
      const { profileId } = get();
      if (profileId === null) return;
      try {
        const view = await bridge.call('agents.tools', { profileId });
        if (get().profileId === profileId) set({ view, failure: null });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (get().profileId === profileId) set({ failure: error });
      }
    });

    return {
      profileId: null,
      view: null,
      failure: null,
      doing: null,
      refusal: null,
      show(profileId) {
        if (get().profileId === profileId) return;
        set({ profileId, view: null, failure: null, refusal: null });
        read();
      },
      async accept({ name, offered }) {
        const { profileId } = get();
        if (profileId === null || offered === null) return;
        const { hash } = offered;
        await act({ name }, () => bridge.call('agents.acceptTool', { profileId, name, hash }));
        read();
      },
      async treat(name, treatAs) {
        const { profileId } = get();
        if (profileId === null) return;
        await act({ name }, () => bridge.call('agents.treatTool', { profileId, name, treatAs }));
        read();
      },
      start: () => followEvent(bridge, 'agents.changed', read),
    };
  });
}

/** The page's store of pinned tools. */
export const toolsStore = createToolsStore(appBridge);
