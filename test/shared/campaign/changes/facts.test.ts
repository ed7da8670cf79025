import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffCampaigns, type CampaignFactsChange, factsOf } from '#shared/campaign/index.ts';
import { factsInWords, type LastChange, lastChangeInWords } from '#shared/wording/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { exampleCampaign, exampleContext, exampleTypes } from '#test/fixtures/campaign.ts';
import { defaultFormats } from '#shared/lib/formats.ts';
import { runs } from '#test/setup/property-runs.ts';

const context = exampleContext();
const base = exampleCampaign('push');

function change(after: JsonObject, before: JsonObject = base): CampaignFactsChange {
  return {
    cid: Number(before['cid']),
    before: factsOf(before, context),
    after: factsOf({ ...before, ...after }, context),
  };
}

/** Returns the row of one fact, as `old → new` if the change affects it. */
function row(fact: string, campaigns: readonly CampaignFactsChange[]): string {
  const found = factsInWords(campaigns, defaultFormats).find((view) => view.fact === fact);
  if (found === undefined) throw new Error(`${fact} is not among the facts`);
  return found.before === undefined ? found.value : `${found.before} → ${found.value}`;
}

test('a change that affects no fact shows each fact once', () => {
  expect(factsInWords([change({ name: 'Other' })], defaultFormats)).toEqual([
    { fact: 'buys', label: 'Bid buys', value: '$0.045 per click (CPC Push)' },
    { fact: 'budget', label: 'Budget', value: '$50.00 a day, $2,050.00 in total' },
    { fact: 'countries', label: 'Countries', value: 'DE, FR, IT' },
    { fact: 'hours', label: 'Hours', value: '84 of 168 a week (Europe/Berlin)' },
    { fact: 'host', label: 'Destination', value: 'track.example' },
  ]);
  expect(factsInWords([], defaultFormats)).toEqual([]);
});

describe('a fact that the change affects shows its old and its new value', () => {
  const bid = '$0.045 per click (CPC Push)';
  const hours = '84 of 168 a week (Europe/Berlin)';
  const other = Array.from({ length: 168 }, (_hour, index) => (index % 24 < 12 ? 1 : 0));
  const table: [string, JsonObject, string][] = [
    ['buys', { payout: 0.45 }, `${bid} → $0.450 per click (CPC Push)`],
    ['buys', { type: exampleTypes.cpm }, `${bid} → $0.045 per 1,000 impressions (Display CPM)`],
    ['buys', { type: exampleTypes.cpv }, `${bid} → $0.045 per view (Redirect CPV)`],
    ['buys', { type: exampleTypes.other }, `${bid} → $0.045, priced “FLAT” (Sponsorship)`],
    ['buys', { type: 99 }, `${bid} → $0.045, unknown type`],
    ['buys', { payout: 'x' }, `${bid} → Unknown bid per click (CPC Push)`],
    ['budget', { d_revenue: 0 }, '$50.00 a day, $2,050.00 in total → Unlimited a day, $2,050.00 in total'],
    ['budget', { enable_budget: 0 }, '$50.00 a day, $2,050.00 in total → Unlimited'],
    ['countries', { geo_enabled: 1 }, 'DE, FR, IT → All countries'],
    ['countries', { geo: ['DE'] }, 'DE, FR, IT → DE'],
    ['countries', { geo: [] }, 'DE, FR, IT → No country'],
    ['countries', { geo: 'DE' }, 'DE, FR, IT → Unknown'],
    ['hours', { enable_shedule: 0 }, `${hours} → Always`],
    ['hours', { shedule: other }, `${hours} → ${hours}, changed`],
    ['hours', { shedule_timezone: 'UTC' }, `${hours} → 84 of 168 a week (UTC)`],
    ['hours', { shedule: 'mon' }, `${hours} → Unknown`],
    ['hours', { enable_shedule: 'x' }, `${hours} → Unknown`],
    ['hours', { shedule_timezone: 5 }, `${hours} → 84 of 168 a week (unknown time zone)`],
    ['countries', { geo_enabled: 'x' }, 'DE, FR, IT → Unknown'],
    ['countries', { geo: [{}] }, 'DE, FR, IT → Unknown'],
    ['host', { clickurl: 'https://trаck.example/c' }, 'track.example → xn--trck-63d.example'],
    ['host', { clickurl: 'nowhere' }, 'track.example → Unknown'],
    ['host', { clickurl: 7 }, 'track.example → Unknown'],
    ['host', { clickurl: '' }, 'track.example → None'],
    ['host', { clickurl: '', website: 'https://brand.example/x' }, 'track.example → brand.example'],
    ['host', { clickurl: 'nowhere', website: 'https://brand.example/x' }, 'track.example → Unknown'],
  ];
  test.each(table)('%s: %j', (fact, after, words) => expect(row(fact, [change(after)])).toBe(words));

  test('the order of countries does not count', () => {
    expect(row('countries', [change({ geo: ['IT', 'DE', 'FR'] })])).toBe('DE, FR, IT');
  });

  test('a long list of countries is counted, and its text differs after a change', () => {
    const many = (last: string): JsonValue => ['AT', 'BE', 'CH', 'DE', 'ES', 'FR', last];
    const before = { ...base, geo: many('IT') };
    expect(row('countries', [change({ geo: many('PL') }, before)])).toBe(
      'AT, BE, CH, DE, ES, FR and 1 more → AT, BE, CH, DE, ES, FR and 1 more, changed',
    );
  });
});

test('a limit that is switched off is shown as no limit, whatever its amount', () => {
  expect(row('budget', [change({ d_revenue: 90 }, { ...base, enable_budget: 0 })])).toBe('Unlimited');
});

