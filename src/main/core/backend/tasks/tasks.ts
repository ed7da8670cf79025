import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { RemoteTool } from '../mcp/tool.ts';
import type { Operations } from '../operations/operations.ts';
import type { WriteKind } from '../operations/write-kind.ts';
import type { PublisherReports } from '../publisher/reports.ts';
import type { BackendService } from '../service.ts';

/** Scheduled tasks of one tenant (contract §4.3: constrained tasks only). */
export interface Tasks extends AsyncDisposable {
  /** `task` and `task_cancel`. */
  kinds: readonly WriteKind[];
  /** `svc_list_tasks`. */
  tools: readonly RemoteTool[];
  /** Begins to watch the clock: what came due meanwhile runs once, the rest is reported as missed. Due writes get approvals. */
  start(operations: Pick<Operations, 'prepare'>): void;
}

/** Makes the scheduler; it does nothing before `start`. */
export function createTasks(service: BackendService, parts: { reports: PublisherReports }): Tasks {
  void service;
  void parts;
  return { kinds: [], tools: [], start: () => {}, dispose: async () => {} };
}
