import { z } from 'zod';
import { JsonText } from '#core/mcp-server/index.ts';
import { type BackendReader, newestFirst } from '#core/store/backend/index.ts';
import {
  campaignRowSchema,
  isStatusCode,
  listLimits,
  sortColumns,
  campaignTypesSchema,
  settingsSchema,
  type StatusCode,
  xmlGroupings,
  xmlStatsRowSchema,
  searchReportRowSchema,
  statusCodes,
  statusNames,
} from '#shared/contract/index.ts';
import { loadOwnedText } from '../member/campaign-rules.ts';
import type { PublisherReports } from '../publisher/reports.ts';
import { xmlRowJson, searchRowJson } from '../publisher/send-report.ts';
import {
  type RemotePrincipal,
  type RemoteTool,
  type Requirements,
  defineTool,
  hasModule,
  hasOrderedDates,
  isOffered,
  dateOrderIssue,
  paginationOf,
} from '../remote-call/tool.ts';
import type { BackendService } from '../service.ts';
import type { PromptCatalogue } from './prompts.ts';
import type { ResourceCatalogue } from './resources.ts';

const statusWords = ['pending', 'active', 'suspended', 'paused', 'scheduled'] as const;
const statusDigits = ['0', '1', '2', '3', '4'] as const;

const listInput = z.strictObject({
  status: z
    .literal([...statusWords, ...statusDigits])
    .optional()
    .describe('Only campaigns with this status, as a word or as its code.'),
  orderBy: z.enum(sortColumns).default('cid').describe('The column to sort by.'),
  order: z.enum(['asc', 'desc']).default('desc'),
  offset: z.int().min(0).default(0).describe('How many campaigns to step over.'),
  limit: z.int().min(listLimits.minPerPage).max(listLimits.maxPerPage).default(listLimits.defaultPerPage),
  detailLevel: z
    .enum(['summary', 'full'])
    .default('summary')
    .describe('summary: list rows; full: complete campaigns, perhaps fewer than the limit.'),
});

/** `svc_list_campaigns` (contract §4.3, §2.2): pages of the member's own campaigns. */
export function listCampaignsTool(read: BackendReader): RemoteTool {
  return defineTool({
    name: 'svc_list_campaigns',
    title: 'List campaigns',
    description:
      'Lists the campaigns of this account. Go on at sourcePagination.nextOffset until complete is true. A summary row is not an editable campaign.',
    kind: 'read',
    scopes: [],
    modules: ['campaigns'],
    input: listInput,
    output: z.array(z.union([campaignRowSchema, campaignPayloadSchema])),
    run({ member }, { status, orderBy, order, offset, limit, detailLevel }) {
      const page = read.list({
        ...newestFirst,
        uid: member.uid,
        status: statusOf(status),
        sort: orderBy,
        order,
        offset,
        limit,
      });
      // Stored rows and campaigns are the JSON that is sent.
      const items = detailLevel === 'full' ? readPayloads(read, member.uid, page.rows) : page.rows;
      const sourcePagination = paginationOf({ offset, limit, total: page.total, items: items.length });
      return { data: new JsonText(`[${items.join(',')}]`), sourcePagination };
    },
  });
}

function statusOf(asked: string | undefined): StatusCode | null {
  if (asked === undefined) return null;
  const code = /^\d$/.test(asked) ? Number(asked) : statusWords.findIndex((word) => word === asked);
  return isStatusCode(code) ? code : null;
}

/** `svc_get_campaign` (contract §2.3): returns the data of the REST GET. Absent and foreign campaigns give an equal 404. */
export function getCampaignTool({ store, context }: BackendService): RemoteTool {
  const types = JSON.stringify(context.types);
  const settings = JSON.stringify(context.settings);
  return defineTool({
    name: 'svc_get_campaign',
    title: 'Get a campaign',
    description:
      'Loads one complete campaign with the campaign types and settings that its values must keep to. Read it before every change.',
    kind: 'read',
    scopes: [],
    modules: ['campaigns'],
    input: z.strictObject({ cid: z.int().min(1).describe('The campaign id.') }),
    output: z.strictObject({
      campaign: campaignPayloadSchema,
      campaign_types: campaignTypesSchema,
      settings: settingsSchema,
    }),
    run({ member }, { cid }) {
      const campaign = loadOwnedText(store.read, member.uid, cid);
      const text = `{"campaign":${campaign},"campaign_types":${types},"settings":${settings}}`;
      return { data: new JsonText(text) };
    },
  });
}

