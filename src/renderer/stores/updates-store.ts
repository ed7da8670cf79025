import { desktopHost, type DesktopHost } from '#renderer/api/desktop-host.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppError } from '#shared/errors/index.ts';
import type { UpdateStep, UpdatesView } from '#shared/host-api/index.ts';
import { readInto } from './follow-core.ts';

export interface UpdatesStoreState {
  /** Null if unknown, or if the app does not update itself. */
  view: UpdatesView | null;
  failure: AppError | null;
  start: () => () => void;
  step: (step: UpdateStep) => Promise<void>;
  setDaily: (daily: boolean) => Promise<void>;
}

export type UpdatesHost = Pick<DesktopHost, 'ask' | 'onUpdates'>;

export function createUpdatesStore(host: UpdatesHost | null): StoreApi<UpdatesStoreState> {
  return createStore<UpdatesStoreState>((set) => {
    async function run(ask: (present: UpdatesHost) => Promise<unknown>): Promise<void> {
      await readInto(set, async () => {
        if (host !== null) await ask(host);
        return {};
      });
    }

    return {
      view: null,
      failure: null,
      start() {
        if (host === null) return () => {};
        let isOutdated = false;
        const stop = host.onUpdates((view) => {
          isOutdated = true;
          set({ view });
        });
        // A change that arrives before the answer is newer than the answer.
        void readInto(set, async () => {
          const view = await host.ask('desktop.updates', {});
          return isOutdated ? {} : { view };
        });
        return stop;
      },
      step: (step) => run((present) => present.ask('desktop.stepUpdates', { step })),
      setDaily: (daily) => run((present) => present.ask('desktop.setDailyUpdates', { daily })),
    };
  });
}

export const updatesStore = createUpdatesStore(desktopHost);
