import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changeInWords, titles, valueInWords, valuesInWords } from '#shared/wording/index.ts';
import {
  contractFields,
  diffCampaigns,
  fieldGroups,
  fieldLabel,
  fieldLimits,
} from '#shared/campaign/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { numberFormats, createFormats, defaultFormats } from '#shared/lib/formats.ts';
import { exampleCampaign, exampleContext } from '#test/fixtures/campaign.ts';
import { runs } from '#test/setup/property-runs.ts';

const context = exampleContext();
const base = exampleCampaign('push');
const night = Array.from({ length: 168 }, (_hour, index) => (index === 5 ? 1 : 0));

function view(field: string, after: JsonValue, others: JsonObject = {}) {
  const change = diffCampaigns({ ...base, ...others }, { ...base, ...others, [field]: after }).find(
    (found) => found.field === field,
  );
  if (change === undefined) throw new Error(`${field} does not change`);
  return changeInWords(change, context, defaultFormats);
}

describe('the text of a value states its meaning:', () => {
  const table: [string, JsonValue | undefined, string][] = [
    ['t_revenue', 0, 'Unlimited'],
    ['t_revenue', 2050, '$2,050.00'],
    ['d_revenue', 0, 'Unlimited'],
    ['d_revenue', 50.5, '$50.50'],
    ['payout', 0.45, '$0.450'],
    ['payout', 'x', '“x”'],
    ['status', 0, 'Pending'],
    ['status', 1, 'Active'],
    ['status', 2, 'Suspended'],
    ['status', 3, 'Paused'],
    ['status', 4, 'Scheduled'],
    ['status', 7, '7'],
    ['type', 11, 'CPC Push'],
    ['type', 99, 'Unknown type 99'],
    ['geo_enabled', 1, 'All countries'],
    ['geo_enabled', 0, 'Selected countries'],
    ['exchanges_enabled', 1, 'All exchanges'],
    ['enable_budget', 0, 'Off (unlimited)'],
    ['enable_budget', 1, 'On'],
    ['enable_time', 0, 'Off (no end)'],
    ['enable_shedule', 0, 'Off (all hours)'],
    ['expire', '2026-12-31', '31 Dec 2026'],
    ['create', '', 'empty'],
    ['expire', 'a\u200bb', 'a⟨U+200B⟩b'],
    ['shedule', night, '1 of 168 hours'],
    ['shedule', Array<number>(168).fill(1), 'All 168 hours'],
    ['shedule', Array<number>(168).fill(0), '0 of 168 hours'],
    ['shedule', 'mon', 'A schedule of unknown shape: “mon”'],
    ['freq_cap', 0, 'Off'],
    ['traffic_speed', 1, 'On'],
    ['traffic_speed', 2, 'Mode 2'],
    ['traffic_speed_counter', 25_000, '25,000'],
    ['geo', ['DE', 'FR'], 'DE, FR'],
    ['geo', [], 'none'],
    [
      'geo',
      Array.from({ length: 14 }, (_c, index) => `C${index}`),
      'C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11 and 2 more',
    ],
    ['ip_blocklist', ['a'], '1 entry (a)'],
    ['icon', { url: 'https://i.example/a.png' }, 'https://i.example/a.png'],
    ['x_optimizer', { b: 1, a: '\u202e' }, '{"a":"⟨U+202E⟩","b":1}'],
    ['name', 'a\u200bb', 'a⟨U+200B⟩b'],
    ['website', '', 'empty'],
    ['x', null, 'none'],
    ['x', true, 'yes'],
    ['x', undefined, 'absent'],
  ];

  test.each(table)('%s %j: %s', (field, value, words) =>
    expect(valueInWords(field, value, context, defaultFormats)).toBe(words),
  );
});