/**
 * Maximum characters of all payloads in an answer, counted once although each is sent twice. The first payload is always
 * included.
 */
const maxCharacters = 512 * 1024;

function readPayloads(read: BackendReader, uid: number, rows: readonly string[]): string[] {
  const payloads: string[] = [];
  let characters = 0;
  for (const row of rows) {
    const { cid } = JSON.parse(row) as { cid: number };
    const payload = read.payload(uid, cid);
    if (payload === null) throw new Error('A row of the list has no campaign');
    characters += payload.length;
    if (payloads.length > 0 && characters > maxCharacters) break;
    payloads.push(payload);
  }
  return payloads;
}

/** Fields that every campaign type has (contract §2.4). Other fields are allowed. */
const campaignPayloadSchema = z.looseObject({
  cid: z.int(),
  uid: z.int(),
  name: z.string(),
  type: z.int(),
  status: z.int().min(0).max(4),
  payout: z.number(),
});

const rangeShape = {
  date_from: z.iso.date().describe('First day, YYYY-MM-DD, UTC.'),
  date_to: z.iso.date().describe('Last day, inclusive, YYYY-MM-DD, UTC.'),
};

const maxRows = 1_000;

const xmlInput = z
  .strictObject({
    tid: z.int().min(1).describe('A traffic source of this account; svc_whoami names them.'),
    ...rangeShape,
    groupBy: z.enum(xmlGroupings).default('day'),
    offset: z.int().min(0).default(0).describe('How many rows to step over.'),
    limit: z.int().min(1).max(maxRows).default(maxRows),
  })
  .refine(hasOrderedDates, dateOrderIssue);

/** `svc_xml_stats` (contract §2.5, §2.7): pages of `/xml/stats`. Fails with `source_forbidden` for another account's tid. */
export function xmlStatsTool(reports: PublisherReports): RemoteTool {
  return defineTool({
    name: 'svc_xml_stats',
    title: 'XML traffic statistics',
    description:
      'Traffic of one source over a range of days, by day, country or subid. Today is partial. No rows means no traffic. Go on at sourcePagination.nextOffset until complete is true.',
    kind: 'read',
    scopes: [],
    modules: ['xml'],
    input: xmlInput,
    output: z.array(xmlStatsRowSchema),
    async run({ member }, { tid, date_from: from, date_to: to, groupBy, offset, limit }) {
      const rows = await reports.xml({ uid: member.uid, tid, from, to, groupBy });
      const page = rows.slice(offset, offset + limit);
      return {
        data: page.map((row) => xmlRowJson(row, groupBy)),
        sourcePagination: paginationOf({ offset, limit, total: rows.length, items: page.length }),
      };
    },
  });
}

const defaultSearchRows = 100;

const searchInput = z
  .strictObject({
    ...rangeShape,
    sid: z.int().min(1).optional().describe('One feed of this account; every feed when left out.'),
    offset: z.int().min(0).default(0).describe('How many rows to step over.'),
    limit: z.int().min(1).max(maxRows).default(defaultSearchRows),
  })
  .refine(hasOrderedDates, dateOrderIssue);

/** `svc_search_report` (contract §2.6): pages of `/publisher/search-report`. */
export function searchReportTool(reports: PublisherReports): RemoteTool {
  return defineTool({
    name: 'svc_search_report',
    title: 'Search report',
    description:
      'Search traffic by day, feed, country and subid; numbers are decimal texts. Go on at sourcePagination.nextOffset until complete is true.',
    kind: 'read',
    scopes: [],
    modules: ['search'],
    input: searchInput,
    output: z.array(searchReportRowSchema),
    async run({ member }, { date_from: from, date_to: to, sid = null, offset, limit }) {
      const { rows, total } = await reports.search({ uid: member.uid, sid, from, to, offset, limit });
      return {
        data: rows.map(searchRowJson),
        sourcePagination: paginationOf({ offset, limit, total, items: rows.length }),
      };
    },
  });
}

