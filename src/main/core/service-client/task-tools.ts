import { z } from 'zod';
import {
  preparedSchema,
  scheduledTaskSchema,
  taskPageSchema,
  type ReportTask,
  type ScheduledTask,
} from '#shared/contract/index.ts';
import { AppError, type FieldError } from '#shared/errors/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { checkShape, quotation } from './answers.ts';
import type { RemoteClient } from './remote/remote-client.ts';

/** The tasks of an account as its service lists them, newest first. */
export interface TaskList {
  tasks: ScheduledTask[];
  /** Entries without the members by which a task is known. */
  unreadable: number;
}

/** A change that the service prepared and holds until its approval ends. */
export interface PreparedTask {
  approvalId: string;
  fingerprint: string;
  endsAtMs: number;
  payload: JsonObject;
  /** Names of the fields that change, as the service said. */
  changes: string[];
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

export function createTaskTools(remote: Pick<RemoteClient, 'callTool'>): TaskTools {
  async function call(name: string, args: JsonObject, signal?: AbortSignal): Promise<JsonObject> {
    const result = await answerTo(name, args, signal);
    const content = result['structuredContent'];
    if (!isJsonObject(content) || result['isError'] === true) throw refusalOf(content);
    return content;
  }

  /** None of these calls changes anything, so that one without an answer leaves nothing open. */
  async function answerTo(name: string, args: JsonObject, signal?: AbortSignal): Promise<JsonObject> {
    try {
      return await remote.callTool(name, args, signal === undefined ? {} : { signal });
    } catch (failure) {
      if (!(failure instanceof AppError) || failure.code !== 'outcome_unknown') throw failure;
      throw new AppError('service_unreachable', { cause: failure });
    }
  }

  async function prepare(name: string, args: JsonObject): Promise<PreparedTask> {
    const { data = null } = await call(name, args);
    const { approval, payload, diff } = checkShape(data, preparedSchema, plain);
    const endsAtMs = Date.parse(approval.expiresAt);
    if (Number.isNaN(endsAtMs)) throw new AppError('service_answer_unreadable');
    const times = diff.find(({ field }) => field === 'dueTimes')?.to;
    return {
      approvalId: approval.id,
      fingerprint: approval.fingerprint,
      endsAtMs,
      payload,
      changes: diff.map(({ field }) => field),
      dueTimes: Array.isArray(times) ? times.filter((time) => typeof time === 'string') : [],
    };
  }

  return {
    async list(signal) {
      const tasks: ScheduledTask[] = [];
      let unreadable = 0;
      let offset: number | null = 0;
      for (let page = 0; offset !== null && page < maxPages; page += 1) {
        const content = await call('svc_list_tasks', { offset, limit: perPage }, signal);
        const { data, sourcePagination } = checkShape(content, taskPageSchema, plain);
        for (const entry of data) {
          const task = scheduledTaskSchema.safeParse(entry);
          if (task.success) tasks.push(task.data);
          else unreadable += 1;
        }
        offset = sourcePagination?.nextOffset ?? null;
      }
      return { tasks, unreadable };
    },
    prepare: (task) => prepare('svc_prepare_task', task),
    prepareCancel: (taskId) => prepare('svc_prepare_task_cancel', { taskId }),
    async sources() {
      const { data = null } = await call('svc_whoami', {});
      const answer = sourcesSchema.safeParse(data);
      return answer.success ? { tids: answer.data.sources.tids, sids: answer.data.sources.feeds } : null;
    },
  };
}

const textResourceSchema = z.looseObject({ contents: z.tuple([z.looseObject({ text: z.string() })]) });

/** Reads the file that a run of a task has made, which is one text. Fails as the remote client does. */
export async function readRunFile(remote: Pick<RemoteClient, 'readResource'>, uri: string): Promise<string> {
  const { contents } = checkShape(await remote.readResource(uri), textResourceSchema, plain);
  return contents[0].text;
}

/** No credential goes with the words of a tool: the remote client has blanked it. */
const plain = (text: string): string => text;

/** A refusal in the service's words: what it says of single fields stays with them. */
function refusalOf(content: JsonValue | undefined): AppError {
  const error = isJsonObject(content) ? content['error'] : undefined;
  const { message, statusCode, errors } = isJsonObject(error) ? error : {};
  const words =
    typeof message === 'string' && message !== '' ? ` The service says: ${quotation(message)}` : '';
  const base = new AppError(statusCode === 403 ? 'forbidden' : 'tool_refused').message;
  return new AppError(statusCode === 403 ? 'forbidden' : 'tool_refused', {
    message: `${base}${words}`,
    fields: Array.isArray(errors) ? errors.flatMap(fieldIn) : [],
  });
}

function fieldIn(error: JsonValue): FieldError[] {
  if (!isJsonObject(error)) return [];
  const { field, message } = error;
  if (typeof field !== 'string' || typeof message !== 'string') return [];
  return [{ field: inertText(field), code: 'not_valid', message: inertText(message) }];
}
