import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAllRows, readConsistentRows } from '#core/service-client/index.ts';
import type { CampaignRow } from '#shared/contract/index.ts';

interface Page {
  cids: readonly number[];
  total: number;
  totalPages: number;
}

/** A service that answers with these pages, and repeats the last page forever. */
function serviceOf(pages: readonly Page[]) {
  const asked: number[] = [];
  return {
    asked,
    async list({ page = 1 }: { page?: number }) {
      asked.push(page);
      if (asked.length > 100) throw new Error('It is asked without an end');
      const { cids, total, totalPages } = pages[Math.min(page, pages.length) - 1]!;
      return { data: cids.map((cid) => ({ cid }) as CampaignRow), total, totalPages, currentPage: page };
    },
  };
}

const cidsOf = ({ rows }: { rows: readonly CampaignRow[] }): number[] => rows.map(({ cid }) => cid);

test.each<[what: string, pages: Page[], cids: number[], requests: number, isSteady: boolean]>([
  ['no campaign', [{ cids: [], total: 0, totalPages: 0 }], [], 1, true],
  ['one page', [{ cids: [1, 2], total: 2, totalPages: 1 }], [1, 2], 1, true],
  [
    'two pages',
    [
      { cids: [1, 2], total: 3, totalPages: 2 },
      { cids: [3], total: 3, totalPages: 2 },
    ],
    [1, 2, 3],
    2,
    true,
  ],
  [
    'a campaign that was added between two pages',
    [
      { cids: [1, 2], total: 3, totalPages: 2 },
      { cids: [2, 3], total: 4, totalPages: 2 },
    ],
    [1, 2, 3],
    2,
    false,
  ],
  [
    'a campaign that was added at the end',
    [
      { cids: [1, 2], total: 3, totalPages: 2 },
      { cids: [3, 4], total: 4, totalPages: 2 },
    ],
    [1, 2, 3, 4],
    2,
    true,
  ],
  [
    'a deleted campaign that moved another to an earlier page',
    [
      { cids: [1, 2], total: 4, totalPages: 2 },
      { cids: [4], total: 3, totalPages: 2 },
    ],
    [1, 2, 4],
    2,
    false,
  ],
  [
    'a campaign that slipped past',
    [
      { cids: [1, 2], total: 4, totalPages: 2 },
      { cids: [4], total: 4, totalPages: 2 },
    ],
    [1, 2, 4],
    2,
    false,
  ],
])(
  '%s: a read returns every row, and whether the pages are consistent',
  async (_, pages, cids, requests, isSteady) => {
    const service = serviceOf(pages);
    const read = await readAllRows(service);
    expect({ cids: cidsOf(read), requests: service.asked.length, isSteady: read.isConsistent }).toEqual({
      cids,
      requests,
      isSteady,
    });
  },
);

test.each<[what: string, rounds: Page[][], cids: number[], requests: number, isSteady: boolean]>([
  [
    'until no campaign slips past',
    [
      [
        { cids: [1, 2], total: 4, totalPages: 2 },
        { cids: [4], total: 3, totalPages: 2 },
      ],
      [
        { cids: [2, 3], total: 3, totalPages: 2 },
        { cids: [4], total: 3, totalPages: 2 },
      ],
    ],
    [2, 3, 4],
    4,
    true,
  ],
  [
    'twice if the service counts campaigns that it does not list',
    [[{ cids: [1, 2], total: 9, totalPages: 1 }], [{ cids: [1, 2], total: 9, totalPages: 1 }]],
    [1, 2],
    2,
    true,
  ],
  [
    'three times if the list keeps changing',
    [
      [{ cids: [1], total: 2, totalPages: 1 }],
      [{ cids: [2], total: 3, totalPages: 1 }],
      [{ cids: [3], total: 4, totalPages: 1 }],
    ],
    [3],
    3,
    false,
  ],
])('the campaigns of the account are read again %s', async (_, rounds, cids, requests, isSteady) => {
  const service = serviceOf(rounds.flat());
  const lengths = rounds.map(({ length }) => length);
  // The pages of a later round must come after those of earlier rounds.
  let from = -1;
  const list: typeof service.list = ({ page = 1 }) => {
    if (page === 1) from += 1;
    const before = lengths.slice(0, from).reduce((sum, length) => sum + length, 0);
    return service.list({ page: before + page });
  };
  const read = await readConsistentRows({ list });
  expect({ cids: cidsOf(read), requests: service.asked.length, isSteady: read.isConsistent }).toEqual({
    cids,
    requests,
    isSteady,
  });
});

test('a list is read until a page brings nothing new, however many pages the service names', async () => {
  const page = fc.record({
    cids: fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 5 }),
    total: fc.nat(),
    totalPages: fc.integer({ min: 0, max: 2 ** 31 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 20 }), async (pages) => {
      const service = serviceOf(pages);
      const { rows } = await readAllRows(service);
      expect(service.asked.length).toBeLessThanOrEqual(rows.length + 1);
    }),
  );
});

test.each([
  ['every status', undefined, false],
  ['active campaigns', 1, true],
  ['the first status, whose code is 0', 0, true],
] as const)('a list of %s is requested with the right status filter', async (_what, status, isAsked) => {
  const queries: object[] = [];
  const list: Parameters<typeof readAllRows>[0]['list'] = async (query) => {
    queries.push(query);
    return { data: [], total: 0, totalPages: 0, currentPage: 1 };
  };
  await readAllRows({ list }, status === undefined ? {} : { status });
  expect(queries.map((query) => 'status' in query && query.status === status)).toEqual([isAsked]);
});
