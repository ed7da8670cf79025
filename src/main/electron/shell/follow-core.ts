import {
  appApi,
  type AppEvent,
  profileSchema,
  type ProfileView,
  statusSchema,
  proposalSchema,
} from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { CoreSupervisor } from '../core-link/supervisor.ts';
import { isUndecided } from '#shared/proposals/states.ts';

const gatherMs = 250;

export interface WatchOptions<T> {
  core: Pick<CoreSupervisor, 'state' | 'onState' | 'onEvent' | 'ask'>;
  onChange: (found: T) => void;
  after: (delayMs: number, call: () => void) => () => void;
}

function followCore<T extends number | boolean>(
  { core, onChange, after }: WatchOptions<T | null>,
  on: AppEvent['kind'],
  ask: () => Promise<T | null>,
): () => void {
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
    const found = await orNull(ask);
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

async function orNull<T>(ask: () => Promise<T | null>): Promise<T | null> {
  try {
    return await ask();
  } catch (failure) {
    // The core ended during the request; its state change is reported separately.
    if (failure instanceof AppError) return null;
    throw failure;
  }
}

export function watchWaitingCount(options: WatchOptions<number | null>): () => void {
  return followCore(options, 'proposals.changed', async () => {
    const answer = await options.core.ask('app', 'session.status', {});
    return statusSchema.safeParse(answer).data?.waiting ?? null;
  });
}

export function watchFrozen(options: WatchOptions<boolean | null>): () => void {
  const { output } = appApi['agents.get'];
  return followCore(options, 'agents.changed', async () => {
    // The status request would also ask the service, which may be unreachable.
    const found = output.safeParse(await options.core.ask('app', 'agents.get', {})).data;
    return found === undefined ? null : found.frozenSinceMs !== null;
  });
}

export function watchMission({ core, onChange, after }: WatchOptions<boolean | null>): () => void {
  const { output } = appApi['training.workspace'];
  // Without delay: real confirmations must be withheld from the moment a mission begins.
  const atOnce: typeof after = (_delayMs, call) => after(0, call);
  return followCore({ core, onChange, after: atOnce }, 'training.changed', async () => {
    const found = output.safeParse(await core.ask('app', 'training.workspace', {})).data;
    const workspace = found?.workspace ?? null;
    return workspace?.kind === 'mission' && workspace.phase === 'running';
  });
}

export function watchProfile({
  core,
  onChange,
}: Omit<WatchOptions<ProfileView | null>, 'after'>): () => void {
  let asked = 0;

  async function look(): Promise<void> {
    const mine = ++asked;
    const profile = await profileOf(core);
    // A newer request has the newer answer.
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

function profileOf(core: Pick<CoreSupervisor, 'ask'>): Promise<ProfileView | null> {
  return orNull(async () => {
    const session = (await core.ask('app', 'session.get', {})) as { profile?: unknown } | null;
    return profileSchema.safeParse(session?.profile).data ?? null;
  });
}

const rememberedCount = 1_000;

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
    const found = await orNull(async () =>
      proposalSchema.safeParse(await core.ask('app', 'proposals.get', { id })),
    );
    const state = found?.data?.state;
    if (state !== undefined && isUndecided(state)) onNew();
  }
  return core.onEvent((event) => {
    if (event.kind === 'proposals.changed') void meet(event.id);
  });
}
