import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '#core/platform/logger.ts';
import { lookForRows } from '#core/proposals/operations/status-change/find-list-rows.ts';
import {
  callReadOnly,
  createCampaignTools,
  createMemberClient,
  createRemoteClient,
} from '#core/service-client/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { startBackend } from '#test/core/backend/open-backend.ts';
import { failureOf } from './failure-of.ts';

/** Opens one account twice: with the member API of the contract, and with its tools. */
async function openBoth() {
  const running = await startBackend({ campaigns: 60 });
  onTestFinished(() => running.dispose());
  const grant = await running.backend.issueRemoteGrant({ account: 'buyer', scopes: ['svc:read'] });
  const token = async () => grant.accessToken;
  const remote = createRemoteClient({
    mcpUrl: `http://127.0.0.1:${running.port}`,
    access: { token, renew: token },
    timeoutMs: 10_000,
    logger: silentLogger,
  });
  onTestFinished(() => remote.dispose());
  const member = createMemberClient({
    baseUrl: running.baseUrl,
    token: async () => running.credentials.memberToken,
    timeoutMs: 10_000,
    logger: silentLogger,
  });
  return { tools: createCampaignTools(remote), member };
}

test('the tools read the same campaigns as REST: pages, filters, one campaign by its id, and one in full', async () => {
  const { tools, member } = await openBoth();
  const params = { page: 2, perPage: 10, sort: 'payout', order: 'asc', status: 1 } as const;
  expect(await tools.list(params)).toMatchObject({ ...(await member.list(params)) });
  const { data } = await member.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
  const { cid = 0 } = data[45] ?? {};
  const found = await tools.list({ page: 1, perPage: 20, query: String(cid) });
  expect(found.data.filter((row) => row.cid === cid)).toEqual(data.filter((row) => row.cid === cid));
  expect((await tools.get(cid)).raw).toEqual((await member.get(cid)).raw);
});

test('a read without an answer fails as an unreachable service, not as an unknown outcome', async () => {
  const tools = createCampaignTools({
    callTool: () =>
      Promise.reject(
        new AppError('outcome_unknown', { cause: new AppError('service_failed', { data: { sent: true } }) }),
      ),
  });
  expect((await failureOf(tools.get(1))).code).toBe('service_unreachable');
});

test('a missing campaign is not found by any kind of read', async () => {
  const { tools } = await openBoth();
  expect((await failureOf(tools.get(999_999))).code).toBe('campaign_not_found');
  expect((await tools.list({ page: 1, perPage: 200, query: '999999' })).data).toEqual([]);
});

/** The tools of an account with `count` campaigns, at most `atOnce` of them per answer, with this pagination. */
function toolsOf(
  count: number,
  { atOnce, paginationOf }: { atOnce: number; paginationOf(next: number | null): JsonObject },
) {
  const rows = Array.from({ length: count }, (_, at) => ({
    ...exampleRow,
    cid: at + 1,
    name: `Name ${at + 1}`,
  }));
  return createCampaignTools({
    async callTool(_name, { offset, limit }) {
      const start = Number(offset);
      const data = rows.slice(start, start + Math.min(Number(limit), atOnce));
      const end = start + data.length;
      const sourcePagination = paginationOf(end < count ? end : null);
      return { structuredContent: { status: 'success', data, sourcePagination } };
    },
  });
}

const exampleRow = {
  uid: 1,
  type_name: 'Push',
  website: '',
  geo: ['DE'],
  payout: 0.05,
  d_revenue: 10,
  t_revenue: 0,
  daily_budget: 10,
  total_budget: 0,
  bid_control_count: 0,
  status: 1,
  status_name: 'Active',
};

test.each<[what: string, atOnce: number, paginationOf: (next: number | null) => JsonObject]>([
  ['no total', 200, (next) => ({ complete: next === null, nextOffset: next })],
  [
    'no next offset at the end',
    200,
    (next) => (next === null ? { complete: true } : { complete: false, nextOffset: next }),
  ],
  [
    'its exactness in other words',
    200,
    (next) => ({ complete: next === null, exact: true, nextOffset: next }),
  ],
  [
    'a total that is no number',
    200,
    (next) => ({ complete: next === null, total: 'about 450', nextOffset: next }),
  ],
  ['fewer rows at once', 50, (next) => ({ complete: next === null, nextOffset: next })],
])(
  'every campaign is found if the list has %s, which the contract leaves open',
  async (_, atOnce, paginationOf) => {
    const tools = toolsOf(450, { atOnce, paginationOf });
    const cids = Array.from({ length: 450 }, (_one, at) => at + 1);
    expect([...(await lookForRows(tools, cids)).keys()]).toEqual(cids);
    const last = await tools.list({ page: 3, perPage: 200, sort: 'cid', order: 'asc' });
    expect(last).toMatchObject({ total: 450, currentPage: 3, totalPages: 3 });
    expect(last.data.map(({ cid }) => cid)).toEqual(cids.slice(400));
    expect((await tools.list({ page: 1, perPage: 20, query: '449' })).data).toHaveLength(1);
  },
);

test.each<[where: string, result: JsonObject, words: string]>([
  ['its text alone', { content: [{ type: 'text', text: 'Not at night' }], isError: true }, '“Not at night”'],
  [
    'its structured content',
    {
      content: [],
      structuredContent: { status: 'error', error: { message: 'Not at night' } },
      isError: true,
    },
    '“Not at night”',
  ],
  [
    'structured content of another form',
    {
      content: [{ type: 'text', text: 'Not at night' }],
      structuredContent: { status: 'error' },
      isError: true,
    },
    '“Not at night”',
  ],
  ['nothing', { isError: true }, ''],
])('a refusal of a tool quotes the words that the service gives in %s', async (_, result, words) => {
  const remote = { callTool: async () => result };
  for (const read of [
    createCampaignTools(remote).get(1),
    callReadOnly(remote, { name: 'svc_list_tasks', args: {} }),
  ]) {
    const { code, message } = await failureOf(read);
    expect(code).toBe('tool_refused');
    expect(message.includes('The service says')).toBe(words !== '');
    expect(message).toContain(words);
  }
});
