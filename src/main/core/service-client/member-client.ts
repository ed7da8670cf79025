import { z } from 'zod';
import {
  campaignEditSchema,
  campaignListSchema,
  envelopeSchema,
  type CampaignEdit,
  type CampaignList,
  type SortColumn,
} from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import { call, type Call, type CallSettings } from './exchange.ts';
import { type ServiceAnswer, checkShape, isSuccess, parseAnswer, refusalOf } from './answers.ts';
import { withRetry } from './retry.ts';

export type MemberClientOptions = CallSettings;

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

/** One campaign as the service gave it: `raw` is the whole `data`, `edit` the same values with their shape checked. */
export interface CampaignRead {
  raw: JsonObject;
  edit: CampaignEdit;
}

/**
 * The member's campaigns over the contract (§4.1). Refusals are `AppError` by contract §7.1. Reads are tried again by the one
 * policy (`withRetry`), and an aborted one fails with the reason of its signal; writes leave once, whatever comes of it:
 * without a readable answer they fail with `outcome_unknown`.
 */
export interface MemberClient {
  list(params: ListParams, signal?: AbortSignal): Promise<CampaignList>;
  get(cid: number, signal?: AbortSignal): Promise<CampaignRead>;
  /** Sends these bytes, which must be the canonical text of a complete campaign. */
  update(cid: number, body: string): Promise<void>;
  /** Sends these bytes, the canonical text of `{ids, status}`. */
  updateStatus(body: string): Promise<void>;
}

/** Reads campaigns, over the contract or by the read tools. */
export type CampaignReader = Pick<MemberClient, 'list' | 'get'>;

const campaigns = '/login/campaigns';
/** A window takes room for every row of a list; one word of the service must not take all there is. */
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

/** Makes the client of one profile's member backend. Nothing to close: it holds no connection of its own. */
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
      const answer = await write(settings, { method: 'PUT', path: `${campaigns}/${cid}`, body });
      try {
        parseAnswer(answer, updateAnswerSchema);
      } catch (cause) {
        throw new AppError('outcome_unknown', { cause });
      }
    },

    // The body of the success answer is not part of the contract; the status alone counts.
    async updateStatus(body) {
      await write(settings, { method: 'PUT', path: `${campaigns}/update-status`, body });
    },
  };
}

function read(settings: CallSettings, path: string, signal: AbortSignal | undefined): Promise<ServiceAnswer> {
  const attempt = async ({ ownConnection }: { ownConnection: boolean }): Promise<ServiceAnswer> => {
    const answer = await call(settings, { method: 'GET', path, signal, ownConnection });
    if (!isSuccess(answer)) throw refusalOf(answer);
    return answer;
  };
  return withRetry(attempt, { pauses: settings.pauses, signal });
}

/**
 * Leaves once: the approval covers one sending, right after one read. Over a connection of its own: one that the service closes as it
 * is used again would leave the outcome unknown.
 */
async function write(settings: CallSettings, request: Omit<Call, 'ownConnection'>): Promise<ServiceAnswer> {
  const answer = await call(settings, { ...request, ownConnection: true });
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
