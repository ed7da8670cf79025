import { z } from 'zod';
import {
  scheduledTaskSchema,
  taskPageSchema,
  type ReportTask,
  type ScheduledTask,
} from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { checkShape } from './answers.ts';
import {
  callHarmless,
  plain,
  prepareCommit,
  type PreparedCommit,
  type ToolCaller,
} from './prepared-change.ts';

/** The tasks of an account as its service lists them, newest first. */
export interface TaskList {
  tasks: ScheduledTask[];
  /** Entries without the members by which a task is known. */
  unreadable: number;
  /** True if there are no others: each entry was readable, and all came in one answer. Between two pages one may slip past. */
  isWhole: boolean;
}

/** A prepared task, or the end of one. */
export interface PreparedTask extends PreparedCommit {
  /** When a new task is due first, as texts; empty where the service does not say. */
  dueTimes: string[];
}

/**
 * The constrained tasks of a service (contract §4.3) by its tools. Nothing is written: what is prepared waits for a commit. Fails
 * as the remote client does, and with `tool_refused` in the service's words, its fields named as it names them.
 */
export interface TaskTools {
  list(signal?: AbortSignal): Promise<TaskList>;
  prepare(task: ReportTask): Promise<PreparedTask>;
  prepareCancel(taskId: string): Promise<PreparedTask>;
  /** The traffic sources and feeds of the account, by `svc_whoami`; null where the service does not name them. */
  sources(): Promise<{ tids: number[]; sids: number[] } | null>;
}

const perPage = 100;

/** More pages than this are no list that a person looks at. */
const maxPages = 20;

const sourcesSchema = z.looseObject({
  sources: z.looseObject({ tids: z.array(z.int()), feeds: z.array(z.int()) }),
});

export function createTaskTools(remote: ToolCaller): TaskTools {
  async function prepare(name: string, args: JsonObject): Promise<PreparedTask> {
    const prepared = await prepareCommit(remote, name, args);
    const { dueTimes: times } = prepared.to;
    return {
      ...prepared,
      dueTimes: Array.isArray(times) ? times.filter((time) => typeof time === 'string') : [],
    };
  }

  return {
    async list(signal) {
      const tasks: ScheduledTask[] = [];
      let unreadable = 0;
      let offset: number | null = 0;
      let pages = 0;
      let isComplete = true;
      for (; offset !== null && pages < maxPages; pages += 1) {
        const content = await callHarmless(remote, {
          name: 'svc_list_tasks',
          args: { offset, limit: perPage },
          signal,
        });
        const { data, sourcePagination } = checkShape(content, taskPageSchema, plain);
        for (const entry of data) {
          const task = scheduledTaskSchema.safeParse(entry);
          if (task.success) tasks.push(task.data);
          else unreadable += 1;
        }
        offset = sourcePagination?.nextOffset ?? null;
        isComplete = sourcePagination?.complete ?? true;
      }
      const isWhole = unreadable === 0 && isComplete && offset === null && pages === 1;
      return { tasks, unreadable, isWhole };
    },
    prepare: (task) => prepare('svc_prepare_task', task),
    prepareCancel: (taskId) => prepare('svc_prepare_task_cancel', { taskId }),
    async sources() {
      const { data = null } = await callHarmless(remote, { name: 'svc_whoami', args: {} });
      const answer = sourcesSchema.safeParse(data);
      return answer.success ? { tids: answer.data.sources.tids, sids: answer.data.sources.feeds } : null;
    },
  };
}

const textResourceSchema = z.looseObject({ contents: z.tuple([z.looseObject({ text: z.string() })]) });

/** The part of the remote client that reads a resource. */
interface ResourceReader {
  readResource(uri: string): Promise<JsonObject>;
}

/** Reads the file that a run of a task has made, which is one text. Fails as the remote client does. */
export async function readRunFile(remote: ResourceReader, uri: string): Promise<string> {
  const { contents } = checkShape(await remote.readResource(uri), textResourceSchema, plain);
  return contents[0].text;
}
