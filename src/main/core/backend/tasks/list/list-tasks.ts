import { z } from 'zod';
import { taskStates } from '#core/store/backend/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import type { RemoteTool } from '../../mcp/tool.ts';
import type { BackendService } from '../../service.ts';
import { taskView, taskViewSchema } from './task-view.ts';

const mostListed = 100;

const input = z.strictObject({
  state: z.enum(taskStates).optional().describe('Only tasks in this state.'),
  offset: z.int().min(0).max(100_000).default(0),
  limit: z.int().min(1).max(mostListed).default(20),
});

/** `svc_list_tasks`: the account's tasks, newest first, with the approval of what is due. */
export function listTasksTool({ store, clock }: BackendService): RemoteTool {
  return defineTool({
    name: 'svc_list_tasks',
    title: 'List scheduled tasks',
    description:
      'Lists the scheduled tasks of the account, newest first: when each is due, what its last run brought, and the approval of a change that is due now.',
    kind: 'read',
    scopes: ['svc:read'],
    modules: ['tasks'],
    input,
    output: z.array(taskViewSchema),
    run(principal, { state, offset, limit }) {
      const { uid } = principal.member;
      const nowMs = clock.nowMs();
      // How a task stands may have moved on since it was stored, so its state is looked at after that.
      const all = store.tasks.read
        .list(uid)
        .map((task) => taskView(store, task, { principal, nowMs }))
        .filter((task) => state === undefined || task.state === state);
      const data = all.slice(offset, offset + limit);
      const end = offset + data.length;
      const complete = end >= all.length;
      return {
        data: data as unknown as JsonValue,
        sourcePagination: {
          complete,
          offset,
          limit,
          total: all.length,
          totalExact: true,
          itemsExact: true,
          nextOffset: complete ? null : end,
        },
      };
    },
  });
}
