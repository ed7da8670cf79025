import { z } from 'zod';
import { sourcePaginationSchema } from '#shared/contract/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { ownWords } from '#shared/lib/sentence.ts';
import { type CheckContext, checksThatNeed, drift, given, notChecked, type RpcAnswer } from '../check.ts';
import { listOf, objectOf, expectShape, shown } from '../expect.ts';

const pageSize = 200;
const maxPages = 10;

const toolSchema = z.looseObject({ name: z.string().min(1), inputSchema: z.looseObject({}) });
const resourceSchema = z.looseObject({ uri: z.string(), name: z.string() });
const promptSchema = z.looseObject({ name: z.string() });

function contentOf({ result, status }: RpcAnswer): JsonObject {
  if (result === null) {
    if (status === 403) throw notChecked`The service refuses this account the tool (403).`;
    throw drift`Expected a result; came a refusal (${status === 0 ? ownWords('no status') : status}).`;
  }
  if (listOf(result['content'], 'content').length === 0) throw drift`Expected text content; came none.`;
  const structured = objectOf(result['structuredContent'], 'structuredContent');
  if (typeof structured['status'] !== 'string')
    throw drift`Expected a status; came ${shown(structured['status'])}.`;
  if (structured['data'] === undefined) throw drift`Expected data; came nothing.`;
  return structured;
}

async function pageOf({ remote }: CheckContext, args: JsonObject) {
  const { sourcePagination, data } = contentOf(await remote.read('svc_list_campaigns', args));
  const { complete, nextOffset = null } = expectShape(
    sourcePagination,
    sourcePaginationSchema,
    'sourcePagination',
  );
  return { items: listOf(data, 'data'), complete, nextOffset };
}

async function walk(context: CheckContext): Promise<{ items: JsonValue[]; isWhole: boolean }> {
  const items: JsonValue[] = [];
  let offset = 0;
  for (let read = 0; read < maxPages; read += 1) {
    const page = await pageOf(context, { offset, limit: pageSize });
    items.push(...page.items);
    if (page.complete) return { items, isWhole: true };
    if (page.nextOffset === null)
      throw drift`Expected a nextOffset where the list is not complete; came none.`;
    if (page.nextOffset <= offset)
      throw drift`Expected a nextOffset beyond ${offset}; came ${page.nextOffset}.`;
    offset = page.nextOffset;
  }
  return { items, isWhole: false };
}

function cidsOf(items: readonly JsonValue[]): number[] {
  return items.map((item) => {
    const cid = isJsonObject(item) ? item['cid'] : undefined;
    if (typeof cid !== 'number') throw notChecked`The items of the list have no cid.`;
    return cid;
  });
}

async function compareWithList(context: CheckContext): Promise<void> {
  const walked = await given(context.once(walk), notChecked`The tool’s list could not be read.`);
  const { rows, isWhole } = await context.account.rows();
  if (!walked.isWhole || !isWhole) throw notChecked`There are too many campaigns to compare them all.`;
  const listed = new Set(rows.map(({ cid }) => cid));
  const found = cidsOf(walked.items);
  if (new Set(found).size !== found.length)
    throw drift`Expected every campaign once; came one of them twice.`;
  // Campaigns may change between two reads, so differences are looked up again.
  const isListed = async (cid: number) => (await context.account.list(`query=${cid}`)).total > 0;
  const missing = [...listed].find((cid) => !found.includes(cid));
  if (missing !== undefined && (await isListed(missing))) {
    throw drift`Expected campaign ${missing}, which is in the member’s list; came nothing.`;
  }
  const more = found.find((cid) => !listed.has(cid));
  if (more !== undefined && !(await isListed(more))) {
    throw drift`Expected the campaigns of the member’s list; came campaign ${more} besides.`;
  }
}

export const remoteToolChecks = checksThatNeed(['remote'], {
  'remote.initialize': {
    clause: '§4.3, §9',
    title: 'A session begins, and the version of the protocol is negotiated',
    async run({ remote }) {
      const { protocolVersion } = await remote.initialized();
      if (typeof protocolVersion !== 'string')
        throw drift`Expected a protocolVersion; came ${shown(protocolVersion)}.`;
    },
  },
  'remote.tools': {
    clause: '§4.3',
    title: 'The tools are listed, svc_whoami among them',
    async run({ remote }) {
      const tools = expectShape((await remote.list('tools/list'))['tools'], z.array(toolSchema), 'tools');
      const names = tools.map(({ name }) => name);
      if (new Set(names).size !== names.length)
        throw drift`Expected every tool once; came one of them twice.`;
      if (!names.includes('svc_whoami'))
        throw drift`Expected svc_whoami among the tools; came ${shown(names)}.`;
    },
  },
  'remote.resources': {
    clause: '§4.3',
    title: 'The resources are listed',
    async run({ remote }) {
      const { resources } = await remote.list('resources/list');
      expectShape(resources, z.array(resourceSchema), 'resources');
    },
  },
  'remote.prompts': {
    clause: '§4.3',
    title: 'The prompts are listed',
    async run({ remote }) {
      const { prompts } = await remote.list('prompts/list');
      expectShape(prompts, z.array(promptSchema), 'prompts');
    },
  },
  'remote.whoami': {
    clause: '§2.7, §4.3',
    title: 'svc_whoami says who is connected, as {status, data}',
    async run({ remote }) {
      const { data } = contentOf(await remote.read('svc_whoami', {}));
      if (Object.keys(objectOf(data, 'data')).length === 0)
        throw drift`Expected tenant, identity, modules and scopes; came {}.`;
    },
  },
  'remote.list-shape': {
    clause: '§2.7, §4.3',
    title: 'svc_list_campaigns says whether its list is complete',
    run: async (context) => void (await pageOf(context, {})),
  },
  'remote.list-pages': {
    clause: '§2.7, §4.3',
    title: 'svc_list_campaigns leads to its end by nextOffset',
    run: async (context) => void (await context.once(walk)),
  },
  'remote.list-agrees': {
    clause: '§1, §4.3',
    title: 'svc_list_campaigns and the member’s list hold the same campaigns',
    needs: ['remote', 'member'],
    run: compareWithList,
  },
  'remote.arguments': {
    clause: '§4.3, §7.3',
    title: 'Arguments of another type are refused',
    async run({ remote }) {
      const { result } = await remote.read('svc_list_campaigns', { offset: 'here', limit: 'there' });
      if (result !== null) throw drift`Expected a refusal of an offset that is a text; came a result.`;
    },
  },
});
