import type { Clock } from '#core/platform/clock.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { SerialQueue } from '#shared/lib/serial-queue.ts';
import type { StoredState, TrainingStore } from '#core/store/training/index.ts';
import type { AppEvent, ProfileView, WorkspaceView } from '#shared/app-api/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { MissionId, MissionPlan } from '#shared/training/index.ts';
import type { planMission } from '#shared/training/plan/index.ts';
import { traineeIn } from './home.ts';
import { type Mission, openMission } from './mission/mission.ts';
import { createPractice, type Practice } from './practice/practice.ts';
import { createClosing, type WorkspaceService } from './workspace-core.ts';
import type { Workspace, Workspaces } from './workspaces.ts';
import type { Formats } from '#shared/lib/formats.ts';

type Activity = { kind: 'mission'; mission: Mission } | { kind: 'practice'; practice: Practice };

export type OpenWorkspace = Activity & { workspace: Workspace; stopEvents(): void };

/** Opens and closes the workspace, of which at most one is open. The caller must not run two changes at once. */
export interface WorkspaceLife {
  open(): OpenWorkspace | null;
  /** Fails with `no_workspace`. */
  current(): OpenWorkspace;
  /** The open workspace, or for a short time after closing the previous workspace. Fails with `no_workspace`. */
  answering(): OpenWorkspace;
  view(): WorkspaceView | null;
  viewNow(): WorkspaceView;
  /** With null, starts free practice. Fails with `workspace_open`, `trainee_missing`, or as the core of the workspace does. */
  start(mission: MissionId | null): Promise<WorkspaceView>;
  /** Fails with `workspace_open`, or as {@link Workspaces.reopen} does. */
  resume(): Promise<WorkspaceView>;
  /** Reopens free practice from a saved state, or from the beginning for null. Fails as {@link Workspaces.replace} does. */
  replace(by: StoredState | null): Promise<void>;
  /** Judges the open mission and removes its workspace. Does nothing if the mission has ended. */
  finish(): Promise<void>;
  leave(): Promise<void>;
  /** Resolves when no workspace is open or closing. Fails with `workspace_open`. */
  assertClosed(): Promise<void>;
  close(): Promise<void>;
}

export interface WorkspaceLifeOptions {
  workspaces: Workspaces;
  store: TrainingStore;
  formats(): Formats;
  planMission: typeof planMission;
  profile: ProfileView;
  version: string;
  inTurn: SerialQueue;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  emit(event: AppEvent): void;
}

export function createWorkspaceLife(options: WorkspaceLifeOptions): WorkspaceLife {
  const { workspaces, store, formats, version, inTurn, clock, ids, logger, emit } = options;
  const closing = createClosing<OpenWorkspace>({ clock, logger });
  let opened: OpenWorkspace | null = null;
  let ended: WorkspaceView | null = null;
  const changed = (): void => emit({ kind: 'training.changed' });

  function current(): OpenWorkspace {
    if (opened === null) throw new AppError('no_workspace');
    return opened;
  }

  function view(): WorkspaceView | null {
    if (opened === null) return ended;
    return opened.kind === 'mission' ? opened.mission.view() : { kind: 'practice' };
  }

  function viewNow(): WorkspaceView {
    const now = view();
    if (now === null) throw new AppError('no_workspace');
    return now;
  }

  /** Ignores failures: a disk that cannot store the time must not stop a person. */
  function keepLastOpen(): void {
    try {
      const stored = store.workspace.find();
      if (stored !== null) store.workspace.keep({ ...stored, atMs: clock.nowMs() });
    } catch (failure) {
      logger.warn({ failure }, 'The time at which a workspace was open could not be kept');
    }
  }

  async function begin(workspace: Workspace): Promise<WorkspaceView> {
    try {
      const activity = await activityIn(workspace);
      opened = { workspace, ...activity, stopEvents: workspace.core.subscribe(emit) };
    } catch (failure) {
      await workspace.dispose();
      throw failure;
    }
    ended = null;
    keepLastOpen();
    changed();
    return viewNow();
  }

  async function activityIn(workspace: Workspace): Promise<Activity> {
    const { mission: id } = workspace.stored;
    if (id === null) {
      const practice = createPractice({ workspace, store, version, clock, logger, formats, emit });
      return { kind: 'practice', practice };
    }
    const mission = await openMission({
      workspace,
      version,
      clock,
      logger,
      record: store.missionRecord(workspace.stored.id),
      plan: (service) => planOf(id, service, options),
      name: traineeIn(store),
      onChange: changed,
      onOver: () => {
        inTurn(finish).catch((failure: unknown) => logger.error({ failure }, 'A mission could not end'));
      },
    });
    return { kind: 'mission', mission };
  }

  async function start(mission: MissionId | null): Promise<WorkspaceView> {
    await assertClosed();
    if (mission !== null) traineeIn(store);
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

  /** Answers pages a little longer, then closes the workspace and calls `closed`. */
  async function closeLater(closed = (): void => {}): Promise<void> {
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
    keepLastOpen();
  }

  async function close(): Promise<void> {
    await closeLater();
    await closing.now();
  }

  async function finish(): Promise<void> {
    if (opened?.kind !== 'mission') return;
    const { mission } = opened;
    const attempt = await mission.end(ids.id());
    store.transaction(() => {
      store.attempts.add(attempt);
      store.workspace.forget();
    });
    ended = { ...mission.view(), phase: 'over', attempt: attempt.attempt.id };
    const closed = closeLater(() => workspaces.remove());
    changed();
    await closed;
  }

  return {
    open: () => opened,
    current,
    answering: () => opened ?? closing.last() ?? current(),
    view,
    viewNow,
    start,
    async resume() {
      await assertClosed();
      return begin(await workspaces.reopen());
    },
    async replace(by) {
      try {
        await begin(await workspaces.replace(by, close));
      } catch (failure) {
        changed();
        throw failure;
      }
    },
    finish,
    async leave() {
      viewNow();
      await closeLater();
      ended = null;
      changed();
    },
    assertClosed,
    close,
  };
}

function planOf(
  mission: MissionId,
  service: WorkspaceService,
  { planMission, profile: { zone }, clock, ids }: WorkspaceLifeOptions,
): MissionPlan {
  const seed = Buffer.from(ids.secret(), 'base64url').readUInt32BE(0);
  const { date } = serviceDay(clock.nowMs(), zone);
  return planMission(mission, seed, { ...service.buyersCampaigns(), day: { date, zone } });
}
