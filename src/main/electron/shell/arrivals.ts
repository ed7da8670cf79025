import { proposalSchema } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { CoreSupervisor } from '../core-link/index.ts';

/** Proposals of one breath are one notification. */
const gatherMs = 1_000;
/** After a notification there is quiet for so long, whatever comes. */
const quietMs = 30_000;

export interface ArrivalsOptions {
  /** Gets the count since the last time. */
  notify: (count: number) => void;
  after: (delayMs: number, call: () => void) => () => void;
}

/** Gathers what arrives, so that a burst is one notification and a flood at most one every half minute. */
export interface Arrivals {
  arrive(): void;
  /** The user looks at Countersign: nothing that came until now needs a notification. */
  forget(): void;
  stop(): void;
}

/** Starts with nothing to notify of. */
export function createArrivals({ notify, after }: ArrivalsOptions): Arrivals {
  let count = 0;
  let cancel: (() => void) | null = null;

  const wait = (delayMs: number): void => {
    cancel = after(delayMs, () => {
      cancel = null;
      if (count > 0) notifyNow();
    });
  };
  const notifyNow = (): void => {
    const arrived = count;
    count = 0;
    wait(quietMs);
    notify(arrived);
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

/** Maximum number of remembered proposals; an older one that changes again is read again. */
const rememberedCount = 1_000;

/** Calls back once for each proposal that newly waits for a decision. Returns the unsubscribe function. */
export function watchNewProposals(
  core: Pick<CoreSupervisor, 'onEvent' | 'ask'>,
  onNew: () => void,
): () => void {
  const known = new Set<string>();
  async function meet(id: string): Promise<void> {
    if (known.has(id)) return;
    known.add(id);
    const [oldest] = known;
    if (known.size > rememberedCount && oldest !== undefined) known.delete(oldest);
    if (await isWaiting(core, id)) onNew();
  }
  return core.onEvent((event) => {
    if (event.kind === 'proposals.changed') void meet(event.id);
  });
}

async function isWaiting(core: Pick<CoreSupervisor, 'ask'>, id: string): Promise<boolean> {
  try {
    const answer = await core.ask('app', 'proposals.get', { id });
    const state = proposalSchema.safeParse(answer).data?.state;
    return state === 'proposed' || state === 'shown';
  } catch (failure) {
    if (failure instanceof AppError) return false;
    throw failure;
  }
}
