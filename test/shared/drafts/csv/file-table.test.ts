import { describe, expect, test } from 'vitest';
import { fileLine, planFileRow } from '#shared/drafts/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';

interface Planned {
  stored: JsonObject;
  cells: Record<string, string>;
  /** Values of drafts that the campaign already has. */
  drafted?: JsonObject;
  /** Values at the time of the export, if somebody has changed them since. */
  exported?: JsonObject;
}

/** Returns the values that a row sets, by field, or the reason why it cannot. */
function planned({ stored, cells, drafted = {}, exported }: Planned): Record<string, JsonValue> | string {
  const plan = planFileRow(
    { line: 2, cid: 7, version: 'v1', cells: new Map(Object.entries(cells)) },
    {
      campaign: stored,
      present: { ...stored, ...drafted },
      version: exported === undefined ? 'v1' : 'v2',
      notation: { decimals: 'unknown', dates: 'unknown' },
      choices: { rounded: null, lost: null },
      memberKindOf: () => null,
      exported: () => (exported === undefined ? null : { ...stored, ...exported }),
    },
  );
  if (plan.kind !== 'changes') return plan.message;
  return Object.fromEntries(
    plan.changes.map(({ field, operations: [operation] }) => [
      field,
      operation?.kind === 'set' ? operation.value : null,
    ]),
  );
}

const budgetsOff = 'Budget limits are off, so Daily budget would have no effect.';
const flightOff = 'Flight is off, so End date would have no effect.';
const allCountries = 'Country targeting says all, so Countries would have no effect. Set geo_enabled to 0.';
const allStored = { geo_enabled: 1, geo: [] };
const someStored = { geo_enabled: 0, geo: ['DE'] };
const off = { enable_budget: 0, d_revenue: 50, enable_time: 0, expire: '' };

describe('a cell without effect unless another field is switched on is handled when', () => {
  test.each<[string, Planned, ReturnType<typeof planned>]>([
    ['the flag targets all', { stored: allStored, cells: { geo_enabled: '1', geo: 'BR|US' } }, allCountries],
    ['the row sets all', { stored: someStored, cells: { geo_enabled: '1', geo: 'BR' } }, allCountries],
    [
      'the row opens the flag',
      { stored: allStored, cells: { geo_enabled: '0', geo: 'BR' } },
      { geo_enabled: 0, geo: ['BR'] },
    ],
    ['the flag is custom', { stored: someStored, cells: { geo_enabled: '0', geo: 'BR' } }, { geo: ['BR'] }],
    [
      'the row sets all and empties the list',
      { stored: someStored, cells: { geo_enabled: '1', geo: '' } },
      { geo_enabled: 1, geo: [] },
    ],
    ['the file has no flag', { stored: allStored, cells: { geo: 'BR' } }, { geo: ['BR'], geo_enabled: 0 }],
    [
      'the flag is drafted as custom',
      { stored: allStored, drafted: { geo_enabled: 0 }, cells: { geo_enabled: '1', geo: 'BR' } },
      { geo: ['BR'] },
    ],
    [
      'others targeted all since the export',
      {
        stored: allStored,
        exported: { geo_enabled: 0, geo: ['DE'] },
        cells: { geo_enabled: '0', geo: 'BR' },
      },
      { geo: ['BR'], geo_enabled: 0 },
    ],
    [
      'others filled a field since the export that had no value then',
      { stored: { website: 'https://theirs.example' }, exported: { website: null }, cells: { website: '' } },
      {},
    ],
    ['budgets are off', { stored: off, cells: { enable_budget: '0', d_revenue: '80' } }, budgetsOff],
    ['budgets are off and not in the file', { stored: off, cells: { d_revenue: '80' } }, budgetsOff],
    [
      'the row turns budgets on',
      { stored: off, cells: { enable_budget: '1', d_revenue: '80' } },
      { enable_budget: 1, d_revenue: 80 },
    ],
    [
      'budgets are drafted on',
      { stored: off, drafted: { enable_budget: 1 }, cells: { d_revenue: '80' } },
      { d_revenue: 80 },
    ],
    [
      'the row turns budgets off and sets one',
      { stored: { ...off, enable_budget: 1 }, cells: { enable_budget: '0', d_revenue: '80' } },
      budgetsOff,
    ],
    ['the flight is off', { stored: off, cells: { enable_time: '0', expire: '2026-12-31' } }, flightOff],
    [
      'the row turns the flight off and clears its end',
      { stored: { enable_time: 1, expire: '2026-12-31' }, cells: { enable_time: '0', expire: '' } },
      { enable_time: 0, expire: '' },
    ],
    [
      'the schedule is off',
      {
        stored: { enable_shedule: 0, shedule: Array.from({ length: 168 }, () => 1) },
        cells: { shedule: 'Mon 8-20' },
      },
      'Weekly schedule is off, so Scheduled hours would have no effect.',
    ],
    [
      'keywords are off',
      { stored: { keywords_enabled: 0, keywords_blocklist: '' }, cells: { keywords_blocklist: 'casino' } },
      'Keywords are off, so Blocked keywords would have no effect.',
    ],
    [
      'the cap is off',
      { stored: { freq_cap: 0, freq_counter: 3 }, cells: { freq_counter: '5' } },
      'Frequency cap is off, so Frequency count would have no effect.',
    ],
  ])('%s', (_case, row, outcome) => {
    expect(planned(row)).toEqual(outcome);
  });
});

