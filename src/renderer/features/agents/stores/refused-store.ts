import { appBridge } from '#renderer/api/app-bridge.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { RefusedAttemptView } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { followEvent, readAgain } from '#renderer/stores/follow-core.ts';
import { readInto } from '#renderer/stores/acting.ts';

/** Agents' attempts that a rule refused. */
export interface RefusedState {
  /** Newest first; null until the first answer. */
  attempts: readonly RefusedAttemptView[] | null;
  failure: AppError | null;
  /** The agent whose attempts are shown; null for all agents. */
  agentId: string | null;
  filter: (agentId: string | null) => void;
  /** Keeps it current while the page is open. Returns the unsubscribe function. */
  start: () => () => void;
}

export type RefusedStore = StoreApi<RefusedState>;

/** Makes the store of refused attempts. */
export function createRefusedStore(bridge: AppBridge): RefusedStore {
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

/** The agents of attempts, each once, in the order of their newest. */
export function agentsOfAttempts(
  attempts: readonly RefusedAttemptView[],
): Pick<RefusedAttemptView, 'agentId' | 'agentName'>[] {
  const byId = new Map<string, Pick<RefusedAttemptView, 'agentId' | 'agentName'>>();
  for (const { agentId, agentName } of attempts)
    if (!byId.has(agentId)) byId.set(agentId, { agentId, agentName });
  return [...byId.values()];
}

/** The page's store of refused attempts. */
export const refusedStore = createRefusedStore(appBridge);