describe('the text of a change describes', () => {
  test('a bid that is ten times as high', () => {
    expect(view('payout', 0.45)).toMatchObject({
      label: 'Bid',
      before: '$0.045',
      after: '$0.450',
      delta: '+0.405',
      factor: '×10',
    });
  });

  test('budgets that rise, fall or become unlimited', () => {
    expect(view('d_revenue', 25)).toMatchObject({
      before: '$50.00',
      after: '$25.00',
      delta: '−25.00',
      factor: '×0.5',
    });
    expect(view('t_revenue', 0)).toMatchObject({
      before: '$2,050.00',
      after: 'Unlimited',
      delta: null,
      factor: null,
    });
  });

  test('targeting that changes to all entries and back', () => {
    expect(view('geo_enabled', 1)).toMatchObject({
      before: '3 countries (DE, FR, IT)',
      after: 'All countries',
    });
    expect(view('geo_enabled', 0, { geo_enabled: 1, geo: ['DE'] })).toMatchObject({
      before: 'All countries',
      after: '1 country (DE)',
    });
    expect(view('geo_enabled', 0, { geo_enabled: 1, geo: [] })).toMatchObject({ after: 'No countries' });
  });

  test('every added and removed entry of a list, however many', () => {
    const many = Array.from({ length: 500 }, (_ip, index) => `10.0.0.${index}`);
    const change = view('ip_blocklist', ['203.0.113.7', ...many]);
    expect(change).toMatchObject({ delta: '+500 / −1', removed: ['198.51.100.0/24'] });
    expect(change.added).toEqual(many);
    expect(view('geo', ['DE', 'FR', 'IT', 'US'])).toMatchObject({ added: ['US'], removed: [], delta: '+1' });
  });

  test.each([
    ['replaced', ['IN', 'PK'], true],
    ['emptied', [], true],
    ['of which an entry stays', ['DE', 'IN'], undefined],
    ['too long to be named', Array.from({ length: 13 }, (_country, index) => `X${index}`), undefined],
  ])('whether both sides name every entry of a list that is %s', (_what, countries, isNamedInFull) => {
    expect(view('geo', countries).isNamedInFull).toBe(isNamedInFull);
  });

  test('a schedule as two weeks and as hours', () => {
    const change = view('shedule', night);
    expect(change).toMatchObject({
      before: '84 of 168 hours',
      after: '1 of 168 hours',
      delta: '+1 h / −84 h',
      added: [],
    });
    expect(change.schedule?.after).toEqual(night);
    expect(view('shedule', { mon: 1 }).schedule).toBeNull();
  });

  test('two different values never have the same text', () => {
    const week = base['shedule'] as number[];
    const pairs: [string, JsonValue, JsonValue][] = [
      ['shedule', week, [0, ...week.slice(0, 167)]],
      ['geo', ['A', 'B'], ['B', 'A']],
      ['x', 1, '1'],
      ['geo_enabled', true, 'yes'],
      ['x', null, 'none'],
      ['x', '', 'empty'],
      ['x', true, 'yes'],
      ['name', 'a', 'a '],
      ['name', 'a b', 'a  b'],
      ['name', 'a', 'a\u200b'],
      ['name', '\u202e', '⟨U+202E⟩'],
      ['shedule', week, week.map(String)],
      ['icon', { url: 'u', w: 1 }, { url: 'u', w: 2 }],
      ['payout', 0.04500001, 0.04500002],
      [
        'f',
        Array.from({ length: 20 }, (_x, index) => index),
        Array.from({ length: 20 }, (_x, index) => (index === 19 ? 99 : index)),
      ],
    ];
    for (const [field, before, after] of pairs) {
      const [change] = diffCampaigns({ [field]: before }, { [field]: after });
      const words = change && changeInWords(change, context, defaultFormats);
      expect([field, words?.after]).not.toEqual([field, words?.before]);
      const sides = valuesInWords(field, { before, after }, context, defaultFormats);
      expect([field, sides.after]).not.toEqual([field, sides.before]);
    }
    expect(valuesInWords('payout', { before: 0.45, after: 0.45 }, context, defaultFormats)).toEqual({
      before: '$0.450',
      after: '$0.450',
    });
    expect(view('absent_before', 'absent', {})).toMatchObject({ before: 'absent', after: '"absent"' });
  });
});

