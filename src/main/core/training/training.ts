import { join } from 'node:path';
import { checkedHandlers } from '#core/platform/checked-handlers.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import { createEventBus } from '#core/platform/event-bus.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import { createSerialQueue } from '#core/platform/serial-queue.ts';
import type { TrainingStore } from '#core/store/training/index.ts';
import {
  type AppEvent,
  type AppHandlers,
  type AppOutput,
  type AppRequest,
  appRequestNames,
  type ProfileView,
  trainingApi,
  type WorkspaceView,
} from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { ConfirmationPort, Confirmer } from '#shared/host-api/index.ts';
import { createHome } from './home.ts';
import type { OpenWorkspaceCore, WorkspaceCore } from './workspace-core.ts';
import { createWorkspaces, type Workspace } from './workspaces.ts';

/** Training as a host serves it: its own requests, and those of the workspace that is open. */
export interface Training extends AsyncDisposable {
  handlers: AppHandlers;
  subscribe(listener: (event: AppEvent) => void): () => void;
  confirmation: ConfirmationPort;
  suspend(): void;
  resume(): void;
  profile(): ProfileView;
  /** `{base_url}` of the workspace's embedded service; empty while none is open. */
  serviceUrl(): string;
}

export interface TrainingOptions extends Pick<AppOutput<'session.get'>, 'version' | 'host'> {
  /** The data folder of training. */
  folder: string;
  store: TrainingStore;
  confirmer: Confirmer;
  openCore: OpenWorkspaceCore;
  /** The name of the profile that every workspace has. */
  profileName: string;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}

/** A workspace that is open, and what is going on in it. */
interface Opened {
  workspace: Workspace;
  view(): WorkspaceView;
  stopEvents(): void;
}

export function createTraining(options: TrainingOptions): Training {
  const { folder, store, version, host, profileName, clock, logger } = options;
  const { emit, subscribe } = createEventBus<AppEvent>(logger);
  const workspaces = createWorkspaces({ ...options, folder: join(folder, 'workspaces') });
  const inTurn = createSerialQueue();
  let opened: Opened | null = null;
  const home = createHome({ store, workspaces, isOpen: () => opened !== null, clock });

  const changed = (): void => emit({ kind: 'training.changed' });

  function core(): WorkspaceCore {
    if (opened === null) throw new AppError('no_workspace');
    return opened.workspace.core;
  }

  function profile(): ProfileView {
    const nobody: ProfileView = { id: 'demo', name: profileName, kind: 'demo', account: '', zone: 'UTC' };
    return opened?.workspace.core.info.profile() ?? nobody;
  }

  function assertClosed(): void {
    if (opened !== null) throw new AppError('workspace_open');
  }

  function open(workspace: Workspace): WorkspaceView {
    const now: Opened = {
      workspace,
      view: () => ({ kind: 'practice' }),
      stopEvents: workspace.core.subscribe(emit),
    };
    opened = now;
    changed();
    return now.view();
  }

  async function close(): Promise<void> {
    if (opened === null) return;
    const { workspace, stopEvents } = opened;
    opened = null;
    stopEvents();
    await workspace.dispose();
  }

  const refuse = (): Promise<never> =>
    Promise.reject(new AppError(opened === null ? 'no_workspace' : 'workspace_kind'));
  const own = {
    ...refusals(refuse),
    ...home.handlers,
    'session.get': async () => ({ version, host, profile: profile() }),
    'training.startPractice': () =>
      inTurn(async () => {
        assertClosed();
        return open(await workspaces.create({ kind: 'practice', mission: null }));
      }),
    'training.resume': () =>
      inTurn(async () => {
        assertClosed();
        return open(await workspaces.reopen());
      }),
    'training.discard': () =>
      inTurn(async () => {
        assertClosed();
        workspaces.remove();
        return home.read();
      }),
    'training.workspace': async () => ({ workspace: opened?.view() ?? null }),
    'training.leave': () =>
      inTurn(async () => {
        if (opened === null) throw new AppError('no_workspace');
        await close();
        changed();
        return home.read();
      }),
  } satisfies Partial<AppHandlers>;

  return {
    handlers: { ...forwarded(core), ...checkedHandlers(own as Partial<AppHandlers> as AppHandlers) },
    subscribe,
    confirmation: portOf(core),
    suspend: () => opened?.workspace.core.suspend(),
    resume: () => opened?.workspace.core.resume(),
    profile,
    serviceUrl: () => opened?.workspace.core.info.serviceUrl ?? '',
    dispose: () => inTurn(close),
  };
}

/** Every request goes to the core of the workspace, which checks it. */
function forwarded(core: () => WorkspaceCore): AppHandlers {
  const forward = (name: AppRequest) => async (input: unknown) => {
    const handler = core().handlers[name] as (input: unknown) => Promise<unknown>;
    return handler(input);
  };
  return Object.fromEntries(appRequestNames.map((name) => [name, forward(name)])) as unknown as AppHandlers;
}

function refusals(refuse: () => Promise<never>): Pick<AppHandlers, keyof typeof trainingApi> {
  const names = Object.keys(trainingApi);
  return Object.fromEntries(names.map((name) => [name, refuse])) as unknown as Pick<
    AppHandlers,
    keyof typeof trainingApi
  >;
}

/** The port of the workspace that is open. Without one no showing is known. */
function portOf(core: () => WorkspaceCore): ConfirmationPort {
  return {
    seen: (seen) => core().confirmation.seen(seen),
    look: (seen) => core().confirmation.look(seen),
    picture: async (ask) => core().confirmation.picture(ask),
    decide: async (decision) => core().confirmation.decide(decision),
    prepareAgain: async (seen) => core().confirmation.prepareAgain(seen),
    undo: async (seen) => core().confirmation.undo(seen),
    turn: async (turn) => core().confirmation.turn(turn),
    putAway: (seen) => core().confirmation.putAway(seen),
  };
}
