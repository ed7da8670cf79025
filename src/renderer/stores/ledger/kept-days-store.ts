import type { AppBridge } from '#renderer/api/bridge.ts';
import type { KeptDays } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { followEvent } from '../follow-event.ts';
import { readAgain } from '../read-again.ts';

export interface KeptDaysState {
  /** After how many days details are removed, null for never; undefined until the first answer. */
  days: KeptDays | undefined;
  /** What a person chose and has not confirmed yet: fewer days remove details for good. */
  asked: KeptDays | undefined;
  failure: AppError | null;
  /** Keeps details longer at once; asks first where some would go. */
  choose: (days: KeptDays) => void;
  confirm: () => Promise<void>;
  cancel: () => void;
  /** Keeps it current. Returns the unsubscribe function. */
  start: () => () => void;
}

/** Makes the store of how long the details of settled changes are kept. */
export function createKeptDaysStore(bridge: AppBridge): StoreApi<KeptDaysState> {
  return createStore<KeptDaysState>((set, get) => {
    async function attempt(work: () => Promise<{ days: KeptDays }>): Promise<void> {
      try {
        const { days } = await work();
        set({ days, failure: null });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        set({ failure: error });
      }
    }

    const read = readAgain(() => attempt(() => bridge.call('ledger.keptDays', {})));
    const keep = (days: KeptDays): Promise<void> =>
      attempt(() => bridge.call('ledger.setKeptDays', { days }));

    return {
      days: undefined,
      asked: undefined,
      failure: null,
      choose(days) {
        const now = get().days;
        if (now === undefined || days === now) return;
        if ((days ?? Infinity) < (now ?? Infinity)) set({ asked: days });
        else void keep(days);
      },
      async confirm() {
        const { asked } = get();
        if (asked === undefined) return;
        set({ asked: undefined });
        await keep(asked);
      },
      cancel: () => set({ asked: undefined }),
      start: () => followEvent(bridge, 'ledger.changed', read),
    };
  });
}