test.each<[stored: JsonValue[], cell: string, edited: string, after: JsonValue[]]>([
  [['00123'], '00123|', '00123|00124', ['00123', '00124']],
  [['10.0'], '10.0|', '10.0|11.0|', ['10.0', '11.0']],
  [['1234567890123456789'], '1234567890123456789|', '1', ['1']],
  [['1-2'], '1-2|', '3-4|', ['3-4']],
  [[70_001], '70001|', '70002|', [70_002]],
  [['DE'], 'DE', 'DE|AT', ['DE', 'AT']],
  [['1|2'], '1\\|2|', '3', ['3']],
  [['10.0', '11.0'], '10.0|11.0', '12.0', ['12.0']],
  [[], '', '5', ['5']],
])(
  'the list %j is written as %s, which no spreadsheet rewrites, and is read back',
  (stored, cell, edited, after) => {
    const campaign = { os_versions: stored };
    expect(fileLine(campaign, ['os_versions'], 'v1')).toBe(`,${cell},v1\r\n`);
    const rowOf = (text: string): ReturnType<typeof planned> =>
      planned({ stored: campaign, cells: { os_versions: text } });
    expect(rowOf(cell)).toEqual({});
    expect(rowOf(cell.replace(/\|$/u, ''))).toEqual({});
    expect(rowOf(edited)).toEqual({ os_versions: after });
  },
);

test('a status is exported as its word, and an unknown code unchanged', () => {
  const words = [0, 1, 2, 3, 4, 9].map((status) => fileLine({ status }, ['status'], 'v1').split(',')[1]);
  expect(words).toEqual(['Pending', 'Active', 'Suspended', 'Paused', 'Scheduled', '9']);
});

describe('a token in a campaign is removed from its file, and the shortened cell is not imported:', () => {
  const token = `pk_${'k'.repeat(40)}`;
  const stored = { name: `Summer ${token}`, sub_blocklist: ['a', token], payout: 0.045 };

  test('other texts and figures of the row are exported unchanged', () => {
    const line = fileLine(stored, ['name', 'sub_blocklist', 'payout'], 'v1');
    expect(line).toBe(',Summer [token removed],a|[token removed],0.045,v1\r\n');
  });

  test.each([
    ['as it was exported', { name: 'Summer [token removed]', sub_blocklist: 'a|[token removed]' }, {}],
    [
      'edited next to the gap',
      { name: 'Winter [token removed]' },
      expect.stringContaining('Name has a token that the export left out.'),
    ],
    [
      'with an entry more',
      { sub_blocklist: 'a|[token removed]|b' },
      expect.stringContaining('has a token that the export left out.'),
    ],
    ['replaced as a whole', { name: 'Winter' }, { name: 'Winter' }],
  ])('%s', (_case, cells, outcome) => {
    expect(planned({ stored, cells })).toEqual(outcome);
  });
});
