import { z } from 'zod';
import {
  campaignEditSchema,
  campaignListSchema,
  envelopeSchema,
  type CampaignEdit,
  type CampaignList,
  type SortColumn,
  type CampaignRow,
  listLimits,
  type StatusCode,
} from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import { askService, type RestSettings } from './rest-requests.ts';
import { type ServiceAnswer, checkShape, isSuccess, parseAnswer, refusalOf } from './answers.ts';
import { withRetry } from './retry.ts';

interface MemberClientOptions extends RestSettings {
  /** The profile's `{base_url}`, without a trailing slash. */
  baseUrl: string;
}

/** Query of the list (contract §4.1). */
export interface ListParams {
  page: number;
  perPage: number;
  sort?: SortColumn;
  order?: 'asc' | 'desc';
  query?: string;
  status?: number;
  types?: readonly number[];
}

/** A campaign as the service returned it. `raw` is the complete `data`; `edit` has the same values with a checked shape. */
export interface CampaignRead {
  raw: JsonObject;
  edit: CampaignEdit;
}

/**
 * The member's campaigns (contract §4.1). Refusals are an `AppError` by contract §7.1. Reads are retried (`withRetry`) and
 * fail with the signal's reason if aborted. A write is sent once, and fails with `outcome_unknown` without a readable answer.
 */
export interface MemberClient {
  list(params: ListParams, signal?: AbortSignal): Promise<CampaignList>;
  get(cid: number, signal?: AbortSignal): Promise<CampaignRead>;
  /** Sends exactly this text, which must be the canonical JSON of a complete campaign. */
  update(cid: number, body: string): Promise<void>;
  updateStatus(body: string): Promise<void>;
}

/** Reads campaigns over REST, or with the read tools. */
export type CampaignReader = Pick<MemberClient, 'list' | 'get'>;

const campaigns = '/login/campaigns';
/** The list allocates space for the reported total. A false total must not exhaust the memory. */
const maxCampaigns = 1_000_000;
const listAnswerSchema = envelopeSchema.extend({
  status: z.literal('success'),
  data: campaignListSchema.extend({ total: campaignListSchema.shape.total.max(maxCampaigns) }),
});
const editAnswerSchema = envelopeSchema.extend({
  status: z.literal('success'),
  data: z.custom<JsonObject>(isJsonObject),
});
const updateAnswerSchema = envelopeSchema.extend({ status: z.literal('success') });

export function createMemberClient(settings: MemberClientOptions): MemberClient {
  return {
    async list(params, signal) {
      const answer = await read(settings, `${campaigns}/campaigns?${listQuery(params)}`, signal);
      return parseAnswer(answer, listAnswerSchema).data;
    },

    async get(cid, signal) {
      const answer = await read(settings, `${campaigns}/${cid}`, signal);
      const raw = parseAnswer(answer, editAnswerSchema).data;
      const edit = checkShape(raw, campaignEditSchema, answer.conceal);
      if (edit.campaign['cid'] !== cid) {
        throw new AppError('service_answer_unreadable', { data: { cid } });
      }
      return { raw, edit };
    },

    async update(cid, body) {
      const answer = await write(settings, `${campaigns}/${cid}`, body);
      try {
        parseAnswer(answer, updateAnswerSchema);
      } catch (cause) {
        throw new AppError('outcome_unknown', { cause });
      }
    },

    // The contract does not define the body of the success answer, so only the status counts.
    async updateStatus(body) {
      await write(settings, `${campaigns}/update-status`, body);
    },
  };
}

interface MemberCall {
  method: 'GET' | 'PUT';
  path: string;
  body?: string;
  signal?: AbortSignal | undefined;
  ownConnection: boolean;
}

