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
import { shownFormats } from '#shared/lib/shown-formats.ts';
import type { MissionId, MissionPlan } from '#shared/training/index.ts';
import type { planMission } from '#shared/training/plan/index.ts';
import { createHome } from './home.ts';
import { type Mission, openMission } from './mission/mission.ts';
import { practiceHandlers } from './practice/handlers.ts';
import { createPractice, type Practice } from './practice/practice.ts';
import {
  createClosing,
  type OpenWorkspaceCore,
  refusedData,
  refusedHandlers,
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
  const closing = createClosing<Opened>({ clock, logger });
  const changed = (): void => emit({ kind: 'training.changed' });

  function current(): Opened {
    if (opened === null) throw new AppError('no_workspace');
    return opened;
  }

  /** Workspace that answers a page: the open one, or for a moment the one before. */
  const answering = (): Opened => opened ?? closing.last() ?? current();
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
    await assertClosed();
    if (mission !== null) home.trainee();
    const workspace = await workspaces.create({ kind: mission === null ? 'practice' : 'mission', mission });
    try {
      return await begin(workspace);
    } catch (failure) {
      workspaces.remove();
      throw failure;
    }
  }

  async function assertClosed(): Promise<void> {
    if (opened !== null) throw new AppError('workspace_open');
    await closing.now();
  }

  /** Keeps the folder: what is open can be resumed. Its page is answered a little longer; then `closed` is called. */
  async function close(closed = (): void => {}): Promise<void> {
    if (opened === null) return;
    const left = opened;
    opened = null;
    left.stopEvents();
    left.workspace.relay.end();
    const stopped = (left.kind === 'mission' ? left.mission : left.practice).dispose();
    closing.later(left, async () => {
      await stopped;
      await left.workspace.dispose();
      closed();
    });
    await stopped;
  }

  async function closeNow(): Promise<void> {
    await close();
    await closing.now();
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
    const closed = close(() => workspaces.remove());
    changed();
    await closed;
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

  function practiceIn(now: Opened): { practice: Practice; workspace: Workspace } {
    if (now.kind !== 'practice') throw new AppError('workspace_kind');
    return now;
  }
  const practiceNow = (): ReturnType<typeof practiceIn> => practiceIn(current());

  async function replace(by: StoredState | null): Promise<void> {
    practiceNow();
    try {
      await begin(await workspaces.replace(by, closeNow));
    } catch (failure) {
      // It may be closed by now: pages look again.
      changed();
      throw failure;
    }
  }

  const own = {
    ...refusedHandlers(() => new AppError(opened === null ? 'no_workspace' : 'workspace_kind')),
    ...refusedData(),
    ...home.handlers,
    ...practiceHandlers({
      current: practiceNow,
      shown: () => practiceIn(answering()).practice,
      replace,
      store,
      inTurn,
      folder: workspacesFolder,
      clock,
      ids,
      onChange: changed,
    }),
    'session.get': async () => {
      const serviceAheadMs = opened?.workspace.serviceClock.aheadMs ?? 0;
      const formats = shownFormats();
      return { version, host, profile: profile(), formats, ...(serviceAheadMs !== 0 && { serviceAheadMs }) };
    },
    'training.workspace': async () => ({ workspace: viewNow(), formats: shownFormats() }),
    'training.startMission': ({ mission }) => inTurn(() => start(mission)),
    'training.startPractice': () => inTurn(() => start(null)),
    'training.resume': () =>
      inTurn(async () => {
        await assertClosed();
        return begin(await workspaces.reopen());
      }),
    'training.discard': () =>
      inTurn(async () => {
        await assertClosed();
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
    handlers: { ...forwardedHandlers(() => answering().workspace.core), ...checkedHandlers(own) },
    subscribe,
    confirmation: forwardedPort(() => current().workspace.core),
    suspend: () => opened?.workspace.core.suspend(),
    resume: () => opened?.workspace.core.resume(),
    profile,
    serviceUrl: () => opened?.workspace.core.info.serviceUrl ?? '',
    dispose: () => inTurn(closeNow),
  };
}
