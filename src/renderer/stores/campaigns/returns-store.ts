import { appBridge } from '#renderer/api/app-bridge.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { AppOutput } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { asFailure, followConnection, readAgain, readOrKeep, stopAll } from '../follow-core.ts';

export type OfferedReturn = AppOutput<'campaigns.returns'>['items'][number];

export interface ReturnsState {
  offers: readonly OfferedReturn[];
  preparing: string | null;
  failure: AppError | null;
  /** Resolves with the proposal's id, or with null and the reason in `failure`. */
  propose: (proposalId: string) => Promise<string | null>;
  dismiss: (proposalId: string) => Promise<void>;
  dismissFailure: () => void;
  start: () => () => void;
}

export function createReturnsStore(bridge: AppBridge): StoreApi<ReturnsState> {
  return createStore<ReturnsState>((set) => {
    const read = readAgain(() =>
      readOrKeep(set, async () => ({ offers: (await bridge.call('campaigns.returns', {})).items })),
    );

    async function about<T>(request: () => Promise<T>): Promise<T | null> {
      set({ failure: null });
      try {
        return await request();
      } catch (error) {
        set({ failure: asFailure(error) });
        return null;
      } finally {
        read();
      }
    }

    return {
      offers: [],
      preparing: null,
      failure: null,
      async propose(proposalId) {
        set({ preparing: proposalId });
        try {
          const proposal = await about(() => bridge.call('campaigns.proposeReturn', { proposalId }));
          return proposal?.id ?? null;
        } finally {
          set({ preparing: null });
        }
      },
      async dismiss(proposalId) {
        await about(() => bridge.call('campaigns.dismissReturn', { proposalId }));
      },
      dismissFailure: () => set({ failure: null }),
      start() {
        const stopEvents = bridge.subscribe(({ kind }) => {
          if (kind === 'proposals.changed' || kind === 'schedules.changed') read();
          if (kind === 'profiles.changed') {
            set({ offers: [], failure: null });
            read();
          }
        });
        return stopAll(stopEvents, followConnection(bridge, read));
      },
    };
  });
}

export interface KnownStatus {
  status: number;
  readAtMs: number;
}

const paused = 3;

export function returnable(
  { cids, atMs }: OfferedReturn,
  statuses: ReadonlyMap<number, KnownStatus>,
): number[] {
  return cids.filter((cid) => {
    const known = statuses.get(cid);
    return known === undefined || known.readAtMs <= atMs || known.status === paused;
  });
}

export const returnsStore = createReturnsStore(appBridge);