const count = z.int().min(0);
const offeredSchema = z.strictObject({
  available: count.describe('What this connection may use.'),
  catalog: count.describe('What the service has in all.'),
});

interface OfferedLists {
  /** Every tool except `svc_whoami`, which every caller may use. */
  otherTools: readonly Requirements[];
  resources: Pick<ResourceCatalogue, 'size' | 'countFor'>;
  prompts: Pick<PromptCatalogue, 'size' | 'offered'>;
}

const whoamiOutput = z.strictObject({
  tenant: z.string(),
  identity: z.strictObject({
    type: z.enum(['oauth', 'direct-jwt']).describe('What kind of token this connection shows.'),
    role: z.enum(['member', 'publisher']),
    uid: z.int(),
    name: z.string(),
  }),
  clientId: z.string(),
  scopes: z.array(z.string()),
  modules: z.array(z.string()),
  counts: z.strictObject({ tools: offeredSchema, resources: offeredSchema, prompts: offeredSchema }),
  campaigns: z
    .strictObject({ total: count, byStatus: z.record(z.string(), count) })
    .nullable()
    .describe('Null where the account has no campaigns module.'),
  sources: z
    .strictObject({ tids: z.array(z.int()), feeds: z.array(z.int()) })
    .describe('Traffic sources and feeds of the account, for the reports.'),
});

/** `svc_whoami` (contract §4.3): who is connected and their permissions; changes nothing. */
export function whoamiTool(
  { store, tenant }: BackendService,
  { reports, ...lists }: OfferedLists & { reports: PublisherReports },
): RemoteTool {
  return defineTool({
    name: 'svc_whoami',
    title: 'Who am I',
    description:
      'Says which account this connection acts for, its modules and scopes, and how much of the service is open to it. Call it first.',
    kind: 'read',
    scopes: [],
    modules: [],
    input: z.strictObject({}),
    output: whoamiOutput,
    run(principal) {
      const { member, clientId, scopes, identity } = principal;
      const { uid, name, role, modules } = member;
      const { tids, feeds } = reports.sources(uid);
      const data: z.output<typeof whoamiOutput> = {
        tenant: tenant.id,
        identity: { type: identity, role, uid, name },
        clientId,
        scopes: [...scopes].toSorted(),
        modules: [...modules],
        counts: countsOf(principal, lists),
        campaigns: hasModule(principal, { modules: ['campaigns'] }) ? countCampaigns(store.read, uid) : null,
        sources: {
          tids: hasModule(principal, { modules: ['xml'] }) ? tids : [],
          feeds: hasModule(principal, { modules: ['search'] }) ? feeds : [],
        },
      };
      return { data };
    },
  });
}

function countsOf(
  principal: RemotePrincipal,
  { otherTools, resources, prompts }: OfferedLists,
): z.output<typeof whoamiOutput>['counts'] {
  const tools = otherTools.filter((tool) => isOffered(principal, tool));
  return {
    tools: { available: 1 + tools.length, catalog: 1 + otherTools.length },
    resources: { available: resources.countFor(principal), catalog: resources.size },
    prompts: { available: prompts.offered(principal).length, catalog: prompts.size },
  };
}

/** Uses the stored counts, so that no campaign is read. */
function countCampaigns(
  read: BackendReader,
  uid: number,
): { total: number; byStatus: Record<string, number> } {
  const entries = statusCodes.map((status): [string, number] => {
    const { total } = read.list({ ...newestFirst, uid, status, limit: 0 });
    return [statusNames[status].toLowerCase(), total];
  });
  return {
    total: entries.reduce((sum, [, total]) => sum + total, 0),
    byStatus: Object.fromEntries(entries),
  };
}
