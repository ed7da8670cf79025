import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CampaignRow, targetingLists } from '#shared/contract/index.ts';
import {
  type CampaignCondition,
  campaignConditionSchema,
  conditionInWords,
  matcherOf,
  needsFull,
  search,
  type SearchedCampaign,
} from '#shared/find/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { exampleCampaign, exampleContext } from '#test/fixtures/campaign.ts';
import { campaignRow } from '#test/renderer/support/campaign-row.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

// Wednesday, 14:00 in UTC.
const moment = { nowMs: Date.parse('2026-11-25T14:00:00Z'), serviceZone: 'UTC' };

interface Made {
  row?: Partial<CampaignRow>;
  /** Null for a campaign that was not read in full. */
  campaign?: JsonObject | null;
  labels?: string[];
  hasNote?: boolean;
}

function made({ row = {}, campaign = {}, labels = [], hasNote = false }: Made): SearchedCampaign {
  const { types, settings } = exampleContext();
  const edit =
    campaign === null
      ? null
      : { campaign: { ...exampleCampaign(), ...campaign }, campaign_types: types, settings };
  return { row: { ...campaignRow(7), ...row }, edit, labels, hasNote };
}

const always = { enable_time: 0, enable_shedule: 0, status: 1 };

/** With budgets off, the stored amounts limit nothing. */
const off = { d_revenue: 100, t_revenue: 3000, daily_budget: 0, total_budget: 0 };

