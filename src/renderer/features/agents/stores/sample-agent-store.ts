import { appBridge } from '#renderer/api/app-bridge.ts';
import { reviewStore } from '#renderer/stores/review-store.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { SampleAgentView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { followEvent, readAgain, readInto } from '#renderer/stores/follow-core.ts';

interface SampleAgentState {
  view: SampleAgentView | null;
  failure: AppError | null;
  begin: () => Promise<void>;
  stop: () => Promise<void>;
  start: () => () => void;
}

/** A browser lets a page open a window for about five seconds after a press. */
const pressCountsMs = 4_000;

const lookEveryMs = 150;

/** Opens the review of the agent's access request as soon as it arrives. */
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

/** Ids of access requests that wait; none if the core does not answer, which the page shows elsewhere. */
async function admissions(bridge: AppBridge): Promise<string[]> {
  try {
    const { items } = await bridge.call('proposals.list', { which: 'waiting', before: null, limit: 200 });
    return items.filter(({ operation }) => operation === 'agent.admit').map(({ id }) => id);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [];
  }
}

export function isAtWork({ state }: SampleAgentView): boolean {
  return state === 'connecting' || state === 'waiting-for-you' || state === 'proposing';
}

export const sampleAgentStore = createSampleAgentStore(appBridge, (id) => reviewStore.getState().review(id));
