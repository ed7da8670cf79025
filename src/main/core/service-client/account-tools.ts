import { z } from 'zod';
import {
  type ReportTask,
  type ScheduledTask,
  campaignEditSchema,
  campaignRowSchema,
  preparedSchema,
  scheduledTaskSchema,
  sourcePaginationSchema,
  taskPageSchema,
} from '#shared/contract/index.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '#shared/lib/json/json-value.ts';
import { checkShape, foreignWords, quotation, withServiceWords } from './answers.ts';
import { AppError, type FieldError, catalogue } from '#shared/errors/index.ts';
import { foldedText } from '#shared/lib/folded-text.ts';
import type { CampaignReader, ListParams } from './member-client.ts';
import { sentence } from '#shared/lib/sentence.ts';

interface ToolCaller {
  callTool(name: string, args: JsonObject, options?: { signal?: AbortSignal }): Promise<JsonObject>;
}

/** A change that the service prepared and holds until its approval ends. */
interface PreparedCommit {
  approvalId: string;
  fingerprint: string;
  endsAtMs: number;
  payload: JsonObject;
  changes: string[];
  to: Record<string, JsonValue>;
}

interface HarmlessCall {
  name: string;
  args: JsonObject;
  signal?: AbortSignal | undefined;
  /** The failure that a refusal stands for, if it is another one than below. */
  refusal?(result: JsonObject): AppError;
}

/**
 * Calls a tool that changes nothing and returns its structured content. Fails as the remote client does, without an
 * answer with `service_unreachable`, and with `tool_refused` or `forbidden` in the service's words.
 */
export async function callHarmless(
  remote: ToolCaller,
  { name, args, signal, refusal = refusalOf }: HarmlessCall,
): Promise<JsonObject> {
  let result;
  try {
    result = await remote.callTool(name, args, signal === undefined ? {} : { signal });
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.code !== 'outcome_unknown') throw failure;
    throw new AppError('service_unreachable', { cause: failure });
  }
  const content = result['structuredContent'];
  if (!isJsonObject(content) || result['isError'] === true) throw refusal(result);
  return content;
}

/** Has the service prepare a change, which writes nothing before its commit. Fails as {@link callHarmless}. */
export async function prepareCommit(
  remote: ToolCaller,
  name: string,
  args: JsonObject,
): Promise<PreparedCommit> {
  const { data = null } = await callHarmless(remote, { name, args });
  const { approval, payload, diff } = checkShape(data, preparedSchema, plain);
  const endsAtMs = Date.parse(approval.expiresAt);
  if (Number.isNaN(endsAtMs)) throw new AppError('service_answer_unreadable');
  return {
    approvalId: approval.id,
    fingerprint: approval.fingerprint,
    endsAtMs,
    payload,
    changes: diff.map(({ field }) => field),
    to: Object.fromEntries(diff.map(({ field, to }) => [field, to ?? null])),
  };
}

/** No credential goes with the words of a tool: the remote client has blanked it. */
const plain = (text: string): string => text;

function refusalOf(result: JsonObject): AppError {
  const { statusCode, errors } = toolErrorIn(result);
  const code = statusCode === 403 ? 'forbidden' : 'tool_refused';
  return new AppError(code, {
    ...withServiceWords(catalogue[code].text, toolRefusalWords(result)),
    fields: Array.isArray(errors) ? errors.flatMap(fieldIn) : [],
  });
}

/** The words of a tool's refusal: its structured message, else its first text, where MCP has every refusal (Tools, Error Handling). */
export function toolRefusalWords(result: JsonObject): string {
  const { message } = toolErrorIn(result);
  if (typeof message === 'string') return message;
  const { content } = result;
  const [first] = Array.isArray(content) ? content : [];
  const text = isJsonObject(first) ? first['text'] : undefined;
  return typeof text === 'string' ? text : '';
}

export function toolErrorIn({ structuredContent }: JsonObject): JsonObject {
  const error = isJsonObject(structuredContent) ? structuredContent['error'] : undefined;
  return isJsonObject(error) ? error : {};
}

function fieldIn(error: JsonValue): FieldError[] {
  if (!isJsonObject(error)) return [];
  const { field, message } = error;
  if (typeof field !== 'string' || typeof message !== 'string') return [];
  return [{ field: foreignWords(field), code: 'not_valid', message: sentence`${quotation(message)}` }];
}

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

/** The constrained tasks of a service (contract §4.3) by its tools. Nothing is written: what is prepared waits for a commit. */
export interface TaskTools {
  list(signal?: AbortSignal): Promise<TaskList>;
  prepare(task: ReportTask): Promise<PreparedTask>;
  prepareCancel(taskId: string): Promise<PreparedTask>;
  /** The traffic sources and feeds of the account, by `svc_whoami`; null where the service does not name them. */
  sources(): Promise<{ tids: number[]; sids: number[] } | null>;
}

const perPage = 100;

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
 * The campaigns of an account by its read tools (contract §4.3). Fails also with `campaign_not_found`. The tools know no
 * search: with a query every page is looked through, for the id or a part of the name.
 */
export function createCampaignTools(remote: ToolCaller): CampaignReader {
  const call = (name: string, args: JsonObject, signal: AbortSignal | undefined): Promise<JsonObject> =>
    callHarmless(remote, { name, args, signal, refusal: refusedRead });

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
    return checkShape(await call('svc_list_campaigns', args, signal), listSchema, plain);
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
      const edit = checkShape(raw, campaignEditSchema, plain);
      if (!isJsonObject(raw) || edit.campaign['cid'] !== cid) {
        throw new AppError('service_answer_unreadable', { data: { cid } });
      }
      return { raw, edit };
    },
  };
}

function refusedRead(result: JsonObject): AppError {
  if (toolErrorIn(result)['statusCode'] === 404) return new AppError('campaign_not_found');
  return new AppError(
    'tool_refused',
    withServiceWords(sentence`The service refused to read the campaigns.`, toolRefusalWords(result)),
  );
}