describe('a title', () => {
  function title(change: JsonObject, campaign: JsonObject = base, formats = defaultFormats): string {
    return titles.update(campaign, diffCampaigns(campaign, { ...campaign, ...change }), context, formats);
  }

  test.each([
    [{ payout: 0.45 }, 'Raise the bid of “DE push – summer” from $0.045 to $0.450'],
    [{ d_revenue: 20 }, 'Lower the daily budget of “DE push – summer” from $50.00 to $20.00'],
    [{ t_revenue: 0 }, 'Change the total budget of “DE push – summer” from $2,050.00 to Unlimited'],
    [{ d_revenue: 0 }, 'Change the daily budget of “DE push – summer” from $50.00 to Unlimited'],
    [{ enable_budget: 0 }, 'Change the budget limits of “DE push – summer” from On to Off (unlimited)'],
    [{ status: 3, payout: 1 }, 'Pause “DE push – summer” and change the bid'],
    [
      { status: 4, name: 'x', payout: 1, d_revenue: 60, geo: ['DE'] },
      'Schedule “DE push – summer” and change 4 other fields',
    ],
    [
      { name: 'x', payout: 1, d_revenue: 0, geo: ['DE'], os: ['iOS'] },
      'Change the daily budget of “DE push – summer” from $50.00 to Unlimited and change 4 other fields',
    ],
    [
      { name: 'x', status: 4, d_revenue: 60, t_revenue: 0 },
      'Schedule “DE push – summer”, change the total budget to Unlimited and change the name and daily budget',
    ],
    [{ status: 4, t_revenue: 0 }, 'Schedule “DE push – summer” and change the total budget to Unlimited'],
    [{ status: 7, payout: 1 }, 'Change the status and bid of “DE push – summer”'],
    [{ status: 3 }, 'Pause “DE push – summer”'],
    [{ status: 1 }, 'Change nothing of “DE push – summer”'],
    [{ name: 'B' }, 'Rename “DE push – summer” to “B”'],
    [{ geo: ['DE'] }, 'Change the countries of “DE push – summer”'],
    [{ os_versions_enabled: 0 }, 'Change the OS version targeting of “DE push – summer”'],
    [{ payout: 0.05, d_revenue: 60 }, 'Change the bid and daily budget of “DE push – summer”'],
    [
      { payout: 0.05, d_revenue: 60, name: 'x' },
      'Change the name, bid and daily budget of “DE push – summer”',
    ],
    [{ payout: 0.05, d_revenue: 60, name: 'x', title: 'y' }, 'Change 4 fields of “DE push – summer”'],
    [{ payout: 0.04500001 }, 'Raise the bid of “DE push – summer” from $0.045 to $0.045001'],
    [{ ip_blocklist: [] }, 'Change the blocked IP addresses of “DE push – summer”'],
    [{ internal_note: 'x' }, 'Change the “Internal note” of “DE push – summer”'],
  ] as [JsonObject, string][])('of the change %j is: %s', (change, sentence) =>
    expect(title(change)).toBe(sentence),
  );

  test('of a budget that becomes limited states this', () => {
    expect(title({ d_revenue: 50 }, { ...base, d_revenue: 0 })).toBe(
      'Change the daily budget of “DE push – summer” from Unlimited to $50.00',
    );
    expect(title({ status: 1, name: 'Y' }, { ...base, status: 3 })).toBe(
      'Activate “DE push – summer” and change the name',
    );
  });

  test.each([...numberFormats])('shows amounts in the number format %s', (format) => {
    const formats = createFormats({ numbers: format, zone: undefined });
    const amount = valueInWords('t_revenue', 2050, context, formats);
    expect(title({ t_revenue: 0 }, base, formats)).toBe(
      `Change the total budget of “DE push – summer” from ${amount} to Unlimited`,
    );
  });

  test('does not say raise or lower if both amounts look the same', () => {
    expect(title({ payout: 0.04500002 }, { ...base, payout: 0.04500001 })).toBe(
      'Change the bid of “DE push – summer”',
    );
  });

  test('contains no words from a value of the service', () => {
    expect(title({ status: 'Active' }, { ...base, status: 3 })).toBe(
      'Change the status of “DE push – summer”',
    );
    const campaign = { ...base, t_revenue: '$1 to $2' };
    expect(title({ t_revenue: 0 }, campaign)).toBe('Change the total budget of “DE push – summer”');
  });

  test('quotes a campaign name so that it cannot look like part of the title', () => {
    const name = 'x” from $1 to $2\n\u202ePause “y';
    expect(title({ payout: 0.45 }, { ...base, name })).toBe(
      'Raise the bid of “x" from $1 to $2⟨U+000A⟩⟨U+202E⟩Pause "y” from $0.045 to $0.450',
    );
    expect(title({ payout: 0.45 }, { ...base, name: 7 })).toContain('a campaign without a name');
  });

  test('of a change of status names one campaign or counts several', () => {
    expect(titles.status({ names: ['A'], to: 1 }, defaultFormats)).toBe('Activate “A”');
    expect(titles.status({ names: ['A', 'B'], to: 3 }, defaultFormats)).toBe('Pause 2 campaigns');
  });
});

