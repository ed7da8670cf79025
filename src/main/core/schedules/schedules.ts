import { pinnedTool, type ToolPins } from '#core/agents/index.ts';
import {
  assertCovered,
  type Connection,
  type Connections,
  type RemoteSignIn,
  remoteSignIn,
} from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Profiles } from '#core/profiles/index.ts';
import {
  commitTool,
  type DueApproval,
  type Gate,
  type AppCommit,
  type TaskOfCall,
} from '#core/proposals/index.ts';
import {
  createTaskTools,
  readRunFile,
  type PreparedTask,
  type TaskList,
} from '#core/service-client/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { AppEvent, AppInput, AppOutput, ExtraScope, SchedulesView } from '#shared/app-api/index.ts';
import type { ScheduledTask } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { createAttribution, dueOf, scheduleView } from './schedule-view.ts';
import { createPauseReturns, type PauseReturns, type PauseReturnsOptions } from './pause-returns.ts';
import { createTaskReader } from './task-reader.ts';
import type { Formats } from '#shared/lib/formats.ts';

export interface Schedules extends AsyncDisposable {
  list(input: AppInput<'schedules.list'>): AppOutput<'schedules.list'>;
  proposeReport(input: AppInput<'schedules.proposeReport'>): Promise<AppOutput<'schedules.proposeReport'>>;
  proposeCancel(input: AppInput<'schedules.proposeCancel'>): Promise<AppOutput<'schedules.proposeCancel'>>;
  pauseReturns: PauseReturns;
  file(input: AppInput<'schedules.file'>): Promise<AppOutput<'schedules.file'>>;
}

export interface SchedulesOptions {
  store: AppStore;
  ledger: PauseReturnsOptions['ledger'];
  returns: PauseReturnsOptions['returns'];
  profiles: Pick<Profiles, 'current' | 'get'>;
  connections: Pick<Connections, 'of' | 'credentialsOf'>;
  pins: Pick<ToolPins, 'compare' | 'find'>;
  gate: Pick<Gate, 'proposeCommit' | 'endDue' | 'proposalsOfTask' | 'proposalOfApproval'>;
  clock: Clock;
  /** The clock by which tasks become due and approvals end. */
  serviceClock: Pick<Clock, 'nowMs' | 'after'>;
  logger: Logger;
  emit(event: AppEvent): void;
  subscribe(listener: (event: AppEvent) => void): () => void;
  formats(): Formats;
}

const neededScopes: readonly ExtraScope[] = ['svc:write', 'offline_access'];

