import { appBridge } from '#renderer/api/app-bridge.ts';
import { reviewStore } from '../review-store.ts';
import { agentsStore } from './agents-store.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { AppOutput, CampaignsToPause } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Acting, asFailure, createAct, followEvent, readAgain, readInto } from '../follow-core.ts';

export interface EmergencyStopState extends Acting<'start' | 'resume' | 'save'> {
  view: AppOutput<'emergencyStop.get'> | null;
  failure: AppError | null;
  starting: boolean;
  message: string | null;
  start: () => Promise<void>;
  resume: () => Promise<void>;
  choose: (set: CampaignsToPause) => Promise<boolean>;
  dismiss: () => void;
  watch: () => () => void;
}

export interface EmergencyStopStoreParts {
  bridge: AppBridge;
  follow(shown: { id: string; address: string | null }): void;
  onFrozen(): void;
}

/** Progress of a stop whose pause is undecided. Null if there is none. */
export type PendingStop = NonNullable<EmergencyStopState['view']>['pending'];

export function pendingStop({ starting, view }: Pick<EmergencyStopState, 'starting' | 'view'>): PendingStop {
  return view?.pending ?? (starting ? { kind: 'preparing', progress: null } : null);
}

export function createEmergencyStopStore({
  bridge,
  follow,
  onFrozen,
}: EmergencyStopStoreParts): StoreApi<EmergencyStopState> {
  return createStore<EmergencyStopState>((set, get) => {
    const act = createAct<'start' | 'resume' | 'save'>(get, set);
    const read = readAgain(() =>
      readInto(set, async () => ({ view: await bridge.call('emergencyStop.get', {}) })),
    );
    return {
      view: null,
      failure: null,
      doing: null,
      refusal: null,
      starting: false,
      message: null,
      async start() {
        // A second press gets the answer of the first.
        if (get().starting) return;
        set({ starting: true, message: null, refusal: null });
        try {
          const { id, address, say } = await bridge.call('emergencyStop.start', {});
          set({ message: say });
          if (id !== null) follow({ id, address });
        } catch (error) {
          set({ refusal: { of: 'start', failure: asFailure(error) } });
        } finally {
          set({ starting: false });
          onFrozen();
          read();
        }
      },
      async resume() {
        const made = await act('resume', () => bridge.call('emergencyStop.resume', {}));
        if (made) follow(made);
      },
      async choose(chosen) {
        const done = await act('save', () => bridge.call('emergencyStop.setCampaigns', chosen));
        read();
        return done !== null;
      },
      dismiss: () => set({ refusal: null, message: null }),
      // `status.changed` reports whether a pause was executed and can be resumed.
      watch: () => followEvent(bridge, ['agents.changed', 'profiles.changed', 'status.changed'], read),
    };
  });
}

export const emergencyStopStore = createEmergencyStopStore({
  bridge: appBridge,
  follow: (shown) => reviewStore.getState().follow(shown),
  onFrozen: () => agentsStore.getState().reload(),
});
