import { appBridge } from '#renderer/api/app-bridge.ts';
import { reviewStore } from '#renderer/stores/review-store.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { AppInput, NetChange } from '#shared/app-api/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { asFailure, followEvent, readAgain } from '#renderer/stores/follow-core.ts';
import { dayStartMs } from '#renderer/stores/ledger/ledger-store.ts';
import { isDate } from '#shared/lib/date-text.ts';

/** The start of the service's current day, the time seven days ago, or the start of `date`. */
export type Since = 'today' | 'week' | 'date';

interface NetEffectState {
  since: Since;
  /** YYYY-MM-DD, as typed. */
  date: string;
  dateError: string | null;
  /** Empty for all agents. */
  agentId: string;
  items: readonly NetChange[] | null;
  prunedCount: number;
  unreadableCount: number;
  failure: AppError | null;
  reversing: boolean;
  refusal: AppError | null;
  ask: (change: Partial<Pick<NetEffectState, 'since' | 'date' | 'agentId'>>) => void;
  reverse: () => Promise<void>;
  dismiss: () => void;
  start: (zone: string) => () => void;
}

interface NetEffectStoreParts {
  bridge: AppBridge;
  follow(shown: { id: string; address: string | null }): void;
  nowMs(): number;
}

const weekMs = 7 * 24 * 60 * 60 * 1000;

export function createNetEffectStore({
  bridge,
  follow,
  nowMs,
}: NetEffectStoreParts): StoreApi<NetEffectState> {
  return createStore<NetEffectState>((set, get) => {
    let zone = 'UTC';

    function query(): AppInput<'ledger.netEffect'> | null {
      const { since, date, agentId } = get();
      if (since === 'date' && !isDate(date)) return null;
      const day = since === 'date' ? date : serviceDay(nowMs(), zone).date;
      const sinceMs = since === 'week' ? nowMs() - weekMs : dayStartMs(day, zone);
      return { agentId: agentId === '' ? null : agentId, sinceMs };
    }

    const read = readAgain(async () => {
      const asked = query();
      if (asked === null) return set({ items: null });
      const { since, date, agentId } = get();
      try {
        const { items, prunedCount, unreadableCount } = await bridge.call('ledger.netEffect', asked);
        const now = get();
        // The person has chosen another filter, whose answer follows.
        if (now.since !== since || now.date !== date || now.agentId !== agentId) return;
        set({ items, prunedCount, unreadableCount, failure: null });
      } catch (error) {
        set({ failure: asFailure(error) });
      }
    });

    return {
      since: 'today',
      date: '',
      dateError: null,
      agentId: '',
      items: null,
      prunedCount: 0,
      unreadableCount: 0,
      failure: null,
      reversing: false,
      refusal: null,
      ask(change) {
        set({ ...change, items: null, refusal: null });
        const { since, date } = get();
        const isWrong = since === 'date' && date !== '' && !isDate(date);
        set({ dateError: isWrong ? 'Write the day as 2026-11-30.' : null });
        read();
      },
      async reverse() {
        const asked = query();
        if (asked === null || get().reversing) return;
        set({ reversing: true, refusal: null });
        try {
          follow(await bridge.call('ledger.reverse', asked));
        } catch (error) {
          set({ refusal: asFailure(error) });
        } finally {
          set({ reversing: false });
        }
      },
      dismiss: () => set({ refusal: null }),
      start(ofDays) {
        zone = ofDays;
        return followEvent(bridge, 'ledger.changed', read);
      },
    };
  });
}

export const netEffectStore = createNetEffectStore({
  bridge: appBridge,
  follow: (shown) => reviewStore.getState().follow(shown),
  nowMs: Date.now,
});