describe('several campaigns show the facts that they share', () => {
  const other = { ...base, cid: 2, geo: ['US'] };
  const shownOf = (campaigns: readonly CampaignFactsChange[]): string[] =>
    factsInWords(campaigns, defaultFormats).map(({ fact }) => fact);

  test('and no fact in which they differ', () => {
    expect(shownOf([change({}), change({}, other)])).toEqual(['buys', 'budget', 'hours', 'host']);
    expect(shownOf([change({ geo: ['FR'] }), change({ geo: ['BR'] }, other)])).not.toContain('countries');
    expect(shownOf([change({ d_revenue: 90 }), change({})])).not.toContain('budget');
    expect(row('countries', [change({ geo_enabled: 1 }), change({ geo_enabled: 1 }, other)])).toBe(
      'different values → All countries',
    );
    expect(row('host', [change({ geo: [] }), change({}, other)])).toBe('track.example');
  });

  test('and no facts if an effect is unknown', () => {
    expect(shownOf([change({}), { cid: 2, before: factsOf(base, context), after: null }])).toEqual([]);
  });

  test('and every fact shown is true for every campaign', () => {
    const values: Record<string, JsonValue[]> = {
      payout: [0.045, 0.45],
      d_revenue: [50, 0, 90],
      geo: [['DE'], ['US'], []],
      geo_enabled: [0, 1],
      enable_shedule: [0, 1],
      clickurl: ['https://track.example/c', 'https://other.example/', 'nowhere'],
    };
    const fields: fc.Arbitrary<JsonObject> = fc.record(
      Object.fromEntries(Object.entries(values).map(([field, some]) => [field, fc.constantFrom(...some)])),
    );
    const campaign = fc.tuple(fields, fields).map(([before, after]) => change(after, { ...base, ...before }));
    fc.assert(
      fc.property(fc.array(campaign, { minLength: 2, maxLength: 4 }), (several) => {
        for (const { fact, value, before } of factsInWords(several, defaultFormats)) {
          for (const one of several) {
            const alone = factsInWords([one], defaultFormats).find((view) => view.fact === fact);
            expect(value.replace(/, changed$/, '')).toBe(alone?.value.replace(/, changed$/, ''));
            if (before !== undefined && before !== 'different values')
              expect(before).toBe(alone?.before ?? alone?.value);
          }
        }
      }),
      runs(500),
    );
  });
});

test('an unreadable value stays unknown when it changes, and both values are shown once readable', () => {
  const unread = { ...base, clickurl: 'nowhere', geo: 'DE' };
  const both = change({ clickurl: 'elsewhere', geo: 'FR' }, unread);
  expect(row('host', [both])).toBe('Unknown');
  expect(row('host', [change({ clickurl: 'https://track.example/c' }, unread)])).toBe(
    'Unknown → track.example',
  );
});

test('an unknown effect shows the current facts', () => {
  const [only] = [{ cid: 1, before: factsOf(base, context), after: null }];
  expect(row('budget', [only])).toBe('$50.00 a day, $2,050.00 in total');
});

test('untrusted text in a fact is made harmless', () => {
  const types = { 1: { name: 'A\u202Eb', pricing: 'x\ny', minBid: 0, maxBid: 1 } };
  const facts = factsOf({ ...base, type: 1, geo: ['D\u200BE'] }, { types });
  const words = JSON.stringify(factsInWords([{ cid: 1, before: facts, after: null }], defaultFormats));
  expect(words).toContain('⟨U+202E⟩');
  expect(words).toContain('⟨U+200B⟩');
  expect(words).not.toMatch(/[\u202E\u200B]/);
});

describe('the last change of a campaign is one sentence', () => {
  const by = { kind: 'person', name: 'You' } as const;
  const words = (after: JsonObject, more: Partial<LastChange> = {}): string =>
    lastChangeInWords(
      {
        effects: diffCampaigns(base, { ...base, ...after }),
        title: 'Pause “X”',
        by,
        date: '2026-11-20',
        doubt: null,
        ...more,
      },
      { currentYear: 2026 },
    ).value;
  const agent = { kind: 'agent', name: 'Claude\u202E' } as const;
  const table: [string, string, string][] = [
    ['a raised bid', words({ payout: 0.09 }), 'Bid raised by you on 20 Nov'],
    ['a lowered budget', words({ d_revenue: 20 }), 'Daily budget lowered by you on 20 Nov'],
    ['a limit that went', words({ d_revenue: 0 }), 'Daily budget changed by you on 20 Nov'],
    ['a new name', words({ name: 'Y' }), 'Name changed by you on 20 Nov'],
    ['a pause', words({ status: 3 }), 'Paused by you on 20 Nov'],
    [
      'a pause and more',
      words({ name: 'Y', status: 3 }),
      'Paused, and one more field changed, by you on 20 Nov',
    ],
    [
      'several fields',
      words({ name: 'Y', payout: 1, geo: [] }),
      'Name and 2 more fields changed by you on 20 Nov',
    ],
    [
      'an agent',
      words({ status: 1, name: 'Y' }, { by: agent }),
      'Name changed by “Claude⟨U+202E⟩” on 20 Nov',
    ],
    ['an earlier year', words({ status: 3 }, { date: '2025-01-03' }), 'Paused by you on 3 Jan 2025'],
    ['unknown effects', words({}), 'Pause “X” by you on 20 Nov'],
    ['an unknown outcome', words({}, { doubt: 'unknown' }), 'Pause “X” by you on 20 Nov, outcome unknown'],
    ['other values', words({}, { doubt: 'differs' }), 'Pause “X” by you on 20 Nov, other values stored'],
  ];
  test.each(table)('%s', (_name, text, expected) => expect(text).toBe(expected));
});
