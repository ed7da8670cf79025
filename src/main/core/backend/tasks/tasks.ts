import type { AsyncDisposable } from '#core/platform/disposable.ts';
import { AppError } from '#shared/errors/index.ts';
import type { TaskFile } from '#core/store/backend/index.ts';
import type { RemoteTool } from '../mcp/tool.ts';
import type { Operations } from '../operations/operations.ts';
import type { WriteKind } from '../operations/write-kind.ts';
import type { PublisherReports } from '../publisher/reports.ts';
import type { BackendService } from '../service.ts';
import { listTasksTool } from './list-tasks.ts';
import { createTaskWatch } from './watch.ts';
import { taskCancelWrite } from './cancel-task.ts';
import { taskWrite } from './prepare-task.ts';

/** Scheduled tasks of one tenant (contract §4.3: constrained tasks only). */
export interface Tasks extends AsyncDisposable {
  /** `task` and `task_cancel`. */
  kinds: readonly WriteKind[];
  /** `svc_list_tasks`. */
  tools: readonly RemoteTool[];
  /** Begins to watch the clock: what came due meanwhile runs once, the rest is reported as missed. Due writes get approvals. */
  start(operations: Pick<Operations, 'prepare'>): void;
  /** The report that a run of this account's tasks made. Fails with `object_not_found`. */
  readRun(uid: number, runId: string): TaskFile;
}

/** Makes the scheduler; it does nothing before `start`. */
export function createTasks(service: BackendService, parts: { reports: PublisherReports }): Tasks {
  const maker = { service, reports: parts.reports };
  const watch = createTaskWatch(maker);
  return {
    kinds: [taskWrite(maker, watch.wake), taskCancelWrite(service)],
    tools: [listTasksTool(service)],
    start: (operations) => watch.start(operations),
    readRun(uid, runId) {
      const file = service.store.tasks.read.file(uid, runId);
      if (file === null) throw new AppError('object_not_found');
      return file;
    },
    dispose: () => watch.dispose(),
  };
}