export function createSchedules(options: SchedulesOptions): Schedules {
  const { store, profiles, connections, pins, gate, clock, serviceClock, logger, emit, subscribe, formats } =
    options;
  const { ledger, returns } = options;
  const attribution = createAttribution(store);
  const viewing = { gate, attribution, serviceClock, proposalOf: (id: string) => store.proposals.find(id) };

  const signInOf = (profileId: string): RemoteSignIn => remoteSignIn(connections, profileId, neededScopes);

  async function proposePrepared(
    profileId: string,
    prepare: (connection: Connection) => Promise<{ prepared: PreparedTask; task: TaskOfCall }>,
  ): Promise<AppOutput<'schedules.proposeReport'>> {
    assertCovered(signInOf(profileId));
    const connection = connections.of(profileId);
    const tool = await pinnedTool(pins, connection, commitTool);
    const { prepared, task } = await prepare(connection);
    const { approvalId, fingerprint, endsAtMs, payload, changes } = prepared;
    const approval = { id: approvalId, fingerprint, endsAtMs };
    const proposal = await gate.proposeCommit({
      profileId,
      tool,
      approval,
      payload,
      changes,
      about: { kind: 'task', task },
    });
    if (proposal === null) throw new AppError('approval_invalid');
    return proposal;
  }

  async function proposeDue(profileId: string, due: readonly ScheduledTask[]): Promise<void> {
    const { missing, access } = signInOf(profileId);
    if (due.length === 0 || access !== 'ready' || missing.includes('svc:write')) return;
    const tool = await pinnedTool(pins, connections.of(profileId), commitTool);
    for (const task of due) {
      try {
        await gate.proposeCommit({ profileId, tool, ...commitOf(task) });
      } catch (failure) {
        logger.warn({ failure, task: task.id }, 'A due change could not be proposed');
      }
    }
  }

  const isNew = (profileId: string, task: ScheduledTask): boolean =>
    dueOf(viewing, profileId, task)?.stage === 'unproposed';

  const reader = createTaskReader({
    connections,
    clock,
    serviceClock,
    logger,
    watched() {
      const { id } = profiles.current();
      const { access, granted } = signInOf(id);
      return access === 'ready' && granted.includes('offline_access') ? id : null;
    },
    async onRead(profileId, list) {
      const { tasks } = list;
      try {
        gate.endDue(profileId, (due) => hasEnded(due, list));
        await proposeDue(
          profileId,
          tasks.filter((task) => isNew(profileId, task)),
        );
      } catch (failure) {
        logger.warn({ failure }, 'Due changes could not be proposed');
      }
    },
    onChange: () => emit({ kind: 'schedules.changed' }),
  });

  const pauseReturns = createPauseReturns({
    store,
    ledger,
    returns,
    zoneOf: (profileId) => profiles.get(profileId).zone,
    clock: serviceClock,
    logger,
    emit,
    subscribe,
  });

  const changed = new Set<string>();
  let cancelLook = (): void => {};
  /** Reads again, because a tool call may have created, ended or executed a task. */
  function lookAtChanged(): void {
    const isOfTools = [...changed].some((id) => {
      const proposal = store.proposals.findListed(id);
      return proposal?.operation === 'tool.call' && settled.has(proposal.state);
    });
    changed.clear();
    if (isOfTools) reader.readSoon();
  }
  const unsubscribe = subscribe((event) => {
    if (event.kind === 'profiles.changed') reader.readSoon();
    if (event.kind !== 'proposals.changed' || changed.size >= maxChanged) return;
    changed.add(event.id);
    cancelLook();
    cancelLook = clock.after(gatherMs, lookAtChanged);
  });

  function list({ read }: AppInput<'schedules.list'>): SchedulesView {
    const { id: profileId, zone } = profiles.current();
    const signIn = signInOf(profileId);
    if (signIn.access !== 'ready') reader.forget(profileId);
    else if (read) void reader.read(profileId);
    const reading = reader.of(profileId);
    const { failure } = reading;
    return {
      profileId,
      zone,
      ...signIn,
      state: reading.isReading ? 'reading' : failure === null ? 'idle' : 'failed',
      failure: failure === null ? null : { code: failure.code, message: failure.message, next: failure.next },
      readAtMs: reading.readAtMs,
      unreadable: reading.unreadable,
      sources: reading.sources,
      tasks: reading.tasks.map((task) => scheduleView(viewing, profileId, task, formats())),
      returns: pauseReturns.list(profileId),
    };
  }

  return {
    list,
    pauseReturns,
    proposeReport: ({ task }) =>
      proposePrepared(profiles.current().id, async ({ remote }) => {
        const prepared = await createTaskTools(remote).prepare(task);
        const { id } = prepared.payload;
        if (typeof id !== 'string') throw new AppError('service_answer_unreadable');
        return { prepared, task: { id, act: 'create', dueTimes: prepared.dueTimes, listed: null } };
      }),
    proposeCancel({ id }) {
      const profileId = profiles.current().id;
      return proposePrepared(profileId, async ({ remote }) => {
        const tools = createTaskTools(remote);
        const found = (await tools.list()).tasks.find((task) => task.id === id);
        if (found === undefined) throw new AppError('task_unknown');
        const prepared = await tools.prepareCancel(id);
        return { prepared, task: { id, act: 'cancel', dueTimes: [], listed: listedOf(found) } };
      });
    },
    async file({ id }) {
      const profileId = profiles.current().id;
      const uri = reader.of(profileId).tasks.find((task) => task.id === id)?.lastRun?.uri;
      if (uri === undefined) throw new AppError('object_not_found');
      return { text: await readRunFile(connections.of(profileId).remote, uri) };
    },
    async dispose() {
      unsubscribe();
      cancelLook();
      await pauseReturns.dispose();
      await reader.dispose();
    },
  };
}

const gatherMs = 400;
const maxChanged = 100;

const settled: ReadonlySet<string> = new Set([
  'verified',
  'differs',
  'done',
  'refused',
  'withdrawn',
  'stale',
  'expired',
]);

function listedOf({ name, kind, schedule, parameters, nextDueAt }: ScheduledTask): TaskOfCall['listed'] {
  const json = (value: unknown): JsonValue => (value ?? null) as JsonValue;
  return {
    name: name ?? null,
    kind,
    schedule: json(schedule),
    parameters: json(parameters),
    nextDueAt: nextDueAt ?? null,
  };
}

/** A task that is missing in the list has ended only if the list is complete. */
export function hasEnded({ taskId, approvalId }: DueApproval, { tasks, isComplete }: TaskList): boolean {
  const task = tasks.find(({ id }) => id === taskId);
  return task === undefined ? isComplete : task.approval?.id !== approvalId;
}

function commitOf(task: ScheduledTask): Omit<AppCommit, 'profileId' | 'tool'> {
  const { approval } = task;
  if (approval === null || approval === undefined) throw new Error('Nothing is due');
  const { id, fingerprint, expiresAt, payload, diff } = approval;
  return {
    approval: { id, fingerprint, endsAtMs: Date.parse(expiresAt) },
    payload,
    changes: diff?.map(({ field }) => field) ?? null,
    about: { kind: 'task', task: { id: task.id, act: 'due', dueTimes: [], listed: listedOf(task) } },
  };
}