const table: [CampaignCondition, yes: Made, no: Made][] = [
  [{ kind: 'status', statuses: [1, 4] }, { row: { status: 4 } }, { row: { status: 3 } }],
  [{ kind: 'type', names: ['Push'] }, { row: { type_name: 'Push' } }, { row: { type_name: 'Pop' } }],
  [{ kind: 'name', is: 'contains', text: 'SALE' }, { row: { name: 'Big sale' } }, { row: { name: 'Big' } }],
  [
    { kind: 'name', is: 'contains', text: 'CAFÉ' },
    { row: { name: 'A cafe\u0301' } },
    { row: { name: 'caf' } },
  ],
  [
    { kind: 'name', is: 'contains', text: 'cafe\u0301' },
    { row: { name: 'A Café' } },
    { row: { name: 'caf' } },
  ],
  [
    { kind: 'name', is: 'contains', text: 'strasse' },
    { row: { name: 'Straße' } },
    { row: { name: 'strase' } },
  ],
  [
    { kind: 'name', is: 'contains', text: 'istanbul' },
    { row: { name: 'İSTANBUL' } },
    { row: { name: 'stanbul' } },
  ],
  [{ kind: 'name', is: 'lacks', text: 'test' }, { row: { name: 'Big' } }, { row: { name: '[TEST] Big' } }],
  [{ kind: 'ids', cids: [3, 7] }, { row: { cid: 3 } }, { row: { cid: 4 } }],
  [{ kind: 'bid', min: 0.01, max: 0.05 }, { row: { payout: 0.05 } }, { row: { payout: 0.051 } }],
  [{ kind: 'bid', min: null, max: 0.05 }, { row: { payout: 0 } }, { row: { payout: 1 } }],
  [budget('d_revenue', 'above', 100), { row: { daily_budget: 100.5 } }, { row: { daily_budget: 100 } }],
  [budget('d_revenue', 'below', 100), { row: { daily_budget: 99 } }, { row: { daily_budget: 100 } }],
  [budget('d_revenue', 'above', 1e6), { row: off }, { row: { d_revenue: 2e6, daily_budget: 50 } }],
  [budget('d_revenue', 'below', 200), { row: { d_revenue: 100, daily_budget: 100 } }, { row: off }],
  [budget('t_revenue', 'above', 1e6), { row: { total_budget: 0 } }, { row: { total_budget: 1000 } }],
  [budget('t_revenue', 'below', 4000), { row: { total_budget: 3000 } }, { row: off }],
  [country(['BR'], false), { row: { geo: ['AR', 'br'] } }, { row: { geo: [] } }],
  [country(['BR'], true), { row: { geo: [] } }, { row: { geo: ['AR'] } }],
  [{ kind: 'countryTargeting', is: 'all' }, { row: { geo: [] } }, { row: { geo: ['DE'] } }],
  [{ kind: 'countryTargeting', is: 'custom' }, { row: { geo: ['DE'] } }, { row: { geo: [] } }],
  [{ kind: 'bidControls', has: true }, { row: { bid_control_count: 2 } }, { row: { bid_control_count: 0 } }],
  [
    { kind: 'spendsToday', limit: 'any' },
    { row: { status: 1, daily_budget: 20 }, campaign: always },
    { row: { status: 1, daily_budget: 20 }, campaign: { ...always, enable_time: 1, create: '2026-11-26' } },
  ],
  [
    { kind: 'spendsToday', limit: 'none' },
    { row: { status: 4, daily_budget: 0, total_budget: 0 }, campaign: always },
    { row: { status: 4, daily_budget: 20, total_budget: 0 }, campaign: always },
  ],
  [
    { kind: 'spendsToday', limit: 'any' },
    { row: { status: 1, daily_budget: 20 }, campaign: null },
    { row: { status: 3, daily_budget: 20 }, campaign: null },
  ],
  [{ kind: 'runsNow', runs: true }, { campaign: always }, { campaign: { ...always, status: 3 } }],
  [{ kind: 'runsNow', runs: false }, { campaign: { ...always, status: 2 } }, { campaign: always }],
  [
    { kind: 'endsWithin', days: 7 },
    { campaign: { enable_time: 1, expire: '2026-12-02', expire_time: '23:59' } },
    { campaign: { enable_time: 1, expire: '2026-12-03', expire_time: '23:59' } },
  ],
  [
    { kind: 'endsWithin', days: 7 },
    { campaign: { enable_time: 1, expire: '2026-11-25', expire_time: '' } },
    { campaign: { enable_time: 1, expire: '2026-11-24', expire_time: '' } },
  ],
  ...[0, 7].map((days): [CampaignCondition, Made, Made] => [
    { kind: 'endsWithin', days },
    { campaign: { enable_time: 1, expire: '2026-11-25', expire_time: '14:01' } },
    { campaign: { enable_time: 1, expire: '2026-11-25', expire_time: '14:00' } },
  ]),
  [
    { kind: 'endsWithin', days: 0 },
    { campaign: { enable_time: 1, expire: '2026-11-25', expire_time: '23:59' } },
    { campaign: { enable_time: 1, expire: '2026-11-25', expire_time: '08:00' } },
  ],
  [
    { kind: 'noEnd' },
    { campaign: { enable_time: 1, expire: '' } },
    { campaign: { enable_time: 1, expire: '2026-12-02' } },
  ],
  [{ kind: 'noEnd' }, { campaign: { enable_time: 0, expire: '2026-12-02' } }, noEndNo()],
  [{ kind: 'pricing', pricings: ['CPC'] }, { campaign: { type: 11 } }, { campaign: { type: 13 } }],
  [{ kind: 'pricing', pricings: ['other'] }, { campaign: { type: 17 } }, { campaign: { type: 11 } }],
  [
    { kind: 'domain', domain: 'Brand.example' },
    { campaign: { clickurl: 'https://go.brand.example/x?c={click_id}', website: '' } },
    { campaign: { clickurl: 'https://notbrand.example/', website: '' } },
  ],
  [
    { kind: 'domain', domain: 'brand.example' },
    { campaign: { clickurl: '', website: 'https://brand.example:8443/' } },
    { campaign: { clickurl: '{landing}', website: '' } },
  ],
  [
    { kind: 'member', field: 'publisher_blocklist', is: 'contains', member: '1234', orAll: false },
    { campaign: { publisher_blocklist: [99, 1234] } },
    { campaign: { publisher_blocklist: [99], publisher_allowlist: [1234] } },
  ],
  [
    { kind: 'member', field: null, is: 'contains', member: 'android', orAll: false },
    { campaign: { os_enabled: 0, os: ['Android'] } },
    { campaign: { os_enabled: 0, os: ['iOS'], title: 'android' } },
  ],
  [
    { kind: 'member', field: 'keywords_blocklist', is: 'contains', member: 'free', orAll: false },
    { campaign: { keywords_enabled: 1, keywords_blocklist: 'torrent\nFree' } },
    { campaign: { keywords_enabled: 1, keywords_blocklist: 'freedom' } },
  ],
  ...(['keywords_blocklist', null] as const).map((field): [CampaignCondition, Made, Made] => [
    { kind: 'member', field, is: 'contains', member: 'torrent', orAll: false },
    { campaign: { keywords_enabled: 1, keywords_blocklist: 'torrent' } },
    { campaign: { keywords_enabled: 0, keywords_blocklist: 'torrent' } },
  ]),
  [
    { kind: 'member', field: null, is: 'contains', member: 'zone-7', orAll: false },
    { campaign: { zones: ['zone-7'], ssp_exclude: '' } },
    { campaign: { remark: 'zone-7', shedule: ['zone-7'] } },
  ],
  [
    { kind: 'member', field: null, is: 'contains', member: 'zone-7', orAll: false },
    { campaign: { ssp_exclude: 'zone-7\nzone-8' } },
    { campaign: { name: 'zone-7' } },
  ],
  [
    { kind: 'member', field: 'os', is: 'lacks', member: 'iOS', orAll: false },
    { campaign: { os_enabled: 0, os: ['Android'] } },
    { campaign: { os_enabled: 0, os: ['ios'] } },
  ],
  ...targetingLists.flatMap((list): [CampaignCondition, Made, Made][] => {
    const all = { campaign: { [`${list}_enabled`]: 1, [list]: [] } };
    const stale = { campaign: { [`${list}_enabled`]: 1, [list]: ['x'] } };
    const other = { campaign: { [`${list}_enabled`]: 0, [list]: ['y'] } };
    const of = (is: 'contains' | 'lacks', orAll: boolean): CampaignCondition => ({
      kind: 'member',
      field: list,
      is,
      member: 'x',
      orAll,
    });
    return [
      [of('contains', true), all, other],
      [of('contains', false), { campaign: { [`${list}_enabled`]: 0, [list]: ['x'] } }, stale],
      [of('lacks', true), other, all],
      [of('lacks', false), stale, { campaign: { [`${list}_enabled`]: 0, [list]: ['x'] } }],
    ];
  }),
  [{ kind: 'label', labels: ['a', 'b'], is: 'any' }, { labels: ['b'] }, { labels: ['c'] }],
  [{ kind: 'label', labels: ['a'], is: 'none' }, { labels: ['b'] }, { labels: ['a', 'b'] }],
  [{ kind: 'note', has: true }, { hasNote: true }, { hasNote: false }],
];

