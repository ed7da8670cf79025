/** Proposals of one breath are one notification. */
const gatherMs = 1_000;
/** After a notification there is quiet for so long, whatever comes. */
const quietMs = 30_000;

export interface ArrivalsOptions {
  /** Hears how many came since the last time. */
  notify: (count: number) => void;
  after: (delayMs: number, call: () => void) => () => void;
}

/** Gathers what arrives, so that a burst is told once and a flood no oftener than every half minute. */
export interface Arrivals {
  arrive(): void;
  /** A person looks at Countersign: what came until now needs no telling. */
  forget(): void;
  stop(): void;
}

/** Starts with nothing to tell. */
export function createArrivals({ notify, after }: ArrivalsOptions): Arrivals {
  let count = 0;
  let cancel: (() => void) | null = null;

  const wait = (delayMs: number): void => {
    cancel = after(delayMs, () => {
      cancel = null;
      if (count > 0) tell();
    });
  };
  const tell = (): void => {
    const told = count;
    count = 0;
    wait(quietMs);
    notify(told);
  };

  return {
    arrive() {
      count += 1;
      if (cancel === null) wait(gatherMs);
    },
    forget() {
      count = 0;
    },
    stop() {
      cancel?.();
      cancel = null;
    },
  };
}
