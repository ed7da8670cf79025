import type { AppBridge } from '#renderer/api/bridge.ts';
import { asFailure, followEvent, readAgain } from '#renderer/stores/follow-core.ts';
import type { AppInput, AppOutput } from '#shared/app-api/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';

export type AlertTrialInput = AppInput<'reports.alerts.history'>;

export interface AlertHistoryState {
  /** The last answer and the trial that it answers. Null before the first answer and after a failure. */
  answer: { of: AlertTrialInput; history: AppOutput<'reports.alerts.history'> } | null;
  show: (trial: AlertTrialInput) => void;
  /** Follows the loaded days until it is stopped, and forgets the answer then. */
  start: () => () => void;
}

/**
 * Requests the trial of the displayed rule, one request at a time. After changes during a request, only the latest rule is
 * requested.
 */
export function createAlertHistoryStore(bridge: AppBridge): StoreApi<AlertHistoryState> {
  return createStore<AlertHistoryState>((set) => {
    let trial: AlertTrialInput | null = null;
    const read = readAgain(async () => {
      const asked = trial;
      if (asked === null) return;
      try {
        const history = await bridge.call('reports.alerts.history', asked);
        if (trial !== null) set({ answer: { of: asked, history } });
      } catch (error) {
        asFailure(error);
        set({ answer: null });
      }
    });
    return {
      answer: null,
      show(next) {
        trial = next;
        read();
      },
      start() {
        const stop = followEvent(bridge, 'reports.changed', read);
        return () => {
          stop();
          trial = null;
          set({ answer: null });
        };
      },
    };
  });
}
