import { appBridge } from '#renderer/api/app-bridge.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { Decisions } from '#shared/app-api/index.ts';
import { dateOfDay, dayNumber, serviceDay } from '#shared/campaign/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { asFailure, followConnection } from '#renderer/stores/follow-core.ts';
import { dayStartMs } from '#renderer/stores/ledger/ledger-store.ts';

export const decisionRanges = [7, 30, 90, 365] as const;

export type DecisionRange = (typeof decisionRanges)[number];

export interface DecisionsRead extends Decisions {
  range: DecisionRange;
  /** YYYY-MM-DD, from the first day to today. */
  dates: readonly string[];
  readAtMs: number;
}

interface DecisionsState {
  range: DecisionRange;
  read: DecisionsRead | null;
  reading: boolean;
  failure: AppError | null;
  setRange: (range: DecisionRange) => void;
  reload: () => void;
  start: (zone: string) => () => void;
}

/** Counts decisions on demand only. A change of the ledger does not start another count. */
export function createDecisionsStore(parts: {
  bridge: AppBridge;
  nowMs(): number;
}): StoreApi<DecisionsState> {
  const { bridge, nowMs } = parts;
  return createStore<DecisionsState>((set, get) => {
    let zone = 'UTC';

    async function load(): Promise<void> {
      const { range } = get();
      const readAtMs = nowMs();
      const dates = datesUpTo(serviceDay(readAtMs, zone).date, range);
      set({ reading: true });
      try {
        const sinceMs = dayStartMs(dates[0] ?? '', zone);
        const decisions = await bridge.call('ledger.decisions', { sinceMs });
        // The person has chosen another range, whose answer follows.
        if (get().range !== range) return;
        set({ read: { ...decisions, range, dates, readAtMs }, failure: null, reading: false });
      } catch (error) {
        const failure = asFailure(error);
        if (get().range === range) set({ failure, reading: false });
      }
    }

    return {
      range: 30,
      read: null,
      reading: false,
      failure: null,
      setRange(range) {
        if (range === get().range) return;
        set({ range });
        void load();
      },
      reload: () => void load(),
      start(ofDays) {
        zone = ofDays;
        return followConnection(bridge, () => void load());
      },
    };
  });
}

function datesUpTo(today: string, range: DecisionRange): string[] {
  const last = dayNumber(today) ?? 0;
  return Array.from({ length: range }, (_, day) => dateOfDay(last - range + 1 + day));
}

export const decisionsStore = createDecisionsStore({ bridge: appBridge, nowMs: Date.now });
