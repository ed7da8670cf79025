import { z } from 'zod';
import {
  scheduledTaskSchema,
  taskPageSchema,
  type ReportTask,
  type ScheduledTask,
  campaignEditSchema,
  campaignRowSchema,
  sourcePaginationSchema,
} from '#shared/contract/index.ts';
import { type JsonObject, isJsonObject } from '#shared/lib/json/json-value.ts';
import { checkShape, withServiceWords } from './answers.ts';
import {
  callHarmless,
  plain,
  prepareCommit,
  type PreparedCommit,
  type ToolCaller,
  toolErrorIn,
  toolRefusalWords,
} from './prepared-change.ts';
import { AppError } from '#shared/errors/index.ts';
import { foldedText } from '#shared/lib/folded-text.ts';
import type { CampaignReader, ListParams } from './member-client.ts';
import { sentence } from '#shared/lib/sentence.ts';

/** The tasks of an account as its service lists them, newest first. */
export interface TaskList {
  tasks: ScheduledTask[];
  /** Entries without the members by which a task is known. */
  unreadable: number;
  /** True if there are no others: each entry was readable, and all came in one answer. Between two pages one may slip past. */
  isWhole: boolean;
}

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

interface ResourceReader {
  readResource(uri: string): Promise<JsonObject>;
}

/** Reads the file that a run of a task has made, which is one text. Fails as the remote client does. */
export async function readRunFile(remote: ResourceReader, uri: string): Promise<string> {
  const { contents } = checkShape(await remote.readResource(uri), textResourceSchema, plain);
  return contents[0].text;
}

/** The contract names no total (§2.7): a service may leave it out. */
const listSchema = z.object({
  data: z.array(campaignRowSchema),
  sourcePagination: sourcePaginationSchema.extend({ total: z.int().min(0).optional().catch(undefined) }),
});

type ToolPage = z.infer<typeof listSchema>;

const maxCampaignPages = 500;

/**
 * The campaigns of an account by its read tools (contract §4.3), for a profile whose grant opens these and nothing else. Fails
 * as the remote client does, and with `campaign_not_found`. The tools know no search: with a query every page is looked
 * through, for the id or a part of the name.
 */
export function createCampaignTools(remote: ToolCaller): CampaignReader {
  async function call(name: string, args: JsonObject, signal?: AbortSignal): Promise<JsonObject> {
    const result = await remote.callTool(name, args, signal === undefined ? {} : { signal });
    const content = result['structuredContent'];
    if (!isJsonObject(content) || result['isError'] === true) throw refusalOf(result);
    return content;
  }

  async function page(
    params: ListParams,
    { offset, limit, signal }: { offset: number; limit: number; signal: AbortSignal | undefined },
  ): Promise<ToolPage> {
    const { sort = 'cid', order = 'desc', status } = params;
    const args = {
      offset,
      limit,
      orderBy: sort,
      order,
      detailLevel: 'summary',
      ...(status === undefined ? {} : { status: String(status) }),
    };
    return checkShape(await call('svc_list_campaigns', args, signal), listSchema, plainText);
  }

  async function search(params: ListParams, query: string, signal: AbortSignal | undefined) {
    const found: ToolPage['data'] = [];
    let offset: number | null = 0;
    for (let pages = 0; offset !== null && pages < maxCampaignPages; pages += 1) {
      const { data, sourcePagination } = await page(params, { offset, limit: params.perPage, signal });
      found.push(
        ...data.filter(
          ({ cid, name }) => String(cid) === query || foldedText(name).includes(foldedText(query)),
        ),
      );
      if (data.some(({ cid }) => String(cid) === query)) break;
      offset = sourcePagination.nextOffset ?? null;
    }
    return { data: found, total: found.length, currentPage: 1, totalPages: 1 };
  }

  return {
    async list(params, signal) {
      const { query = '', page: number, perPage } = params;
      if (query !== '') return search(params, query, signal);
      const start = (number - 1) * perPage;
      const data: ToolPage['data'] = [];
      let total: number | undefined;
      let next: number | null = start;
      // A service may give fewer rows at once than it was asked for.
      while (next !== null && data.length < perPage) {
        const read: ToolPage = await page(params, { offset: next, limit: perPage - data.length, signal });
        data.push(...read.data);
        ({ total } = read.sourcePagination);
        next = read.data.length === 0 ? null : (read.sourcePagination.nextOffset ?? null);
      }
      // Without a total, one more row stands for all that follow.
      total ??= start + data.length + (next === null ? 0 : 1);
      return { data, total, currentPage: number, totalPages: Math.ceil(total / perPage) };
    },
    async get(cid, signal) {
      const { data: raw = null } = await call('svc_get_campaign', { cid }, signal);
      const edit = checkShape(raw, campaignEditSchema, plainText);
      if (!isJsonObject(raw) || edit.campaign['cid'] !== cid) {
        throw new AppError('service_answer_unreadable', { data: { cid } });
      }
      return { raw, edit };
    },
  };
}

/** No credential goes with the words of a tool: the remote client has blanked it. */
const plainText = (text: string): string => text;

/** A refused read: what is not there, or not ours, is one answer (contract §7.3). */
function refusalOf(result: JsonObject): AppError {
  if (toolErrorIn(result)['statusCode'] === 404) return new AppError('campaign_not_found');
  const words = toolRefusalWords(result);
  return new AppError(
    'tool_refused',
    withServiceWords(sentence`The service refused to read the campaigns.`, words),
  );
}