describe('fields', () => {
  test('of the contract each have a label and belong to exactly one group', () => {
    const grouped = fieldGroups.flatMap(({ fields }) => fields);
    expect(new Set(grouped).size).toBe(grouped.length);
    expect(grouped.toSorted()).toEqual(contractFields.toSorted());
    expect(contractFields).toHaveLength(53);
  });

  test.each([
    ['publisher_blocklist', 'Blocked publishers'],
    ['publisher_allowlist', 'Allowed publishers'],
    ['ip_blocklist', 'Blocked IP addresses'],
    ['site_app_allowlist', 'Allowed sites and apps'],
    ['keywords_whitelist', 'Allowed keywords'],
    ['keywords_blocklist', 'Blocked keywords'],
    ['internal_note', '“Internal note”'],
    ['publisher_blacklist', '“Publisher blacklist”'],
  ])('include %s, labelled %s', (field, label) => expect(fieldLabel(field)).toBe(label));

  test('that the contract does not define are quoted, so they cannot look like known fields', () => {
    expect(fieldLabel('Bid')).toBe('“Bid”');
    expect(fieldLabel('bid')).toBe('“bid”');
    expect(fieldLabel('daily_budget')).toBe('“daily_budget”');
    expect(fieldLabel('blocked_publishers')).toBe('“blocked_publishers”');
    expect(fieldLabel('x\u202ey')).toBe('“x⟨U+202E⟩y”');
  });

  test('have labels that differ from their names in the API and from each other', () => {
    const word = fc.constantFrom('bid', 'blocked', 'publishers', 'publisher', 'blocklist', 'x', '9', 'ip');
    const wireName = fc.oneof(
      fc.constantFrom(...contractFields),
      fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('_')),
    );
    fc.assert(
      fc.property(wireName, wireName, (one, other) => {
        expect(fieldLabel(one)).not.toBe(one);
        if (one !== other) expect(fieldLabel(one)).not.toBe(fieldLabel(other));
      }),
      runs(500),
    );
  });

  test('have limits from the campaign’s type and the settings', () => {
    expect(fieldLimits(base, context, defaultFormats)).toMatchObject({
      name: { text: 'at most 255 characters', maxLength: 255 },
      payout: { text: '$0.010 – $2.500', min: 0.01, max: 2.5 },
      title: { text: 'at most 25 characters' },
      d_revenue: { text: 'at least $10.00', min: 10 },
      t_revenue: { text: 'at least $10.00; 0 = unlimited' },
    });
    expect(fieldLimits(exampleCampaign('cpm'), context, defaultFormats)['title']).toBeUndefined();
    expect(fieldLimits({ type: 'x' }, context, defaultFormats)['payout']).toBeUndefined();
  });
});
