import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs, storedEvidence } from '#shared/campaign/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { exampleCampaign } from '#test/fixtures/campaign.ts';

const base: JsonObject = { ...exampleCampaign('push'), updated_at: 1 };

describe('a read after a write without an answer proves the right outcome:', () => {
  test.each([
    ['the new bid is stored', { payout: 0.09 }, { payout: 0.09 }, 'payload'],
    ['the old bid is stored', { payout: 0.09 }, {}, 'base'],
    ['a third bid is stored', { payout: 0.09 }, { payout: 0.2 }, 'other'],
    ['a trimmed name that was there before', { name: 'DE push – summer ' }, {}, 'base'],
    ['a trimmed name that is new', { name: ' Winter ' }, { name: 'Winter' }, 'payload'],
    ['a reordered list in its old order', { geo: ['IT', 'FR', 'DE'] }, {}, 'base'],
    ['a list in a third order', { geo: ['IT', 'FR', 'DE'] }, { geo: ['FR', 'IT', 'DE'] }, 'payload'],
    ['a list that its flag empties, empty before', { os_versions: ['14'] }, {}, 'base'],
    ['a list that its flag empties', { geo_enabled: 1 }, { geo_enabled: 1, geo: [] }, 'payload'],
    [
      'a new bid together with a name that proves nothing',
      { payout: 0.09, name: 'DE push – summer ' },
      { payout: 0.09 },
      'payload',
    ],
    ['only half of it', { payout: 0.09, d_revenue: 60 }, { payout: 0.09 }, 'other'],
    ['the old bid, and another user paused', { payout: 0.09 }, { status: 3 }, 'other'],
    ['the new bid, and another user paused', { payout: 0.09 }, { payout: 0.09, status: 3 }, 'other'],
    ['the old name, and another user paused', { name: 'DE push – summer ' }, { status: 3 }, 'other'],
  ] as [string, JsonObject, JsonObject, string][])('%s', (_what, change, now, proof) => {
    const evidence = { base, sent: { ...base, ...change }, found: { ...base, ...now } };
    expect(storedEvidence(evidence)).toBe(proof);
  });

  test('a value that existed before the write proves nothing, whatever was sent', () => {
    const value = fc.jsonValue({ maxDepth: 2, depthSize: 'xsmall' }) as fc.Arbitrary<JsonValue>;
    const field = fc.constantFrom('name', 'geo', 'geo_enabled', 'shedule', 'payout', 'x_optimizer');
    const changes = fc.dictionary(field, value) as fc.Arbitrary<JsonObject>;
    fc.assert(
      fc.property(changes, (change) => {
        expect(storedEvidence({ base, sent: { ...base, ...change }, found: base })).toBe('base');
      }),
    );
  });

  test('a field that the service changes itself proves nothing', () => {
    const volatile = ['updated_at'];
    const sent = { ...base, payout: 0.09 };
    expect(storedEvidence({ base, sent, found: { ...base, updated_at: 2 } })).toBe('other');
    expect(storedEvidence({ base, sent, found: { ...base, updated_at: 2 }, volatile })).toBe('base');
    expect(storedEvidence({ base, sent, found: { ...sent, updated_at: 2 }, volatile })).toBe('payload');
  });
});

test.each([
  [0, false],
  [1, true],
  [2, false],
  [3, false],
  [4, true],
  ['1', false],
  [undefined, false],
])('a campaign with the status %j may spend: %j', (status, may) => expect(runs(status)).toBe(may));
