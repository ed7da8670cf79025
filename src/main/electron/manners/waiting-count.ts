import { statusSchema } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { CoreSupervisor } from '../core-link/index.ts';

/** Proposals change in bursts; one look tells about all of them. */
const gatherMs = 250;

export interface WaitingCountOptions {
  core: Pick<CoreSupervisor, 'state' | 'onState' | 'onEvent' | 'ask'>;
  /** Hears how many changes wait for a decision, or null while nobody knows; only when it is another number. */
  hear: (count: number | null) => void;
  after: (delayMs: number, call: () => void) => () => void;
}

/** Follows how many changes wait. Returns the way to stop. */
export function watchWaitingCount({ core, hear, after }: WaitingCountOptions): () => void {
  let last: number | null = null;
  let cancel: (() => void) | null = null;
  let looking = false;
  let again = false;

  const tell = (count: number | null): void => {
    if (count === last) return;
    last = count;
    hear(count);
  };

  async function look(): Promise<void> {
    looking = true;
    again = false;
    const count = await countOf(core);
    looking = false;
    tell(core.state().kind === 'ready' ? count : null);
    if (again) soon();
  }

  const soon = (): void => {
    again = looking;
    if (looking || cancel !== null) return;
    cancel = after(gatherMs, () => {
      cancel = null;
      void look();
    });
  };

  const stopEvents = core.onEvent((event) => {
    if (event.kind === 'proposals.changed') soon();
  });
  const stopStates = core.onState((state) => (state.kind === 'ready' ? soon() : tell(null)));
  if (core.state().kind === 'ready') soon();
  return () => {
    stopEvents();
    stopStates();
    cancel?.();
  };
}

async function countOf(core: Pick<CoreSupervisor, 'ask'>): Promise<number | null> {
  try {
    const answer = await core.ask('app', 'session.status', {});
    return statusSchema.safeParse(answer).data?.waiting ?? null;
  } catch (failure) {
    // A core that ends while it is asked tells its state by itself.
    if (failure instanceof AppError) return null;
    throw failure;
  }
}
