import type { Confirmer, Display } from '#shared/host-api/index.ts';

/** The confirmer of a workspace's core. Forwards displays of confirmations to the host's only confirmation surface. */
export interface DisplayRelay {
  confirmer: Confirmer;
  /** `take` sees every display before the host and keeps it by returning true. The returned function stops the interception. */
  intercept(take: (display: Display) => boolean): () => void;
  /** Hides current displays and forwards no further ones. Call it when the core ends, because nothing can be decided on it any more. */
  end(): void;
}

export function createDisplayRelay(host: Confirmer): DisplayRelay {
  const shown = new Set<string>();
  const takers = new Set<(display: Display) => boolean>();
  let hasEnded = false;
  const isTaken = (display: Display): boolean => hasEnded || [...takers].some((take) => take(display));
  // A step of a review opens its display by its answer, so the relay has not seen every display.
  const hide = (displayId: string): void => {
    shown.delete(displayId);
    host.hide(displayId);
  };
  return {
    confirmer: {
      via: host.via,
      async show(display) {
        if (isTaken(display)) return { address: null };
        shown.add(display.displayId);
        return host.show(display);
      },
      ...(host.announce !== undefined && {
        announce(display: Display) {
          if (isTaken(display)) return;
          shown.add(display.displayId);
          host.announce?.(display);
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
      for (const displayId of shown) hide(displayId);
    },
  };
}
