import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkedHandlers } from '#core/platform/checked-handlers.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import { createEventBus } from '#core/platform/event-bus.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import { createSerialQueue, type SerialQueue } from '#shared/lib/serial-queue.ts';
import { copyWorkspace, type StoredState, type TrainingStore } from '#core/store/training/index.ts';
import {
  type AppEvent,
  type AppHandlers,
  type AppOutput,
  handlersBy,
  handlersTo,
  type PracticeView,
  type ProfileView,
  trainingApi,
} from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { type ConfirmationPort, type Confirmer, portTo } from '#shared/host-api/index.ts';
import { type Formats, type ShownFormats, formatsOf } from '#shared/lib/formats.ts';
import type { planMission } from '#shared/training/plan/index.ts';
import { createHome, createResultKey } from './home.ts';
import { unfinishedAttempt } from './mission/debriefing.ts';
import type { Mission } from './mission/mission.ts';
import type { Practice } from './practice/practice.ts';
import { type OpenWorkspaceCore, refusedData } from './workspace-core.ts';
import { createWorkspaceLife, type OpenWorkspace, type WorkspaceLife } from './workspace-life.ts';
import { createWorkspaces, type Workspace } from './workspaces.ts';

export { checkResult, type ResultCheck } from './home.ts';

export interface Training extends AsyncDisposable {
  handlers: AppHandlers;
  subscribe(listener: (event: AppEvent) => void): () => void;
  confirmation: ConfirmationPort;
  suspend(): void;
  resume(): void;
  profile(): ProfileView;
  /** `{base_url}` of the workspace's embedded service; empty if none is open. */
  serviceUrl(): string;
}

export interface TrainingOptions {
  version: string;
  host: AppOutput<'session.get'>['host'];
  folder: string;
  store: TrainingStore;
  confirmer: Confirmer;
  openCore: OpenWorkspaceCore;
  followedFormats(): ShownFormats;
  planMission: typeof planMission;
  profile: ProfileView;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}

export function createTraining(options: TrainingOptions): Training {
  const { store, version, host, confirmer, openCore: openWorkspaceCore, followedFormats } = options;
  const { planMission: makePlan, clock, ids, logger } = options;
  const folder = join(options.folder, 'workspaces');
  const { emit, subscribe } = createEventBus<AppEvent>(logger);
  const key = createResultKey(store);
  const workspaces = createWorkspaces({
    folder,
    store,
    confirmer,
    openCore: openWorkspaceCore,
    clock,
    ids,
    logger,
    onRemove({ id }) {
      const end = { id: ids.id(), endedAtMs: clock.nowMs() };
      const unfinished = unfinishedAttempt(store.missionRecord(id), end);
      if (unfinished !== null) store.attempts.add(unfinished);
    },
  });
  const inTurn = createSerialQueue();
  const formats = (): Formats => formatsOf(followedFormats(), options.profile.zone);
  const life = createWorkspaceLife({
    workspaces,
    store,
    formats,
    planMission: makePlan,
    profile: options.profile,
    version,
    inTurn,
    clock,
    ids,
    logger,
    emit,
  });
  const isOpen = (): boolean => life.open() !== null;
  const home = createHome({ store, key, workspaces, isOpen, clock, formats });
  const openCore = () => life.open()?.workspace.core;
  const profile = (): ProfileView => openCore()?.info.profile() ?? options.profile;
  const own = {
    ...handlersBy(trainingApi, () =>
      Promise.reject(new AppError(isOpen() ? 'workspace_kind' : 'no_workspace')),
    ),
    ...refusedData(),
    ...home.handlers,
    ...practiceHandlers({ life, store, inTurn, folder, clock, ids, emit }),
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

type PracticeRequest = Extract<keyof AppHandlers, `practice.${string}`>;

interface PracticeHandlerOptions {
  life: WorkspaceLife;
  store: TrainingStore;
  inTurn: SerialQueue;
  folder: string;
  clock: Clock;
  ids: Ids;
  emit(event: AppEvent): void;
}

const maxStates = 10;

function practiceHandlers(options: PracticeHandlerOptions): Pick<AppHandlers, PracticeRequest> {
  const { life, store, inTurn, folder, clock, ids, emit } = options;
  const current = () => practiceIn(life.current());
  const view = (): PracticeView => current().practice.view();

  const acting =
    <Input>(act: (practice: Practice, input: Input) => void | Promise<void>) =>
    (input: Input): Promise<PracticeView> =>
      inTurn(async () => {
        await act(current().practice, input);
        emit({ kind: 'training.changed' });
        return view();
      });

  function save(name: string): void {
    const { workspace } = current();
    const isOther = store.states.find(name) === null;
    if (isOther && store.states.all().length >= maxStates) throw new AppError('practice_states_full');
    const state = { name, folder: ids.id(), atMs: clock.nowMs(), aheadMs: workspace.serviceClock.aheadMs };
    copyWorkspace(workspace.folder, join(folder, state.folder));
    store.states.keep(state);
  }

  function stateOf(name: string): StoredState {
    const state = store.states.find(name);
    const hasCopy = state !== null && existsSync(join(folder, state.folder));
    if (!hasCopy) throw new AppError('practice_state_unknown');
    return state;
  }

  return {
    'practice.get': async () => practiceIn(life.answering()).practice.view(),
    'practice.forward': acting((practice, input) => practice.forward(input)),
    'practice.setBalance': acting((practice, input) => practice.setBalance(input)),
    'practice.arm': acting((practice, input) => practice.arm(input)),
    'practice.disarm': acting((practice, input) => practice.disarm(input)),
    'practice.edit': acting((practice, input) => practice.edit(input)),
    'practice.startAgent': acting((practice, input) => practice.startAgent(input)),
    'practice.stopAgent': acting((practice) => practice.stopAgent()),
    'practice.save': acting((_practice, { name }) => save(name)),
    'practice.return': acting((_practice, { name }) => life.replace(stateOf(name))),
    'practice.reset': acting(() => life.replace(null)),
  };
}