function budget(column: 'd_revenue' | 't_revenue', is: 'above' | 'below', amount: number): CampaignCondition {
  return { kind: 'budget', column, is, amount };
}

function country(codes: string[], orAll: boolean): CampaignCondition {
  return { kind: 'country', codes, orAll };
}

function noEndNo(): Made {
  return { campaign: { enable_time: 1, expire: '2026-11-24', expire_time: '18:00' } };
}

const words = (condition: CampaignCondition): string =>
  conditionInWords(condition, () => 'Client A', defaultFormats);

describe('a search condition', () => {
  test.each(table.map(([condition, yes, no]) => [words(condition), condition, yes, no] as const))(
    '“%s” matches exactly the campaigns that it describes',
    (_words, condition, yes, no) => {
      expect(campaignConditionSchema.parse(condition)).toEqual(condition);
      expect(matcherOf(condition, moment)(made(yes))).toBe(true);
      expect(matcherOf(condition, moment)(made(no))).toBe(false);
    },
  );

  test('that needs the complete campaign does not guess for one that was not read', () => {
    for (const [condition, yes] of table) {
      const verdict = matcherOf(condition, moment)(made({ ...yes, campaign: null }));
      expect(verdict, words(condition)).toBe(needsFull(condition) ? null : true);
    }
  });

  test.each<[website: string, campaign: JsonObject | null, verdict: boolean | null]>([
    ['https://www.brand.example/', null, true],
    ['https://other.example/', null, null],
    ['', null, null],
    ['https://other.example/', { clickurl: 'https://brand.example/', website: '' }, true],
    ['https://brand.example/', { clickurl: '', website: 'https://other.example/' }, false],
  ])('on a domain uses the column “%s” as far as that decides', (website, campaign, verdict) => {
    const matches = matcherOf({ kind: 'domain', domain: 'brand.example' }, moment);
    expect(matches(made({ row: { website }, campaign }))).toBe(verdict);
  });

  test('is described in plain words', () => {
    expect(words(country(['BR'], false))).toBe('Country: Brazil');
    expect(words(country(['BR', 'PT'], true))).toBe('Country: Brazil, Portugal or worldwide');
    expect(words(country(['BR', 'PT', 'DE', 'FR'], false))).toBe('Country: Brazil, Portugal or 2 more');
    expect(words(budget('d_revenue', 'above', 100))).toBe('Daily budget above $100');
    expect(words({ kind: 'status', statuses: [1, 4] })).toBe('Status: Active or Scheduled');
    expect(words({ kind: 'bid', min: 0.01, max: 0.05 })).toBe('Bid $0.010 – $0.050');
    expect(words({ kind: 'bid', min: null, max: 0.05 })).toBe('Bid at most $0.050');
    expect(words({ kind: 'endsWithin', days: 7 })).toBe('Ends within 7 days');
    expect(words({ kind: 'member', field: 'os', is: 'contains', member: 'iOS', orAll: true })).toBe(
      'Operating systems contains “iOS” or all',
    );
    expect(words({ kind: 'label', labels: ['a'], is: 'any' })).toBe('Label: Client A');
    expect(words({ kind: 'name', is: 'contains', text: 'a\u202Eb' })).toContain('⟨U+202E⟩');
  });
});

