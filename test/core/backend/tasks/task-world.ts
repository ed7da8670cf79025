import { createHash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { createDemoStatistics } from '#core/backend/demo-data/statistics.ts';
import { campaignWrites } from '#core/backend/operations/campaign-writes.ts';
import type { RemotePrincipal } from '#core/backend/remote-call/tool.ts';
import { createOperations } from '#core/backend/operations/operations.ts';
import { createReports, type PublisherReports } from '#core/backend/publisher/reports.ts';
import { createTasks, type Tasks } from '#core/backend/tasks/tasks.ts';
import type { TaskRunRow } from '#core/store/backend/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { openWorld, type Committed, type World } from '#test/core/backend/operations/world.ts';

type Prepared = Awaited<ReturnType<World['prepare']>>;

/** A task in the answer of `svc_list_tasks`. */
export interface ListedTask {
  id: string;
  state: string;
  reason?: string;
  nextDueAt: string | null;
  lastRun: {
    dueAt: string;
    ranAt: string;
    outcome: string;
    missed: number;
    reason?: string;
    rows?: number;
    bytes?: number;
    uri?: string;
  } | null;
  approval: (Prepared['approval'] & { kind: string; payload: JsonObject; diff: JsonValue[] }) | null;
}

/** The tools and tasks of one service on its own database. */
export interface TaskWorld extends World {
  tasks: Tasks;
  reports: PublisherReports;
  /** Starts to run due tasks. */
  start(): void;
  /** Prepares and commits a task; returns its id. */
  addTask(who: RemotePrincipal, definition: JsonObject): Promise<string>;
  cancel(who: RemotePrincipal, taskId: string): Promise<Committed>;
  list(who: RemotePrincipal): Promise<ListedTask[]>;
  /** Returns the account's only task. */
  only(who: RemotePrincipal): Promise<ListedTask>;
  commitWaiting(who: RemotePrincipal, task: ListedTask): Promise<Committed>;
  /** Advances the clock to this moment and runs every timer on the way. */
  goTo(time: string): void;
  /** Resolves when no report is left to be made. */
  reportsMade(): Promise<void>;
  grant(grantId: string, isAlive: boolean): void;
  /** The last run of a task. */
  run(taskId: string): TaskRunRow | null;
}

interface TaskWorldOptions {
  file?: string;
  at: string;
  days?: number;
  reports?: PublisherReports;
}

/** Opens a service with demo data. Its tasks run after `start`. It ends with the test. */
export async function openTaskWorld(options: TaskWorldOptions): Promise<TaskWorld> {
  const { file, at, days = 3 } = options;
  const world = openWorld({ startMs: Date.parse(at), ...(file === undefined ? {} : { file }) });
  const { service, clock } = world;
  const statistics = createDemoStatistics(service, { days });
  await statistics.ready();
  const reports = options.reports ?? createReports(service, statistics);
  const tasks = createTasks(service, { reports });
  onTestFinished(() => tasks.dispose());
  const operations = createOperations(service, [...campaignWrites(service), ...tasks.kinds]);
  const tools = [...operations.tools, ...tasks.tools];
  const { tasks: stored, oauth } = service.store;

  const call: World['call'] = async (who, name, args) => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`There is no tool ${name}`);
    const { data } = await tool.run(who, tool.input.parse(args) as JsonObject, context);
    const answered = JSON.parse(JSON.stringify(data)) as JsonObject;
    tool.output.parse(answered);
    return answered;
  };
  const prepare: World['prepare'] = async (who, tool, args) =>
    (await call(who, tool, args)) as unknown as Prepared;
  const commit: World['commit'] = async (who, prepared, more) =>
    (await call(who, 'svc_commit', { ...commitOf(prepared), ...more })) as Committed;
  const list = async (who: RemotePrincipal) =>
    (await call(who, 'svc_list_tasks', {})) as unknown as ListedTask[];
  const grant: TaskWorld['grant'] = (grantId, isAlive) => {
    const idHash = createHash('sha256').update(grantId).digest('hex');
    const expiresAtMs = clock.nowMs() + 400 * 86_400_000;
    if (isAlive) oauth.upsert({ model: 'Grant', idHash, payload: '{}', grantId: null, expiresAtMs });
    else oauth.remove('Grant', idHash);
  };
  grant('grant', true);
  return {
    ...world,
    operations,
    tasks,
    reports,
    call,
    prepare,
    commit,
    list,
    grant,
    start: () => tasks.start(operations),
    async addTask(who, definition) {
      const prepared = await prepare(who, 'svc_prepare_task', definition);
      await commit(who, prepared);
      return String(prepared.payload['id']);
    },
    cancel: async (who, taskId) => commit(who, await prepare(who, 'svc_prepare_task_cancel', { taskId })),
    async only(who) {
      const [task, ...others] = await list(who);
      if (task === undefined || others.length > 0) throw new Error('There is not one task');
      return task;
    },
    commitWaiting(who, { approval }) {
      if (approval === null) throw new Error('No approval waits');
      const { payload, diff: _diff, ...rest } = approval;
      return commit(who, { approval: rest, payload, diff: [], warnings: [] });
    },
    goTo(time) {
      const leftMs = Date.parse(time) - clock.nowMs();
      const minuteMs = 60_000;
      for (let ms = 0; ms < leftMs; ms += minuteMs) clock.advance(Math.min(minuteMs, leftMs - ms));
      // Tasks that are due at the same moment run in separate turns.
      for (let turn = 0; turn < 30; turn += 1) clock.advance(0);
    },
    async reportsMade() {
      while (stored.read.firstUnfinished() !== null) {
        clock.advance(0);
        await new Promise(setImmediate);
      }
    },
    run: (taskId) => stored.read.lastRun(taskId),
  };
}

function commitOf({ approval, payload }: Prepared): JsonObject {
  const { id: approvalId, fingerprint } = approval;
  return { approvalId, fingerprint, payload, idempotencyKey: `key-${approvalId}`, confirmed: true };
}

const context = {
  signal: new AbortController().signal,
  isEnding: false,
  sessionId: 'session',
  client: null,
  wantsProgress: false,
  progress: async () => {},
  log: async () => {},
  ask: async () => ({}),
  closeStream: () => {},
};
