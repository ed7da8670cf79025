import { appBridge } from '#renderer/api/app-bridge.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type {
  AppOutput,
  PolicyView,
  RefusedAttemptView,
  SampleAgentView,
  ToolView,
} from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  type Acting,
  asFailure,
  createAct,
  followEvent,
  readAgain,
  readInto,
  readOrKeep,
} from '#renderer/stores/follow-core.ts';
import { reviewStore } from '#renderer/stores/review-store.ts';

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

export const policyStore = createStore<{ policy: PolicyView | null; start: () => () => void }>((set) => {
  const read = readAgain(() =>
    readOrKeep(set, async () => ({ policy: await appBridge.call('policy.get', {}) })),
  );
  return { policy: null, start: () => followEvent(appBridge, 'policy.changed', read) };
});

interface RefusedState {
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

interface SampleAgentState {
  view: SampleAgentView | null;
  failure: AppError | null;
  begin: () => Promise<void>;
  stop: () => Promise<void>;
  start: () => () => void;
}

/**
 * How long to wait for the agent's request before the window opens. It must be shorter than the five seconds after a press in
 * which a browser lets a page open a window.
 */
const pressCountsMs = 4_000;

const lookEveryMs = 150;

export function createSampleAgentStore(
  bridge: AppBridge,
  review: (proposalId: string) => Promise<void>,
): StoreApi<SampleAgentState> {
  return createStore<SampleAgentState>((set, get) => {
    async function take(name: 'sampleAgent.get' | 'sampleAgent.start' | 'sampleAgent.stop'): Promise<void> {
      await readInto(set, async () => ({ view: await bridge.call(name, {}) }));
    }
    async function begin(): Promise<void> {
      const earlier = new Set(await admissions(bridge));
      await take('sampleAgent.start');
      if (get().failure !== null) return;
      for (let waitedMs = 0; waitedMs < pressCountsMs; waitedMs += lookEveryMs) {
        const [mine] = (await admissions(bridge)).filter((id) => !earlier.has(id));
        if (mine !== undefined) return review(mine);
        await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
      }
    }
    const read = readAgain(() => take('sampleAgent.get'));
    return {
      view: null,
      failure: null,
      begin,
      stop: () => take('sampleAgent.stop'),
      start: () => followEvent(bridge, 'agents.changed', read),
    };
  });
}

/** Ids of undecided access requests. Empty if the core does not answer, because the page reports that elsewhere. */
async function admissions(bridge: AppBridge): Promise<string[]> {
  try {
    const { items } = await bridge.call('proposals.list', { which: 'waiting', before: null, limit: 200 });
    return items.filter(({ operation }) => operation === 'agent.admit').map(({ id }) => id);
  } catch (error) {
    asFailure(error);
    return [];
  }
}

export function isAtWork({ state }: SampleAgentView): boolean {
  return state === 'connecting' || state === 'waiting-for-you' || state === 'proposing';
}

export const sampleAgentStore = createSampleAgentStore(appBridge, (id) => reviewStore.getState().review(id));
