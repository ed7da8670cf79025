import { campaignEditSchema, campaignRowSchema, sourcePaginationSchema } from '#shared/contract/index.ts';
import { z } from 'zod';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import { foldedText } from '#shared/lib/folded-text.ts';
import { checkShape, withServiceWords } from './answers.ts';
import type { CampaignReader, ListParams } from './member-client.ts';
import { toolErrorIn, type ToolCaller, toolRefusalWords } from './prepared-change.ts';
import { sentence } from '#shared/lib/sentence.ts';

/** The contract names no total (§2.7): a service may leave it out. */
const listSchema = z.object({
  data: z.array(campaignRowSchema),
  sourcePagination: sourcePaginationSchema.extend({ total: z.int().min(0).optional().catch(undefined) }),
});

type ToolPage = z.infer<typeof listSchema>;

/** Maximum number of pages that are read. */
const maxPages = 500;

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
    return checkShape(await call('svc_list_campaigns', args, signal), listSchema, plain);
  }

  async function search(params: ListParams, query: string, signal: AbortSignal | undefined) {
    const found: ToolPage['data'] = [];
    let offset: number | null = 0;
    for (let pages = 0; offset !== null && pages < maxPages; pages += 1) {
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

/** No credential goes with the words of a tool: the remote client has blanked it. */
const plain = (text: string): string => text;

/** A refused read: what is not there, or not ours, is one answer (contract §7.3). */
function refusalOf(result: JsonObject): AppError {
  if (toolErrorIn(result)['statusCode'] === 404) return new AppError('campaign_not_found');
  const words = toolRefusalWords(result);
  return new AppError(
    'tool_refused',
    withServiceWords(sentence`The service refused to read the campaigns.`, words),
  );
}
