import { join } from 'node:path';
import { checkedHandlers } from '#core/platform/checked-handlers.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import { createEventBus } from '#core/platform/event-bus.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import { forwardedHandlers, forwardedPort } from '#core/platform/forwarded-core.ts';
import { createSerialQueue } from '#core/platform/serial-queue.ts';
import type { StoredState, TrainingStore } from '#core/store/training/index.ts';
import type {
  AppEvent,
  AppHandlers,
  AppOutput,
  ProfileView,
  TrainingHome,
  WorkspaceView,
} from '#shared/app-api/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { ConfirmationPort, Confirmer } from '#shared/host-api/index.ts';
import type { MissionId, MissionPlan } from '#shared/training/index.ts';
import type { planMission } from '#shared/training/plan/index.ts';
import { createHome } from './home.ts';
import { type Mission, openMission } from './mission/mission.ts';
import { practiceHandlers } from './practice/handlers.ts';
import { createPractice, type Practice } from './practice/practice.ts';
import {
  type OpenWorkspaceCore,
  refusedHandlers,
  type WorkspaceCore,
  type WorkspaceService,
} from './workspace-core.ts';
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
  planMission: typeof planMission;
  /** The profile that every workspace has, before its service has named the account. */
  profile: ProfileView;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}

/** A workspace that is open, with what goes on in it. */
type Opened = { workspace: Workspace; stopEvents(): void } & (
  { kind: 'mission'; mission: Mission } | { kind: 'practice'; practice: Practice }
);