const conditions = fc.subarray(table.map(([condition]) => condition));
const campaigns = fc.array(
  fc.constantFrom(...table.flatMap(([, yes, no]) => [yes, no, { ...yes, campaign: null }])).map(made),
  { maxLength: 30 },
);

describe('a search with several conditions', () => {
  test('finds only campaigns that meet every condition, and fewer with each condition', () => {
    fc.assert(
      fc.property(campaigns, conditions, fc.constantFrom(...table), (all, some, [further]) => {
        const { found, unknown } = search(all, some, moment);
        for (const campaign of found) {
          expect(some.every((condition) => matcherOf(condition, moment)(campaign) === true)).toBe(true);
        }
        const narrower = search(all, [...some, further], moment);
        expect(narrower.found.every((campaign) => found.includes(campaign))).toBe(true);
        expect(narrower.found.length + narrower.unknown).toBeLessThanOrEqual(found.length + unknown);
      }),
    );
  });

  test('counts as unknown exactly the campaigns that loading could still add', () => {
    fc.assert(
      fc.property(campaigns, conditions, (all, some) => {
        const read = all.filter(({ edit }) => edit !== null);
        const { found, unknown } = search(all, some, moment);
        const certain = search(read, some, moment);
        expect(certain.unknown).toBe(0);
        expect(found.length).toBeGreaterThanOrEqual(certain.found.length);
        expect(found.length + unknown).toBeLessThanOrEqual(all.length);
        if (!some.some(needsFull)) expect(unknown).toBe(0);
      }),
    );
  });
});
