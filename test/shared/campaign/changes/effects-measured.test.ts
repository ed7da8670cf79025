import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeInWords } from '#shared/wording/index.ts';
import { diffCampaigns, type Measure } from '#shared/campaign/index.ts';
import { toMicros } from '#shared/lib/decimal.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { exampleCampaign, exampleContext } from '#test/fixtures/campaign.ts';
import { runs } from '#test/setup/property-runs.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const amount = (value: number): { kind: 'amount'; micros: bigint } => ({
  kind: 'amount',
  micros: toMicros(value),
});
const week = (hours: number): string => JSON.stringify(Array.from({ length: 168 }, (_, at) => +(at < hours)));

test.each<[field: string, before: JsonValue, after: JsonValue, Measure]>([
  [
    'payout',
    0.04,
    0.06,
    { kind: 'money', before: amount(0.04), after: amount(0.06), ratio: { exact: '3/2', isRaise: true } },
  ],
  [
    'd_revenue',
    100,
    50,
    { kind: 'money', before: amount(100), after: amount(50), ratio: { exact: '1/2', isRaise: false } },
  ],
  // A ratio that would be displayed as ×1 is omitted.
  ['d_revenue', 1000, 1001, { kind: 'money', before: amount(1000), after: amount(1001), ratio: null }],
  ['t_revenue', 50, 0, { kind: 'money', before: amount(50), after: { kind: 'unlimited' }, ratio: null }],
  ['payout', 0, 0.05, { kind: 'money', before: amount(0), after: amount(0.05), ratio: null }],
  ['payout', 'free', 0.05, { kind: 'none' }],
  ['freq_counter', 3, 6, { kind: 'count', before: 3, after: 6, ratio: { exact: '2/1', isRaise: true } }],
  ['geo', ['DE', 'FR'], ['FR', 'IT', 'ES'], { kind: 'entries', added: 2, removed: 1 }],
  ['name', 'a', 'b', { kind: 'none' }],
  ['bid_factor', 1, 1000, { kind: 'none' }],
])('the effect of %s: %j → %j is measured by its kind', (field, before, after, measure) => {
  expect(diffCampaigns({ [field]: before }, { [field]: after })[0]?.measure).toEqual(measure);
});

test('the effect of a schedule is measured by the hours switched on and off', () => {
  const sample = exampleCampaign('push')['shedule'];
  const shape = typeof sample === 'string' ? week : (hours: number) => JSON.parse(week(hours)) as JsonValue;
  const [effect] = diffCampaigns({ shedule: shape(24) }, { shedule: shape(20) });
  expect(effect?.measure).toMatchObject({ kind: 'hours', added: 0, removed: 4 });
});

test('every effect has a text that differs for its two sides', () => {
  const example = exampleCampaign('push');
  const fields = fc.constantFrom(...Object.keys(example), 'a_field_of_the_service');
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<JsonValue>,
    fc.double({ min: 0, max: 1e6, noNaN: true }),
    fc.array(fc.constantFrom('DE', 'FR', 'x'), { maxLength: 4 }),
  );
  const changes = fc.dictionary(fields, value, { maxKeys: 6 }) as fc.Arbitrary<JsonObject>;
  fc.assert(
    fc.property(changes, (change) => {
      for (const effect of diffCampaigns(example, { ...example, ...change })) {
        const { field, label, before, after, delta, factor } = changeInWords(
          effect,
          exampleContext(),
          defaultFormats,
        );
        expect(field).toBe(effect.field);
        expect(label).not.toBe('');
        expect(before).not.toBe(after);
        const { measure } = effect;
        const hasRatio = (measure.kind === 'money' || measure.kind === 'count') && measure.ratio !== null;
        expect(factor !== null).toBe(hasRatio);
        if (measure.kind === 'none') expect(delta).toBeNull();
      }
    }),
    runs(500),
  );
});
