import { join } from 'node:path';
import { checkedHandlers } from '#core/platform/checked-handlers.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import { createEventBus } from '#core/platform/event-bus.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import { createSerialQueue } from '#shared/lib/serial-queue.ts';
import type { TrainingStore } from '#core/store/training/index.ts';
import {
  type AppEvent,
  type AppHandlers,
  type AppOutput,
  handlersTo,
  type ProfileView,
} from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { type ConfirmationPort, type Confirmer, portTo } from '#shared/host-api/index.ts';
import { formatsOf, type ShownFormats } from '#shared/lib/shown-formats.ts';
import type { planMission } from '#shared/training/plan/index.ts';
import { createHome } from './home.ts';
import { unfinishedAttempt } from './mission/debriefing.ts';
import type { Mission } from './mission/mission.ts';
import { practiceHandlers } from './practice/handlers.ts';
import type { Practice } from './practice/practice.ts';
import { createResultKey } from './results.ts';
import { type OpenWorkspaceCore, refusedData, refusedHandlers } from './workspace-core.ts';
import { createWorkspaceLife, type OpenWorkspace } from './workspace-life.ts';
import { createWorkspaces, type Workspace } from './workspaces.ts';
import type { Formats } from '#shared/lib/formats.ts';

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
  /** How the real app writes numbers and moments at this time. */
  followedFormats(): ShownFormats;
  planMission: typeof planMission;
  /** The profile that every workspace has, before its service has named the account. */
  profile: ProfileView;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}

export function createTraining(options: TrainingOptions): Training {
  const { folder: trainingFolder, store, version, host, followedFormats, clock, ids, logger } = options;
  const folder = join(trainingFolder, 'workspaces');
  const { emit, subscribe } = createEventBus<AppEvent>(logger);
  const key = createResultKey(store);
  const workspaces = createWorkspaces({
    ...options,
    folder,
    onRemove({ id }) {
      const end = { id: ids.id(), endedAtMs: clock.nowMs() };
      const unfinished = unfinishedAttempt(store.missionRecord(id), end);
      if (unfinished !== null) store.attempts.add(unfinished);
    },
  });
  const inTurn = createSerialQueue();
  const formats = (): Formats => formatsOf(followedFormats(), options.profile.zone);
  const life = createWorkspaceLife({ ...options, workspaces, inTurn, emit, formats });
  const isOpen = (): boolean => life.open() !== null;
  const home = createHome({ store, key, workspaces, isOpen, clock, formats });
  const openCore = () => life.open()?.workspace.core;
  const profile = (): ProfileView => openCore()?.info.profile() ?? options.profile;
  const own = {
    ...refusedHandlers(() => new AppError(isOpen() ? 'workspace_kind' : 'no_workspace')),
    ...refusedData(),
    ...home.handlers,
    ...practiceHandlers({
      current: () => practiceIn(life.current()),
      shown: () => practiceIn(life.answering()).practice,
      async replace(by) {
        practiceIn(life.current());
        await life.replace(by);
      },
      store,
      inTurn,
      folder,
      clock,
      ids,
      onChange: () => emit({ kind: 'training.changed' }),
    }),
    'session.get': async () => {
      const serviceAheadMs = life.open()?.workspace.serviceClock.aheadMs ?? 0;
      const session = { version, host, profile: profile(), formats: followedFormats() };
      return { ...session, ...(serviceAheadMs !== 0 && { serviceAheadMs }) };
    },
    'training.workspace': async () => ({ workspace: life.view(), formats: followedFormats() }),
    'training.startMission': ({ mission }) => inTurn(() => life.start(mission)),
    'training.startPractice': () => inTurn(() => life.start(null)),
    'training.resume': () => inTurn(life.resume),
    'training.discard': () =>
      inTurn(async () => {
        await life.assertClosed();
        workspaces.remove();
        return home.read();
      }),
    'training.begin': () =>
      inTurn(async () => {
        missionIn(life.current()).begin();
        return life.viewNow();
      }),
    'training.finish': () =>
      inTurn(async () => {
        missionIn(life.current());
        await life.finish();
        return life.viewNow();
      }),
    'training.leave': () =>
      inTurn(async () => {
        await life.leave();
        return home.read();
      }),
  } satisfies Partial<AppHandlers>;
  return {
    handlers: { ...handlersTo(() => life.answering().workspace.core.handlers), ...checkedHandlers(own) },
    subscribe,
    confirmation: portTo(() => life.current().workspace.core.confirmation),
    suspend: () => openCore()?.suspend(),
    resume: () => openCore()?.resume(),
    profile,
    serviceUrl: () => openCore()?.info.serviceUrl ?? '',
    dispose: () => inTurn(life.close),
  };
}

function missionIn(open: OpenWorkspace): Mission {
  if (open.kind !== 'mission') throw new AppError('workspace_kind');
  return open.mission;
}

function practiceIn(open: OpenWorkspace): { practice: Practice; workspace: Workspace } {
  if (open.kind !== 'practice') throw new AppError('workspace_kind');
  return open;
}
