import { z } from 'zod';
import type { BackendReader } from '#core/store/backend/index.ts';
import { statusCodes, statusNames } from '#shared/contract/index.ts';
import type { PublisherReports } from '../publisher/reports.ts';
import type { BackendService } from '../service.ts';
import {
  defineTool,
  hasModule,
  isOffered,
  type RemotePrincipal,
  type RemoteTool,
  type Requirements,
} from '../remote-call/tool.ts';
import type { PromptCatalogue } from './prompts.ts';
import type { ResourceCatalogue } from './resources.ts';

const count = z.int().min(0);
const offeredSchema = z.strictObject({
  available: count.describe('What this connection may use.'),
  catalog: count.describe('What the service has in all.'),
});

interface OfferedLists {
  /** Every tool but this one, which whoever calls it may use. */
  otherTools: readonly Requirements[];
  resources: Pick<ResourceCatalogue, 'size' | 'countFor'>;
  prompts: Pick<PromptCatalogue, 'size' | 'offered'>;
}

const output = z.strictObject({
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

/** `svc_whoami` (contract §4.3): who is connected and what it may do; changes nothing. */
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
    output,
    run(principal) {
      const { member, clientId, scopes, identity } = principal;
      const { uid, name, role, modules } = member;
      const { tids, feeds } = reports.sources(uid);
      const data: z.output<typeof output> = {
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
): z.output<typeof output>['counts'] {
  const tools = otherTools.filter((tool) => isOffered(principal, tool));
  return {
    tools: { available: 1 + tools.length, catalog: 1 + otherTools.length },
    resources: { available: resources.countFor(principal), catalog: resources.size },
    prompts: { available: prompts.offered(principal).length, catalog: prompts.size },
  };
}

/** From the maintained counts: no campaign is touched. */
function countCampaigns(
  read: BackendReader,
  uid: number,
): { total: number; byStatus: Record<string, number> } {
  const entries = statusCodes.map((status): [string, number] => {
    const { total } = read.list({
      uid,
      match: { kind: 'all' },
      status,
      types: [],
      sort: 'cid',
      order: 'desc',
      offset: 0,
      limit: 0,
    });
    return [statusNames[status].toLowerCase(), total];
  });
  return {
    total: entries.reduce((sum, [, total]) => sum + total, 0),
    byStatus: Object.fromEntries(entries),
  };
}
