import type { Confirmer, Showing } from '#shared/host-api/index.ts';

/** The confirmer of a workspace's core. Forwards displays of confirmations to the host's only confirmation surface. */
export interface ShowingRelay {
  confirmer: Confirmer;
  /** `take` sees every display before the host and keeps it by returning true. The returned function stops the interception. */
  intercept(take: (showing: Showing) => boolean): () => void;
  /** Hides current displays and forwards no further ones. Call it when the core ends, because nothing can be decided on it any more. */
  end(): void;
}

export function createShowingRelay(host: Confirmer): ShowingRelay {
  const shown = new Set<string>();
  const takers = new Set<(showing: Showing) => boolean>();
  let hasEnded = false;
  const isTaken = (showing: Showing): boolean => hasEnded || [...takers].some((take) => take(showing));
  const hide = (showingId: string): void => {
    if (shown.delete(showingId)) host.hide(showingId);
  };
  return {
    confirmer: {
      via: host.via,
      async show(showing) {
        if (isTaken(showing)) return { address: null };
        shown.add(showing.showingId);
        return host.show(showing);
      },
      ...(host.announce !== undefined && {
        announce(showing: Showing) {
          if (isTaken(showing)) return;
          shown.add(showing.showingId);
          host.announce?.(showing);
        },
      }),
      hide,
    },
    intercept(take) {
      takers.add(take);
      return () => void takers.delete(take);
    },
    end() {
      hasEnded = true;
      for (const showingId of shown) hide(showingId);
    },
  };
}
