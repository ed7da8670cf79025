import {
  appApi,
  type AppEvent,
  profileSchema,
  type ProfileView,
  statusSchema,
} from '#shared/app-api/index.ts';
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

export type WaitingCountOptions = Pick<FollowOptions<number>, 'core' | 'hear' | 'after'>;

/** Follows how many changes wait for a decision; null while nobody knows. Returns the way to stop. */
export function watchWaitingCount(options: WaitingCountOptions): () => void {
  return followCore({
    ...options,
    on: 'proposals.changed',
    async look() {
      const answer = await options.core.ask('app', 'session.status', {});
      return statusSchema.safeParse(answer).data?.waiting ?? null;
    },
  });
}

export type WatchFrozenOptions = Pick<FollowOptions<boolean>, 'core' | 'hear' | 'after'>;

/** Follows whether all agents are frozen; null while nobody knows. Returns the way to stop. */
export function watchFrozen(options: WatchFrozenOptions): () => void {
  const { output } = appApi['agents.get'];
  return followCore({
    ...options,
    on: 'agents.changed',
    async look() {
      // The status would ask the service too, which may be away.
      const found = output.safeParse(await options.core.ask('app', 'agents.get', {})).data;
      return found === undefined ? null : found.frozenSinceMs !== null;
    },
  });
}

export interface WatchProfileOptions {
  core: Pick<CoreSupervisor, 'state' | 'onState' | 'onEvent' | 'ask'>;
  /** Hears the profile in front whenever it may be another, or null while nobody knows. */
  hear(profile: ProfileView | null): void;
}

/** Follows which profile is in front. Returns the way to stop. */
export function watchProfile({ core, hear }: WatchProfileOptions): () => void {
  let asked = 0;

  async function look(): Promise<void> {
    const mine = ++asked;
    const profile = await profileOf(core);
    // What was asked later tells the newer truth.
    if (mine === asked) hear(profile);
  }

  function forget(): void {
    asked += 1;
    hear(null);
  }

  const stopEvents = core.onEvent(({ kind }) => {
    if (kind === 'profiles.changed') void look();
  });
  const stopStates = core.onState(({ kind }) => (kind === 'ready' ? void look() : forget()));
  if (core.state().kind === 'ready') void look();
  return () => {
    asked += 1;
    stopEvents();
    stopStates();
  };
}

async function profileOf(core: Pick<CoreSupervisor, 'ask'>): Promise<ProfileView | null> {
  try {
    const session = (await core.ask('app', 'session.get', {})) as { profile?: unknown } | null;
    return profileSchema.safeParse(session?.profile).data ?? null;
  } catch (failure) {
    // A core that ends while it is asked tells its state by itself.
    if (failure instanceof AppError) return null;
    throw failure;
  }
}
