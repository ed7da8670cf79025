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
import { checkShape, escapeServiceText, quoteServiceText, withServiceWords } from './answers.ts';
import { AppError, type FieldError, catalogue } from '#shared/errors/index.ts';
import { foldedText } from '#shared/lib/folded-text.ts';
import type { CampaignReader, ListParams } from './member-client.ts';
import type { CallOptions } from './remote/session.ts';
import { isBrokenConnection } from './retry.ts';
import { sentence } from '#shared/lib/sentence.ts';

interface ToolCaller {
  callTool(name: string, args: JsonObject, options?: CallOptions): Promise<JsonObject>;
}

interface PreparedCommit {
  approvalId: string;
  fingerprint: string;
  endsAtMs: number;
  payload: JsonObject;
  changes: string[];
  to: Record<string, JsonValue>;
}

interface ReadOnlyCall {
  name: string;
  args: JsonObject;
  signal?: AbortSignal | undefined;
  /** The failure for a refusal; default: {@link refusalOf}. */
  refusal?(result: JsonObject): AppError;
}

type Call = [name: string, args: JsonObject, options?: CallOptions];

/**
 * Calls a tool that changes nothing and returns its unchanged result. Repeats the call once if its connection breaks, because
 * the service may close an idle connection at the moment of the call. Fails as the remote client does, but never with
 * `outcome_unknown`: a lost answer is an ordinary failure if nothing can have changed.
 */
export async function callRepeatable(remote: ToolCaller, ...call: Call): Promise<JsonObject> {
  try {
    return await callOnce(remote, call);
  } catch (failure) {
    if (!wasSent(failure) || !isBrokenConnection(failure)) throw failure;
    return callOnce(remote, call);
  }
}

async function callOnce(remote: ToolCaller, call: Call): Promise<JsonObject> {
  try {
    return await remote.callTool(...call);
  } catch (failure) {
    const isLost = failure instanceof AppError && failure.code === 'outcome_unknown';
    throw isLost ? failure.cause : failure;
  }
}

function wasSent(failure: unknown): boolean {
  return failure instanceof AppError && failure.data['sent'] === true;
}

/**
 * Calls a tool as {@link callRepeatable} does and returns its structured content. Also fails with `service_unreachable` if no answer
 * arrives, or with the service's refusal (`tool_refused`, `forbidden`).
 */
export async function callReadOnly(
  remote: ToolCaller,
  { name, args, signal, refusal = refusalOf }: ReadOnlyCall,
): Promise<JsonObject> {
  const options = signal === undefined ? {} : { signal };
  let result;
  try {
    result = await callRepeatable(remote, name, args, options);
  } catch (failure) {
    throw wasSent(failure) ? new AppError('service_unreachable', { cause: failure }) : failure;
  }
  const content = result['structuredContent'];
  if (!isJsonObject(content) || result['isError'] === true) throw refusal(result);
  return content;
}

/** Lets the service prepare a change. Nothing is written before its commit. Fails as {@link callReadOnly} does. */
export async function prepareCommit(
  remote: ToolCaller,
  name: string,
  args: JsonObject,
): Promise<PreparedCommit> {
  const { data = null } = await callReadOnly(remote, { name, args });
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

/** Masks nothing, because the remote client has already masked the credential in a tool's text. */
const plain = (text: string): string => text;

function refusalOf(result: JsonObject): AppError {
  const { statusCode, errors } = toolErrorIn(result);
  const code = statusCode === 403 ? 'forbidden' : 'tool_refused';
  return new AppError(code, {
    ...withServiceWords(catalogue[code].text, toolRefusalWords(result)),
    fields: Array.isArray(errors) ? errors.flatMap(fieldIn) : [],
  });
}

/** The text of a tool's refusal: its structured message, otherwise its first text, where MCP puts errors (Tools, Error Handling). */
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
  return [
    { field: escapeServiceText(field), code: 'not_valid', message: sentence`${quoteServiceText(message)}` },
  ];
}

export interface TaskList {
  tasks: ScheduledTask[];
  /** Number of entries without the members that identify a task. */
  unreadable: number;
  /** True if every entry was readable and a single answer had them all. An entry may be missed between two pages. */
  isComplete: boolean;
}

export interface PreparedTask extends PreparedCommit {
  /** The first due times of a new task as texts; empty if the service did not report any. */
  dueTimes: string[];
}

/** A service's constrained tasks (contract §4.3), through its tools. Writes nothing: a prepared change waits for a commit. */
export interface TaskTools {
  list(signal?: AbortSignal): Promise<TaskList>;
  prepare(task: ReportTask): Promise<PreparedTask>;
  prepareCancel(taskId: string): Promise<PreparedTask>;
  /** The account's traffic sources and feeds from `svc_whoami`; null if the service did not report them. */
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
      let isLastComplete = true;
      for (; offset !== null && pages < maxPages; pages += 1) {
        const content = await callReadOnly(remote, {
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
        isLastComplete = sourcePagination?.complete ?? true;
      }
      const isComplete = unreadable === 0 && isLastComplete && offset === null && pages === 1;
      return { tasks, unreadable, isComplete };
    },
    prepare: (task) => prepare('svc_prepare_task', task),
    prepareCancel: (taskId) => prepare('svc_prepare_task_cancel', { taskId }),
    async sources() {
      const { data = null } = await callReadOnly(remote, { name: 'svc_whoami', args: {} });
      const answer = sourcesSchema.safeParse(data);
      return answer.success ? { tids: answer.data.sources.tids, sids: answer.data.sources.feeds } : null;
    },
  };
}

const textResourceSchema = z.looseObject({ contents: z.tuple([z.looseObject({ text: z.string() })]) });

interface ResourceReader {
  readResource(uri: string): Promise<JsonObject>;
}

/** Reads the file of a task run: a single text. Fails as the remote client does. */
export async function readRunFile(remote: ResourceReader, uri: string): Promise<string> {
  const { contents } = checkShape(await remote.readResource(uri), textResourceSchema, plain);
  return contents[0].text;
}

/** The contract does not require a total (§2.7), so a service may omit it. */
const listSchema = z.object({
  data: z.array(campaignRowSchema),
  sourcePagination: sourcePaginationSchema.extend({ total: z.int().min(0).optional().catch(undefined) }),
});

type ToolPage = z.infer<typeof listSchema>;

const maxCampaignPages = 500;

/**
 * Reads an account's campaigns with the read tools (contract §4.3). Fails also with `campaign_not_found`.
 * The tools have no search, so a query reads every page and looks for the id or a part of the name.
 */
export function createCampaignTools(remote: ToolCaller): CampaignReader {
  const call = (name: string, args: JsonObject, signal: AbortSignal | undefined): Promise<JsonObject> =>
    callReadOnly(remote, { name, args, signal, refusal: refusedRead });

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
      // A service may return fewer rows than requested.
      while (next !== null && data.length < perPage) {
        const read: ToolPage = await page(params, { offset: next, limit: perPage - data.length, signal });
        data.push(...read.data);
        ({ total } = read.sourcePagination);
        next = read.data.length === 0 ? null : (read.sourcePagination.nextOffset ?? null);
      }
      // Without a total, one more row represents all rows that follow.
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
