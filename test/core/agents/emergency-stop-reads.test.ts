import { expect, test } from 'vitest';
import { inParts, rowsWithStatus } from '#core/agents/emergency-stop/campaigns.ts';
import type { CampaignList, CampaignRow } from '#shared/contract/index.ts';

function row(cid: number, status: number): CampaignRow {
  return {
    cid,
    uid: 7,
    type_name: 'CPC Push',
    name: `Campaign ${cid}`,
    website: '',
    geo: [],
    payout: 0.05,
    d_revenue: 50,
    t_revenue: 0,
    daily_budget: 50,
    total_budget: 0,
    bid_control_count: 0,
    status,
    status_name: '',
  };
}

interface Asked {
  page?: number;
  perPage?: number;
  status?: number;
}

/** A service with these campaigns; `meanwhile` happens after each page. */
function serviceWith(campaigns: CampaignRow[], meanwhile = (): void => {}) {
  const asked: Asked[] = [];
  return {
    asked,
    async list({ page = 1, perPage = 20, status }: Asked): Promise<CampaignList> {
      asked.push({ page, perPage, ...(status === undefined ? {} : { status }) });
      const all = campaigns.filter((one) => one.status === status);
      const data = all.slice((page - 1) * perPage, page * perPage);
      meanwhile();
      return { data, total: all.length, currentPage: page, totalPages: Math.ceil(all.length / perPage) };
    },
  };
}

const many = (count: number, status: number, from = 1): CampaignRow[] =>
  Array.from({ length: count }, (_row, index) => row(from + index, status));

test('everything that runs is read by whole pages, and nothing else', async () => {
  const service = serviceWith([...many(450, 1), ...many(3, 4, 1000), ...many(200, 3, 2000)]);
  const rows = await rowsWithStatus(service, [1, 4]);
  expect(rows.size).toBe(453);
  expect(service.asked).toEqual([
    { page: 1, perPage: 200, status: 1 },
    { page: 2, perPage: 200, status: 1 },
    { page: 3, perPage: 200, status: 1 },
    { page: 1, perPage: 200, status: 4 },
  ]);
});

test('one that slips to a page that was read already is found all the same', async () => {
  const campaigns = many(250, 1);
  const service = serviceWith(campaigns, () => {
    // The first of the second page takes the place of one that has ended.
    if (service.asked.length === 1) campaigns.splice(10, 1);
  });
  const rows = await rowsWithStatus(service, [1]);
  expect([...rows.keys()]).toEqual(campaigns.map(({ cid }) => cid));
  expect(rows.has(201)).toBe(true);
});

test('a list that never adds up is taken as it was seen', async () => {
  const service = serviceWith(many(1, 1));
  const lying = {
    list: async (asked: Asked) => ({ ...(await service.list(asked)), total: 9 }),
  };
  expect((await rowsWithStatus(lying, [1])).size).toBe(1);
  expect(service.asked).toHaveLength(2);
});

test('more than one change of status takes are several, in their order', () => {
  const cids = Array.from({ length: 2001 }, (_cid, index) => index);
  const parts = inParts(cids);
  expect(parts.map(({ length }) => length)).toEqual([1000, 1000, 1]);
  expect(parts.flat()).toEqual(cids);
  expect(inParts([])).toEqual([]);
});