export function createTraining(options: TrainingOptions): Training {
  const { folder, store, version, host, clock, ids, logger } = options;
  const { emit, subscribe } = createEventBus<AppEvent>(logger);
  const workspacesFolder = join(folder, 'workspaces');
  const workspaces = createWorkspaces({ ...options, folder: workspacesFolder });
  const inTurn = createSerialQueue();
  let opened: Opened | null = null;
  /** The mission that ended last, until the person goes on; its workspace is gone. */
  let ended: WorkspaceView | null = null;
  const home = createHome({ store, workspaces, isOpen: () => opened !== null, clock });
  const changed = (): void => emit({ kind: 'training.changed' });

  function current(): Opened {
    if (opened === null) throw new AppError('no_workspace');
    return opened;
  }

  const core = (): WorkspaceCore => current().workspace.core;
  const profile = (): ProfileView => opened?.workspace.core.info.profile() ?? options.profile;

  function viewNow(): WorkspaceView | null {
    if (opened === null) return ended;
    return opened.kind === 'mission' ? opened.mission.view() : { kind: 'practice' };
  }

  function view(): WorkspaceView {
    const now = viewNow();
    if (now === null) throw new AppError('no_workspace');
    return now;
  }

  function planOf(mission: MissionId, service: WorkspaceService): MissionPlan {
    const seed = Buffer.from(ids.secret(), 'base64url').readUInt32BE(0);
    const { zone } = options.profile;
    const { date } = serviceDay(clock.nowMs(), zone);
    return options.planMission(mission, seed, { ...service.buyersCampaigns(), day: { date, zone } });
  }

  /** Opens what the workspace is for. Closes it again when that fails. */
  async function begin(workspace: Workspace): Promise<WorkspaceView> {
    const { mission: id } = workspace.stored;
    try {
      const activity = await activityOf(id, workspace);
      opened = { workspace, ...activity, stopEvents: workspace.core.subscribe(emit) };
    } catch (failure) {
      await workspace.dispose();
      throw failure;
    }
    ended = null;
    changed();
    return view();
  }

  async function activityOf(
    id: MissionId | null,
    workspace: Workspace,
  ): Promise<{ kind: 'mission'; mission: Mission } | { kind: 'practice'; practice: Practice }> {
    if (id === null) {
      return {
        kind: 'practice',
        practice: createPractice({ workspace, store, version, clock, logger, emit }),
      };
    }
    const mission = await openMission({
      workspace,
      plan: (service) => planOf(id, service),
      name: home.trainee(),
      version,
      clock,
      logger,
      onChange: changed,
      onOver: () => {
        inTurn(finish).catch((failure: unknown) => logger.error({ failure }, 'A mission could not end'));
      },
    });
    return { kind: 'mission', mission };
  }

  async function start(mission: MissionId | null): Promise<WorkspaceView> {
    assertClosed();
    if (mission !== null) home.trainee();
    const workspace = await workspaces.create({ kind: mission === null ? 'practice' : 'mission', mission });
    try {
      return await begin(workspace);
    } catch (failure) {
      workspaces.remove();
      throw failure;
    }
  }

  function assertClosed(): void {
    if (opened !== null) throw new AppError('workspace_open');
  }

  /** Keeps the folder: what is open can be resumed. */
  async function close(): Promise<void> {
    if (opened === null) return;
    const { workspace, stopEvents } = opened;
    const activity = opened;
    opened = null;
    stopEvents();
    await (activity.kind === 'mission' ? activity.mission : activity.practice).dispose();
    await workspace.dispose();
  }

  /** Judges the mission that is open, and removes its workspace. Does nothing where it has ended. */
  async function finish(): Promise<void> {
    if (opened?.kind !== 'mission') return;
    const { mission } = opened;
    const attempt = await mission.end(ids.id());
    store.transaction(() => {
      store.attempts.add(attempt);
      store.workspace.forget();
    });
    ended = { ...mission.view(), phase: 'over', attempt: attempt.attempt.id };
    const closed = close();
    changed();
    await closed;
    workspaces.remove();
  }

  async function leave(): Promise<TrainingHome> {
    if (viewNow() === null) throw new AppError('no_workspace');
    await close();
    ended = null;
    changed();
    return home.read();
  }

  function missionNow(): Mission {
    const now = current();
    if (now.kind !== 'mission') throw new AppError('workspace_kind');
    return now.mission;
  }

  function practiceNow(): { practice: Practice; workspace: Workspace } {
    const now = current();
    if (now.kind !== 'practice') throw new AppError('workspace_kind');
    return now;
  }

  async function replace(by: StoredState | null): Promise<void> {
    practiceNow();
    try {
      await begin(await workspaces.replace(by, close));
    } catch (failure) {
      // It may be closed by now: pages look again.
      changed();
      throw failure;
    }
  }

  const own = {
    ...refusedHandlers(() => new AppError(opened === null ? 'no_workspace' : 'workspace_kind')),
    ...home.handlers,
    ...practiceHandlers({
      current: practiceNow,
      replace,
      store,
      inTurn,
      folder: workspacesFolder,
      clock,
      ids,
      onChange: changed,
    }),
    'session.get': async () => ({ version, host, profile: profile() }),
    'training.workspace': async () => ({ workspace: viewNow() }),
    'training.startMission': ({ mission }) => inTurn(() => start(mission)),
    'training.startPractice': () => inTurn(() => start(null)),
    'training.resume': () =>
      inTurn(async () => {
        assertClosed();
        return begin(await workspaces.reopen());
      }),
    'training.discard': () =>
      inTurn(async () => {
        assertClosed();
        workspaces.remove();
        return home.read();
      }),
    'training.begin': () =>
      inTurn(async () => {
        missionNow().begin();
        return view();
      }),
    'training.finish': () =>
      inTurn(async () => {
        missionNow();
        await finish();
        return view();
      }),
    'training.leave': () => inTurn(leave),
  } satisfies Partial<AppHandlers>;

  return {
    handlers: { ...forwardedHandlers(core), ...checkedHandlers(own) },
    subscribe,
    confirmation: forwardedPort(core),
    suspend: () => opened?.workspace.core.suspend(),
    resume: () => opened?.workspace.core.resume(),
    profile,
    serviceUrl: () => opened?.workspace.core.info.serviceUrl ?? '',
    dispose: () => inTurn(close),
  };
}
