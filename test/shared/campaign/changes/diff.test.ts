import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffCampaigns, normaliseCampaign, targetingDimensions } from '#shared/campaign/index.ts';
import { readBackVerdicts } from '#shared/wording/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { jsonEqual, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { exampleCampaign, exampleContext } from '#test/fixtures/campaign.ts';
import { runs } from '#test/setup/property-runs.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const small = fc.jsonValue({ maxDepth: 2, depthSize: 'xsmall' }) as fc.Arbitrary<JsonValue>;
const objects = fc.dictionary(
  fc.constantFrom('a', 'b', 'geo', 'geo_enabled', 'constructor'),
  small,
) as fc.Arbitrary<JsonObject>;

describe('the difference of two campaigns', () => {
  test('is empty exactly when they are equal as JSON values', () => {
    fc.assert(
      fc.property(objects, objects, (a, b) => {
        expect(diffCampaigns(a, b).length === 0).toBe(jsonEqual(a, b));
        expect(diffCampaigns(a, structuredClone(a))).toEqual([]);
      }),
      runs(500),
    );
  });

  test('names every changed field once with both values', () => {
    fc.assert(
      fc.property(objects, objects, (a, b) => {
        const changes = diffCampaigns(a, b);
        expect(new Set(changes.map(({ field }) => field)).size).toBe(changes.length);
        const rebuilt = new Map(Object.entries(a));
        for (const { field, after } of changes) {
          if (after === undefined) rebuilt.delete(field);
          else rebuilt.set(field, after);
        }
        expect(jsonEqual(Object.fromEntries(rebuilt), b)).toBe(true);
      }),
      runs(300),
    );
  });

  test('of two lists gives the entries to remove and to add, including duplicates', () => {
    const items = fc.array(fc.constantFrom<JsonValue>('a', 'b', 1, '1', null, true, { x: 1 }, [1]), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(items, items, (before, after) => {
        const [change] = diffCampaigns({ list: before }, { list: after });
        const { added, removed } = change?.members ?? { added: [], removed: [] };
        const sorted = (list: JsonValue[]): string[] => list.map((item) => canonicalJson(item)).toSorted();
        expect(sorted([...before, ...added])).toEqual(sorted([...after, ...removed]));
        expect(
          added.length === 0 || !removed.some((item) => added.some((other) => jsonEqual(item, other))),
        ).toBe(true);
      }),
      runs(500),
    );
  });

  test('ignores key order and number notation', () => {
    const before = JSON.parse('{"payout":1.0,"icon":{"url":"u","w":1}}') as JsonObject;
    const after = JSON.parse('{"icon":{"w":1e0,"url":"u"},"payout":1}') as JsonObject;
    expect(diffCampaigns(before, after)).toEqual([]);
  });

  test('reports a changed order of a list without added or removed entries', () => {
    expect(diffCampaigns({ geo: ['DE', 'FR'] }, { geo: ['FR', 'DE'] })).toMatchObject([
      { field: 'geo', members: { added: [], removed: [] } },
    ]);
  });

  test('distinguishes a missing field from null', () => {
    expect(diffCampaigns({ a: null }, {})).toMatchObject([
      { field: 'a', before: null, after: undefined, members: null },
    ]);
  });

  test('includes the lists with a changed targeting flag', () => {
    const before = exampleCampaign('push');
    const changes = diffCampaigns(before, { ...before, geo_enabled: 1, geo: [] });
    expect(changes.find(({ field }) => field === 'geo_enabled')?.selection).toEqual({
      before: ['DE', 'FR', 'IT'],
      after: [],
    });
  });
});

describe('normalising a campaign', () => {
  test('empties the list of every flag of 1 and touches nothing else', () => {
    const campaign = exampleCampaign('cpm');
    for (const { flag, list } of targetingDimensions) {
      campaign[flag] = 1;
      campaign[list] = ['kept', 'out'];
    }
    const copy = structuredClone(campaign);
    const stored = normaliseCampaign(campaign);
    expect(campaign).toEqual(copy);
    const touched = diffCampaigns(campaign, stored);
    expect(touched.map(({ field }) => field).toSorted()).toEqual(
      targetingDimensions.map(({ list }) => list).toSorted(),
    );
    expect(touched.every(({ after }) => jsonEqual(after, []))).toBe(true);
    expect(normaliseCampaign(stored)).toEqual(stored);
  });

  test('adds no field', () => {
    expect(normaliseCampaign({ geo_enabled: 1 })).toEqual({ geo_enabled: 1 });
  });
});

describe('the read-back finds', () => {
  const sent: JsonObject = { ...exampleCampaign('push'), geo_enabled: 1, name: ' spaced ' };

  /** Returns the fields that were not stored as requested, as `field verdict`. */
  function findings(found: JsonObject): string[] {
    const verdicts = readBackVerdicts(sent, found, exampleContext(), defaultFormats);
    expect(verdicts.map(({ field }) => field)).toEqual(Object.keys(sent));
    return verdicts
      .filter(({ verdict }) => verdict !== 'stored')
      .map(({ field, verdict }) => `${field} ${verdict}`);
  }

  test('no difference if the stored campaign is identical', () =>
    expect(findings(structuredClone(sent))).toEqual([]));

  test('a normalised value if it means the same', () => {
    const found = { ...normaliseCampaign(sent), name: 'spaced', os: ['iOS', 'Android'] };
    expect(findings(found)).toEqual(['name normalised', 'geo normalised', 'os normalised']);
  });

  test('a difference for any other value', () => {
    const { expire: _gone, ...found }: JsonObject = {
      ...sent,
      payout: 0.44,
      freq_counter: '3',
      geo: ['DE'],
      shedule: [],
    };
    expect(findings(found)).toEqual([
      'payout different',
      'expire different',
      'shedule different',
      'freq_counter different',
      'geo different',
    ]);
    const bid = readBackVerdicts(sent, found, exampleContext(), defaultFormats).find(
      ({ field }) => field === 'payout',
    );
    expect(bid).toEqual({
      field: 'payout',
      label: 'Bid',
      verdict: 'different',
      sent: '$0.045',
      found: '$0.440',
    });
  });

  test('a different order of hours as another schedule with its own text', () => {
    const week = sent['shedule'];
    const shifted = Array.isArray(week) ? [...week.slice(1), 0] : [];
    expect(findings({ ...sent, shedule: shifted })).toEqual(['shedule different']);
    const hours = readBackVerdicts(sent, { ...sent, shedule: shifted }, exampleContext(), defaultFormats);
    expect(hours.find(({ field }) => field === 'shedule')).toMatchObject({
      sent: '84 of 168 hours',
      found: '84 of 168 hours, other hours',
    });
  });

  test.each<[string, JsonValue, JsonValue]>([
    ['freq_counter', 3, '3'],
    ['enable_budget', 1, '1'],
    ['website', null, 'none'],
    ['payout', 0.04500001, 0.04500002],
    ['publisher_blocklist', 'abcdefghijklmno'.split(''), 'abcdefghijklmnx'.split('')],
  ])('different texts for %s: %j and %j', (field, asked, now) => {
    const [verdict] = readBackVerdicts(
      { [field]: asked },
      { [field]: now },
      exampleContext(),
      defaultFormats,
    );
    expect(verdict?.verdict).toBe('different');
    expect(verdict?.found).not.toBe(verdict?.sent);
  });

  test('no difference in a field that the service added', () => {
    expect(findings({ ...sent, updated_at: 1 })).toEqual([]);
  });
});
