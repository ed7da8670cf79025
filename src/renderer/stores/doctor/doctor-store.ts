import type { AppBridge } from '#renderer/api/bridge.ts';
import type { DoctorReport } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { followEvent } from '../follow-event.ts';
import { readAgain } from '../read-again.ts';

export interface DoctorState {
  /** The examination under way, or the last one; null where there was none. */
  report: DoctorReport | null;
  /** The report is on the clipboard. */
  copied: boolean;
  failure: AppError | null;
  examine: (profileId: string) => Promise<void>;
  stop: () => Promise<void>;
  copy: () => Promise<void>;
  /** Follows the examination while the page is open. Returns the way to stop. */
  start: () => () => void;
}

export type DoctorStore = StoreApi<DoctorState>;

export interface DoctorStoreParts {
  bridge: AppBridge;
  copyText(text: string): Promise<void>;
}

/** Makes the store of the doctor's page. */
export function createDoctorStore({ bridge, copyText }: DoctorStoreParts): DoctorStore {
  return createStore<DoctorState>((set, get) => {
    async function take(ask: () => Promise<DoctorReport | null>): Promise<void> {
      try {
        set({ report: await ask(), failure: null });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        set({ failure: error });
      }
    }
    const read = readAgain(() => take(() => bridge.call('doctor.get', {})));

    return {
      report: null,
      copied: false,
      failure: null,
      examine(profileId) {
        set({ copied: false });
        return take(() => bridge.call('doctor.start', { profileId }));
      },
      stop: () => take(() => bridge.call('doctor.stop', {})),
      async copy() {
        const { report } = get();
        if (report === null || report.text === '') return;
        try {
          await copyText(report.text);
          set({ copied: true, failure: null });
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          set({ failure: error });
        }
      },
      start: () => followEvent(bridge, 'doctor.changed', read),
    };
  });
}
