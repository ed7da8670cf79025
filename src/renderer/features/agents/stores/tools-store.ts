import { appBridge } from '#renderer/api/app-bridge.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { AppOutput, ToolView, PolicyView, RefusedAttemptView } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  followEvent,
  readAgain,
  createAct,
  type Acting,
  readInto,
  readOrKeep,
} from '#renderer/stores/follow-core.ts';

interface ToolsState extends Acting<{ name: string }> {
  profileId: string | null;
  view: AppOutput<'agents.tools'> | null;
  failure: AppError | null;
  show: (profileId: string) => void;
  accept: (tool: ToolView) => Promise<void>;
  treat: (name: string, treatAs: 'read' | 'write') => Promise<void>;
  start: () => () => void;
}

export function createToolsStore(bridge: AppBridge): StoreApi<ToolsState> {
  return createStore<ToolsState>((set, get) => {
    const act = createAct<{ name: string }>(get, set);

    const read = readAgain(async () => {
      const { profileId } = get();
      if (profileId === null) return;
      await readInto(
        (read) => get().profileId === profileId && set(read),
        async () => ({ view: await bridge.call('agents.tools', { profileId }) }),
      );
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

export const toolsStore = createToolsStore(appBridge);

interface PolicyState {
  policy: PolicyView | null;
  start: () => () => void;
}

export const policyStore = createStore<PolicyState>((set) => {
  const read = readAgain(() =>
    readOrKeep(set, async () => ({ policy: await appBridge.call('policy.get', {}) })),
  );
  return { policy: null, start: () => followEvent(appBridge, 'policy.changed', read) };
});

interface RefusedState {
  /** Newest first. */
  attempts: readonly RefusedAttemptView[] | null;
  failure: AppError | null;
  agentId: string | null;
  filter: (agentId: string | null) => void;
  start: () => () => void;
}

export const refusedStore = createStore<RefusedState>((set) => {
  const read = readAgain(() =>
    readInto(set, async () => ({ attempts: (await appBridge.call('agents.refused', {})).attempts })),
  );
  return {
    attempts: null,
    failure: null,
    agentId: null,
    filter: (agentId) => set({ agentId }),
    start: () => followEvent(appBridge, 'agents.changed', read),
  };
});
