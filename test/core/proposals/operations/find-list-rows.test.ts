import { expect, test } from 'vitest';
import { lookForRows } from '#core/proposals/operations/status-change/find-list-rows.ts';
import type { CampaignReader, ListParams } from '#core/service-client/index.ts';
import type { CampaignRow } from '#shared/contract/index.ts';

const perPage = 200;
const accountSize = 20_000;
const account = Array.from({ length: accountSize }, (_one, at) => (at + 1) * 10);
const gone = 100_005;

/** A list in this order, whatever order is requested. */
function listOf(cids: readonly number[]) {
  const asked: ListParams[] = [];
  const client = {
    async list(params: ListParams) {
      asked.push(params);
      const { page, query } = params;
      const of = query === undefined ? cids : cids.filter((cid) => String(cid) === query);
      const data = of.slice((page - 1) * perPage, page * perPage).map((cid) => ({ cid }) as CampaignRow);
      return { data, total: of.length, currentPage: page, totalPages: Math.ceil(of.length / perPage) };
    },
  } as unknown as CampaignReader;
  return { client, asked };
}

test.each([
  ['at the end', account.slice(-1_000)],
  ['in the middle', account.slice(9_950, 10_950)],
  ['at the beginning', account.slice(0, 1_000)],
  ['that begin in the middle, of which one was deleted,', [...account.slice(9_950, 10_900), gone]],
])('a thousand campaigns %s of a long list are found with few page requests', async (_where, cids) => {
  const { client, asked } = listOf(account);
  const found = await lookForRows(client, cids);
  expect(new Set(found.keys())).toEqual(new Set(cids.filter((cid) => cid !== gone)));
  expect(asked.length).toBeLessThan(20);
});

test('campaigns are found in a list that the service sorts in reverse', async () => {
  const { client } = listOf(account.toReversed());
  const cids = account.slice(5_000, 6_000);
  expect((await lookForRows(client, cids)).size).toBe(cids.length);
});
