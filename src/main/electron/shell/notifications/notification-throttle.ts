const gatherMs = 1_000;
const quietMs = 30_000;

export interface NotificationThrottleOptions {
  notify: (count: number) => void;
  after: (delayMs: number, call: () => void) => () => void;
}

/** Counts what is added, so that a burst is one notification and a flood at most one every half minute. */
export interface NotificationThrottle {
  add(): void;
  /** The user looks at Countersign: nothing that was added until now needs a notification. */
  reset(): void;
  stop(): void;
}

export function createNotificationThrottle({
  notify,
  after,
}: NotificationThrottleOptions): NotificationThrottle {
  let count = 0;
  let cancel: (() => void) | null = null;

  const wait = (delayMs: number): void => {
    cancel = after(delayMs, () => {
      cancel = null;
      if (count > 0) notifyNow();
    });
  };
  const notifyNow = (): void => {
    const added = count;
    count = 0;
    wait(quietMs);
    notify(added);
  };

  return {
    add() {
      count += 1;
      if (cancel === null) wait(gatherMs);
    },
    reset() {
      count = 0;
    },
    stop() {
      cancel?.();
      cancel = null;
    },
  };
}
