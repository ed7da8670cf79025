import type { AppEvent } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { CoreSupervisor } from '../core-link/index.ts';

/** Things change in bursts; one look tells about all of them. */
const gatherMs = 250;

export interface FollowOptions<T extends string | number | boolean> {
  core: Pick<CoreSupervisor, 'state' | 'onState' | 'onEvent' | 'ask'>;
  /** Looks again after such an event. */
  on: AppEvent['kind'];
  /** Asks the core; an `AppError` means that nobody knows. */
  look: () => Promise<T | null>;
  /** Hears what was found, or null while nobody knows; only when it is something else than before. */
  hear: (found: T | null) => void;
  after: (delayMs: number, call: () => void) => () => void;
}

/** Follows one fact of the core while it comes and goes. Returns the way to stop. */
export function followCore<T extends string | number | boolean>(options: FollowOptions<T>): () => void {
  const { core, on, hear, after } = options;
  let last: T | null = null;
  let cancel: (() => void) | null = null;
  let looking = false;
  let again = false;

  const tell = (found: T | null): void => {
    if (found === last) return;
    last = found;
    hear(found);
  };

  async function look(): Promise<void> {
    looking = true;
    again = false;
    const found = await orNull(options.look);
    looking = false;
    tell(core.state().kind === 'ready' ? found : null);
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
    if (event.kind === on) soon();
  });
  const stopStates = core.onState((state) => (state.kind === 'ready' ? soon() : tell(null)));
  if (core.state().kind === 'ready') soon();
  return () => {
    stopEvents();
    stopStates();
    cancel?.();
  };
}

async function orNull<T>(look: () => Promise<T | null>): Promise<T | null> {
  try {
    return await look();
  } catch (failure) {
    // A core that ends while it is asked tells its state by itself.
    if (failure instanceof AppError) return null;
    throw failure;
  }
}