/** One request with the member token (contract §5.1). */
async function call(settings: MemberClientOptions, { path, ...request }: MemberCall): Promise<ServiceAnswer> {
  const credential = await settings.token();
  const headers = { authorization: `Bearer ${credential}`, accept: 'application/json' };
  return askService(settings, {
    ...request,
    url: new URL(`${settings.baseUrl}${path}`),
    headers: request.body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    credential,
  });
}

function read(
  settings: MemberClientOptions,
  path: string,
  signal: AbortSignal | undefined,
): Promise<ServiceAnswer> {
  const attempt = async ({ ownConnection }: { ownConnection: boolean }): Promise<ServiceAnswer> => {
    const answer = await call(settings, { method: 'GET', path, signal, ownConnection });
    if (!isSuccess(answer)) throw refusalOf(answer);
    return answer;
  };
  return withRetry(attempt, { pauses: settings.pauses, signal });
}

/**
 * Sends once, because the approval covers one sending. Uses a new connection:
 * if the service closed a reused one, the outcome would be unknown.
 */
async function write(settings: MemberClientOptions, path: string, body: string): Promise<ServiceAnswer> {
  const answer = await call(settings, { method: 'PUT', path, body, ownConnection: true });
  if (isSuccess(answer)) return answer;
  const refusal = refusalOf(answer);
  // A failing server may have stored the change before it failed.
  if (answer.status < 400 || answer.status >= 500) throw new AppError('outcome_unknown', { cause: refusal });
  throw refusal;
}

function listQuery({ page, perPage, sort, order, query, status, types }: ListParams): string {
  const search = new URLSearchParams({ page: String(page), perPage: String(perPage) });
  if (sort !== undefined) search.set('sort', sort);
  if (order !== undefined) search.set('order', order);
  if (query !== undefined && query !== '') search.set('query', query);
  if (status !== undefined) search.set('status', String(status));
  for (const type of types ?? []) search.append('types', String(type));
  return search.toString();
}

interface AllRows {
  rows: CampaignRow[];
  /** False if campaigns disappeared during the read, or the total does not match: rows may have been missed between two pages. */
  isConsistent: boolean;
}

interface AllRowsOptions {
  status?: StatusCode;
  signal?: AbortSignal;
  onPage?: (count: number) => void;
}

/**
 * Reads all campaigns in order of ID, in the largest pages. A campaign on two pages is returned once, as last read. Stops at
 * a page without new campaigns or at the last page.
 */
export async function readAllRows(
  client: Pick<MemberClient, 'list'>,
  { status, signal, onPage }: AllRowsOptions = {},
): Promise<AllRows> {
  const rows = new Map<number, CampaignRow>();
  const totals: number[] = [];
  const query = {
    perPage: listLimits.maxPerPage,
    sort: 'cid',
    order: 'asc',
    ...(status === undefined ? {} : { status }),
  } as const;
  for (let page = listLimits.firstPage; ; page += 1) {
    const knownCount = rows.size;
    const { data, total, totalPages } = await client.list({ ...query, page }, signal);
    for (const row of data) rows.set(row.cid, row);
    onPage?.(rows.size);
    totals.push(total);
    if (rows.size === knownCount || page >= totalPages) break;
  }
  const isShrinking = totals.some((total, index) => total < (totals[index - 1] ?? 0));
  return { rows: [...rows.values()], isConsistent: !isShrinking && totals.at(-1) === rows.size };
}

const maxReads = 3;

/** Reads up to three times, until a read is consistent or two successive reads return the same campaigns. */
export async function readConsistentRows(
  client: Pick<MemberClient, 'list'>,
  options: AllRowsOptions = {},
): Promise<AllRows> {
  let read = await readAllRows(client, options);
  for (let round = 1; round < maxReads && !read.isConsistent; round += 1) {
    const before = new Set(read.rows.map(({ cid }) => cid));
    read = await readAllRows(client, options);
    const { rows } = read;
    if (rows.length === before.size && rows.every(({ cid }) => before.has(cid)))
      return { rows, isConsistent: true };
  }
  return read;
}
