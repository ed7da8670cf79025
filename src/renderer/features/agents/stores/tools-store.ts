import { appBridge } from '#renderer/api/app-bridge.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { AppOutput, ToolView, PolicyView, RefusedAttemptView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { followEvent, readAgain, createAct, type Acting, readInto } from '#renderer/stores/follow-core.ts';

interface ToolsState extends Acting<{ name: string }> {
  profileId: string | null;
  view: AppOutput<'agents.tools'> | null;
  failure: AppError | null;
  show: (profileId: string) => void;
  accept: (tool: ToolView) => Promise<void>;
  treat: (name: string, treatAs: 'read' | 'write') => Promise<void>;
  start: () => () => void;
}

type ToolsStore = StoreApi<ToolsState>;

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

export const toolsStore = createToolsStore(appBridge);

interface PolicyState {
  policy: PolicyView | null;
  start: () => () => void;
}

type PolicyStore = StoreApi<PolicyState>;

function createPolicyStore(bridge: AppBridge): PolicyStore {
  return createStore<PolicyState>((set) => {
    const read = readAgain(async () => {
      try {
        set({ policy: await bridge.call('policy.get', {}) });
      } catch (error) {
        // Another part of the page reports that the core does not answer.
        if (!(error instanceof AppError)) throw error;
      }
    });
    return { policy: null, start: () => followEvent(bridge, 'policy.changed', read) };
  });
}

export const policyStore = createPolicyStore(appBridge);

interface RefusedState {
  /** Newest first. */
  attempts: readonly RefusedAttemptView[] | null;
  failure: AppError | null;
  agentId: string | null;
  filter: (agentId: string | null) => void;
  start: () => () => void;
}

type RefusedStore = StoreApi<RefusedState>;

function createRefusedStore(bridge: AppBridge): RefusedStore {
  return createStore<RefusedState>((set) => {
    const read = readAgain(async () => {
      await readInto(set, async () => ({ attempts: (await bridge.call('agents.refused', {})).attempts }));
    });
    return {
      attempts: null,
      failure: null,
      agentId: null,
      filter: (agentId) => set({ agentId }),
      start: () => followEvent(bridge, 'agents.changed', read),
    };
  });
}

export function agentsOfAttempts(
  attempts: readonly RefusedAttemptView[],
): Pick<RefusedAttemptView, 'agentId' | 'agentName'>[] {
  const byId = new Map<string, Pick<RefusedAttemptView, 'agentId' | 'agentName'>>();
  for (const { agentId, agentName } of attempts)
    if (!byId.has(agentId)) byId.set(agentId, { agentId, agentName });
  return [...byId.values()];
}

export const refusedStore = createRefusedStore(appBridge);
