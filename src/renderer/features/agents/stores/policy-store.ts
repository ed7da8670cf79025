import { appBridge } from '#renderer/api/app-bridge.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { PolicyView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { followEvent, readAgain } from '#renderer/stores/follow-core.ts';

/** The policy of the computer's administrator, for pages that show what it fixes. */
export interface PolicyState {
  /** Null until the first answer. */
  policy: PolicyView | null;
  /** Keeps it current while a page shows it. Returns the unsubscribe function. */
  start: () => () => void;
}

export type PolicyStore = StoreApi<PolicyState>;

/** Makes the store of the policy. */
export function createPolicyStore(bridge: AppBridge): PolicyStore {
  return createStore<PolicyState>((set) => {
    const read = readAgain(async () => {
      try {
        set({ policy: await bridge.call('policy.get', {}) });
      } catch (error) {
        // The policy is looked at beside something else, which says that the core does not answer.
        if (!(error instanceof AppError)) throw error;
      }
    });
    return { policy: null, start: () => followEvent(bridge, 'policy.changed', read) };
  });
}

/** The page's store of the administrator's policy. */
export const policyStore = createPolicyStore(appBridge);
