import { appBridge } from '#renderer/api/app-bridge.ts';
import { openConfirmWindow, withTheme } from '#renderer/api/host-services.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { AppError } from '#shared/errors/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { asFailure } from './follow-core.ts';

/** Opens confirmations. The page itself cannot decide anything. */
export interface ReviewState {
  blocked: string | null;
  failure: AppError | null;
  review: (proposalId: string) => Promise<void>;
  follow: (shown: { id: string; address: string | null }) => void;
  /** Resolves with the batch's id, or with null if no batch could be made. */
  reviewTogether: (proposalIds: readonly string[]) => Promise<string | null>;
  /** Resolves with the id of the new proposal, or with null if none could be made. */
  prepareAgain: (proposalId: string) => Promise<string | null>;
  dismiss: () => void;
}

export function createReviewStore(
  bridge: AppBridge,
  open: (address: string) => boolean = (address) => openConfirmWindow(address),
): StoreApi<ReviewState> {
  return createStore<ReviewState>((set, get) => {
    async function shown(
      make: () => Promise<{ id: string; address: string | null }>,
    ): Promise<string | null> {
      set({ blocked: null, failure: null });
      try {
        const made = await make();
        get().follow(made);
        return made.id;
      } catch (error) {
        set({ failure: asFailure(error) });
        return null;
      }
    }

    return {
      blocked: null,
      failure: null,
      async review(proposalId) {
        await shown(async () => ({
          id: proposalId,
          ...(await bridge.call('proposals.review', { id: proposalId })),
        }));
      },
      follow({ address }) {
        if (address === null) return;
        const themed = withTheme(address);
        if (!open(themed)) set({ blocked: themed });
      },
      reviewTogether: (proposalIds) =>
        shown(() => bridge.call('proposals.reviewTogether', { ids: [...proposalIds] })),
      prepareAgain: (proposalId) => shown(() => bridge.call('proposals.prepareAgain', { id: proposalId })),
      dismiss: () => set({ blocked: null, failure: null }),
    };
  });
}

export const reviewStore = createReviewStore(appBridge);
