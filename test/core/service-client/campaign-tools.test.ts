import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '#core/platform/logger.ts';
import { createCampaignTools, createMemberClient, createRemoteClient } from '#core/service-client/index.ts';
import { startBackend } from '#test/core/backend/open-backend.ts';
import { failureOf } from './failure-of.ts';

/** The same account, once over the contract and once by its tools. */
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

test('the tools read the same campaigns as the contract does: pages, filters, one by its id, one whole', async () => {
  const { tools, member } = await openBoth();
  const params = { page: 2, perPage: 10, sort: 'payout', order: 'asc', status: 1 } as const;
  expect(await tools.list(params)).toMatchObject({ ...(await member.list(params)) });
  const { data } = await member.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
  const { cid = 0 } = data[45] ?? {};
  const found = await tools.list({ page: 1, perPage: 20, query: String(cid) });
  expect(found.data.filter((row) => row.cid === cid)).toEqual(data.filter((row) => row.cid === cid));
  expect((await tools.get(cid)).raw).toEqual((await member.get(cid)).raw);
});

test('an absent campaign is not found, for every reader', async () => {
  const { tools } = await openBoth();
  expect((await failureOf(tools.get(999_999))).code).toBe('campaign_not_found');
  expect((await tools.list({ page: 1, perPage: 200, query: '999999' })).data).toEqual([]);
});
