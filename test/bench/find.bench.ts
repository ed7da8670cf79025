import type { Connection } from '#core/connections/index.ts';
import { createFinder, type FullCampaign } from '#core/reads/index.ts';
import { systemClock as clock } from '#core/platform/clock.ts';
import type { CampaignRow, SortColumn } from '#shared/contract/index.ts';
import type { CampaignCondition } from '#shared/find/index.ts';
import { exampleCampaign, exampleContext } from '#test/fixtures/campaign.ts';

const count = 10_000;
const rounds = 30;

interface Figure {
  name: string;
  figure: number;
  unit: string;
  aim: string | null;
}

const countries = ['DE', 'BR', 'US', 'FR', 'IT', 'PL', 'IN', 'JP'];
const zones = ['UTC', 'Europe/Berlin', 'America/Sao_Paulo', 'Asia/Tokyo', 'America/New_York'];

function rowOf(index: number): CampaignRow {
  return {
    cid: index + 1,
    uid: 7,
    type_name: index % 3 === 0 ? 'CPC Push' : 'Popunder CPM',
    name: `Campaign ${(index * 7919) % count} ${countries[index % countries.length]}`,
    website: '',
    geo: [countries[index % countries.length] ?? 'DE'],
    payout: (index % 100) / 1_000,
    d_revenue: 25 + (index % 40) * 10,
    t_revenue: 0,
    daily_budget: 25,
    total_budget: 0,
    bid_control_count: 0,
    status: index % 5,
    status_name: '',
  };
}

function fullOf(index: number): FullCampaign {
  const { types, settings } = exampleContext();
  const campaign = {
    ...exampleCampaign(),
    cid: index + 1,
    status: index % 5,
    clickurl: `https://go.shop-${index % 50}.example/?c={click_id}`,
    enable_shedule: 1,
    shedule_timezone: zones[index % zones.length] ?? 'UTC',
    publisher_blocklist: Array.from({ length: 40 }, (_, entry) => 1_000 + ((index + entry * 31) % 9_000)),
  };
  return { cid: index + 1, edit: { campaign, campaign_types: types, settings }, readAtMs: 0 };
}

/** Measures a search of the core over many cached campaigns, up to its first page. */
export async function run(): Promise<Figure[]> {
  const rows = Array.from({ length: count }, (_, index) => rowOf(index));
  const full = new Map(rows.map((_, index) => [index + 1, fullOf(index)]));
  const account = { rows, readAtMs: 0, cached: null };
  const finder = createFinder({
    connections: {
      current: () => ({ clocks: () => ({ nowMs: clock.nowMs(), serviceZone: 'UTC' }) }) as Connection,
    },
    list: { readCount: () => null, rows: async () => account },
    full: { find: (cid) => full.get(cid) ?? null },
    typeNames: async () => null,
    attached: () => new Map(),
    labelNames: () => new Map(),
  });

  async function medianMs(conditions: CampaignCondition[], query = ''): Promise<number> {
    const sorts: SortColumn[] = ['name', 'd_revenue'];
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      // Each round uses another order, so that no order is cached.
      const sort = sorts[round % sorts.length] ?? 'cid';
      const filter = { query, status: null, types: [], sort, order: 'asc' } as const;
      const start = performance.now();
      await finder.find({
        filter: { ...filter, types: [] },
        conditions,
        page: 1,
        perPage: 200,
        again: false,
      });
      times.push(performance.now() - start);
    }
    return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
  }

  const line = async (name: string, conditions: CampaignCondition[], query = ''): Promise<Figure> => ({
    name: `search 10,000 campaigns: ${name}`,
    figure: await medianMs(conditions, query),
    unit: 'ms',
    aim: 'under 100',
  });
  return [
    await line('status, country, budget', [
      { kind: 'status', statuses: [1, 4] },
      { kind: 'country', codes: ['BR'], orAll: true },
      { kind: 'budget', column: 'd_revenue', is: 'above', amount: 100 },
    ]),
    await line('two words', [], 'push brazil'),
    await line('runs now', [{ kind: 'runsNow', runs: true }]),
    await line('an entry of any list', [
      { kind: 'member', field: null, is: 'contains', member: '1234', orAll: false },
    ]),
    await line('domain, no end', [{ kind: 'domain', domain: 'shop-7.example' }, { kind: 'noEnd' }]),
  ];
}
