import {
  appApi,
  type AppEvent,
  profileSchema,
  type ProfileView,
  statusSchema,
  proposalSchema,
} from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { CoreSupervisor } from '../core-link/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';

/** Changes come in bursts; one look covers all of them. */
const gatherMs = 250;

export interface FollowOptions<T extends string | number | boolean> {
  core: Pick<CoreSupervisor, 'state' | 'onState' | 'onEvent' | 'ask'>;
  /** Looks again after such an event. */
  on: AppEvent['kind'];
  /** Asks the core; an `AppError` means that it is unknown. */
  look: () => Promise<T | null>;
  /** Gets what was found, or null while it is unknown; only when it differs from before. */
  onChange: (found: T | null) => void;
  after: (delayMs: number, call: () => void) => () => void;
}

/** Follows one fact of the core while it comes and goes. Returns the unsubscribe function. */
function followCore<T extends string | number | boolean>(options: FollowOptions<T>): () => void {
  const { core, on, onChange, after } = options;
  let last: T | null = null;
  let cancel: (() => void) | null = null;
  let looking = false;
  let again = false;
  let isOver = false;

  const report = (found: T | null): void => {
    if (isOver || found === last) return;
    last = found;
    onChange(found);
  };

  async function look(): Promise<void> {
    looking = true;
    again = false;
    const found = await orNull(options.look);
    looking = false;
    report(core.state().kind === 'ready' ? found : null);
    if (again && !isOver) soon();
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
  const stopStates = core.onState((state) => (state.kind === 'ready' ? soon() : report(null)));
  if (core.state().kind === 'ready') soon();
  return () => {
    isOver = true;
    stopEvents();
    stopStates();
    cancel?.();
  };
}

async function orNull<T>(look: () => Promise<T | null>): Promise<T | null> {
  try {
    return await look();
  } catch (failure) {
    // A core that ends while it is asked changes its state by itself.
    if (failure instanceof AppError) return null;
    throw failure;
  }
}

export type WaitingCountOptions = Pick<FollowOptions<number>, 'core' | 'onChange' | 'after'>;

/** Follows how many changes wait for a decision; null while it is unknown. Returns the unsubscribe function. */
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

export type WatchFrozenOptions = Pick<FollowOptions<boolean>, 'core' | 'onChange' | 'after'>;

/** Follows whether all agents are frozen; null while it is unknown. Returns the unsubscribe function. */
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

export type WatchMissionOptions = Pick<FollowOptions<boolean>, 'core' | 'onChange' | 'after'>;

/** Follows whether a mission runs in the core of training; null while it is unknown. Returns the unsubscribe function. */
export function watchMission(options: WatchMissionOptions): () => void {
  const { output } = appApi['training.workspace'];
  return followCore({
    ...options,
    // At once: real work holds back from the moment at which a mission begins.
    after: (_delayMs, call) => options.after(0, call),
    on: 'training.changed',
    async look() {
      const found = output.safeParse(await options.core.ask('app', 'training.workspace', {})).data;
      const workspace = found?.workspace ?? null;
      return workspace?.kind === 'mission' && workspace.phase === 'running';
    },
  });
}

export interface WatchProfileOptions {
  core: Pick<CoreSupervisor, 'state' | 'onState' | 'onEvent' | 'ask'>;
  /** Gets the active profile whenever it may be another, or null while it is unknown. */
  onChange(profile: ProfileView | null): void;
}

/** Follows which profile is active. Returns the unsubscribe function. */
export function watchProfile({ core, onChange }: WatchProfileOptions): () => void {
  let asked = 0;

  async function look(): Promise<void> {
    const mine = ++asked;
    const profile = await profileOf(core);
    // A later question has the newer answer.
    if (mine === asked) onChange(profile);
  }

  function forget(): void {
    asked += 1;
    onChange(null);
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
    // A core that ends while it is asked changes its state by itself.
    if (failure instanceof AppError) return null;
    throw failure;
  }
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
    return state !== undefined && isUndecided(state);
  } catch (failure) {
    if (failure instanceof AppError) return false;
    throw failure;
  }
}
