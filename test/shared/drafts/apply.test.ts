import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyDraft, applyOperations, type FieldOperation } from '#shared/drafts/index.ts';
import { fieldOperationSchema } from '#shared/drafts/operation.ts';
import { isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { firstHours, sampleCampaign } from '#shared/training/corpus/index.ts';
import { exampleCampaign, type ExampleKind, exampleTypes } from '#test/fixtures/campaign.ts';
import { runs } from '#test/setup/property-runs.ts';

function result(field: string, value: JsonValue, ...operations: FieldOperation[]): unknown {
  const applied = applyOperations(field, value, operations);
  return applied.kind === 'value' ? applied.value : applied.code;
}

describe('amounts in drafts are calculated in decimals:', () => {
  const cases: [string, number, FieldOperation[], unknown][] = [
    ['payout', 0.045, [{ kind: 'percent', percent: '10' }], 0.0495],
    ['payout', 0.1, [{ kind: 'add', amount: '0.2' }], 0.3],
    ['payout', 0.3, [{ kind: 'subtract', amount: '0.1' }], 0.2],
    ['payout', 1e-7, [{ kind: 'percent', percent: '-100' }], 0],
    ['d_revenue', 33.33, [{ kind: 'percent', percent: '-12.5' }], 29.16],
    ['d_revenue', 0.05, [{ kind: 'percent', percent: '-50' }], 0.03],
    [
      'd_revenue',
      50,
      [
        { kind: 'percent', percent: '300' },
        { kind: 'cap', amount: '120' },
      ],
      120,
    ],
    [
      'd_revenue',
      50,
      [
        { kind: 'percent', percent: '-90' },
        { kind: 'floor', amount: '10' },
      ],
      10,
    ],
    ['freq_counter', 3, [{ kind: 'percent', percent: '50' }], 5],
    ['t_revenue', 999_999_999.99, [{ kind: 'add', amount: '0.01' }], 1_000_000_000],
  ];
  test.each(cases)('%s %s', (field, value, operations, expected) =>
    expect(result(field, value, ...operations)).toBe(expected),
  );

  test('a rounded result includes the exact result', () => {
    const applied = applyOperations('d_revenue', 33.33, [{ kind: 'percent', percent: '10' }]);
    expect(applied).toEqual({ kind: 'value', value: 36.66, notes: [{ kind: 'rounded', exact: '36.663' }] });
  });

  test('a percentage and its inverse by division match exact fractions', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.integer({ min: -99, max: 900 }),
        (cents, percent) => {
          const after = result('d_revenue', cents / 100, { kind: 'percent', percent: String(percent) });
          const exact = BigInt(cents) * BigInt(100 + percent);
          const rounded = (exact + 50n) / 100n;
          expect(after).toBe(Number(rounded) / 100);
        },
      ),
    );
  });
});

describe('replacing text in a draft works with', () => {
  const replace = (change: Partial<Extract<FieldOperation, { kind: 'replaceText' }>>): FieldOperation => ({
    kind: 'replaceText',
    find: 'old.example',
    replacement: 'new.example',
    matchesCase: false,
    ...change,
  });
  test.each([
    [
      'every occurrence, in any case',
      'https://OLD.example/?u=old.example',
      {},
      'https://new.example/?u=new.example',
    ],
    ['only the same case', 'OLD.example old.example', { matchesCase: true }, 'OLD.example new.example'],
    ['a dot is a dot', 'oldXexample', {}, 'oldXexample'],
    ['dollars are plain in plain text', 'old.example', { replacement: '$1.$&' }, '$1.$&'],
    ['no text', 12, {}, 'not_text'],
  ] as [string, JsonValue, Parameters<typeof replace>[0], unknown][])(
    '%s',
    (_title, value, change, expected) => expect(result('clickurl', value, replace(change))).toBe(expected),
  );
});

describe('lists in drafts keep the order and notation of existing entries:', () => {
  const add = (...members: (string | number)[]): FieldOperation => ({ kind: 'addMembers', members });
  const remove = (...members: (string | number)[]): FieldOperation => ({ kind: 'removeMembers', members });
  test.each([
    ['an array', ['DE', 'FR'], add('it', 'IT', 'de'), ['DE', 'FR', 'it']],
    ['numbers get numbers', [7, 12], add('12', '13'), [7, 12, 13]],
    ['texts get texts', ['7'], add(12), ['7', '12']],
    ['lines', 'casino\nloan', add('Loan', 'bet'), 'casino\nloan\nbet'],
    ['lines of Windows', 'a\r\nb', add('c'), 'a\r\nb\r\nc'],
    ['commas', 'a, b', add('c'), 'a, b, c'],
    ['an empty text', '', add('a', 'b'), 'a\nb'],
    ['an open end', 'a\n', add('b'), 'a\nb'],
    ['removal from an array', ['DE', 'FR', 'de'], remove('DE'), ['FR']],
    ['removal from lines', 'a\nb\nc', remove('B'), 'a\nc'],
    ['a removal of nothing, which leaves the text unchanged', 'a;;b ', remove('x'), 'a;;b '],
    ['objects are no list', [{ id: 1 }], add('a'), 'not_a_list'],
    ['a number is no list', 5, remove('a'), 'not_a_list'],
  ] as [string, JsonValue, FieldOperation, unknown][])('%s', (_title, value, operation, expected) =>
    expect(result('ip_blocklist', value, operation)).toEqual(expected),
  );

  test.each<[list: string, foldsCase: boolean]>([
    ['geo', true],
    ['os', true],
    ['lang', true],
    ['keywords_blocklist', true],
    ['carrier_allowlist', true],
    ['isp_blocklist', true],
    ['ip_blocklist', true],
    ['domain_blocklist', true],
    ['country_blocklist', true],
    ['bundle_blocklist', false],
    ['site_app_blocklist', false],
    ['publisher_blocklist', false],
    ['domain_bundle_allowlist', false],
    ['ssp_blocklist', false],
    ['display_list', false],
    ['a_list_that_nobody_knows', false],
  ])('%s: entries that differ in case are the same entry: %s', (list, foldsCase) => {
    expect(result(list, ['com.foo.Bar'], add('com.foo.bar'))).toEqual(
      foldsCase ? ['com.foo.Bar'] : ['com.foo.Bar', 'com.foo.bar'],
    );
    expect(result(list, ['com.foo.Bar', 'com.foo.bar'], remove('com.foo.bar'))).toEqual(
      foldsCase ? [] : ['com.foo.Bar'],
    );
  });

  test('operations without an effect are counted', () => {
    const applied = applyOperations('geo', ['DE'], [add('DE', 'FR'), remove('BR', 'FR')]);
    expect(applied).toMatchObject({
      value: ['DE'],
      notes: [
        { kind: 'ineffective', count: 1, of: 'add' },
        { kind: 'ineffective', count: 1, of: 'remove' },
      ],
    });
  });
});

test.each([
  ['addHours', firstHours(0), { kind: 'addHours', hours: [0, 1, 2] }, firstHours(3)],
  ['removeHours', firstHours(5), { kind: 'removeHours', hours: [3, 4, 9] }, firstHours(3)],
  ['no schedule', [1, 2], { kind: 'addHours', hours: [0] }, 'not_a_schedule'],
  ['a shifted date', '2026-12-31', { kind: 'shiftDays', days: 1 }, '2027-01-01'],
  ['no date', '', { kind: 'shiftDays', days: 1 }, 'not_a_date'],
  ['a number in text', '5', { kind: 'percent', percent: '10' }, 'not_a_number'],
] as [string, JsonValue, FieldOperation, unknown][])('%s', (_title, value, operation, expected) =>
  expect(result('shedule', value, operation)).toEqual(expected),
);

describe('the bid of a source in a draft', () => {
  const rule = { id: 2, value: '900', bid: 0.07, extra: { kept: true } };
  const controls: JsonObject[] = [{ source: '881', bid: 0.06 }, rule];
  const set = (member: string, control: JsonObject = { bid: 0.06, source: '881' }): FieldOperation => ({
    kind: 'setBidControl',
    control,
    member,
    value: 0.08,
  });
  test('changes one number, wherever its object is, and keeps everything else', () =>
    expect(result('bidControl', controls.toReversed(), set('bid'))).toEqual([
      rule,
      { source: '881', bid: 0.08 },
    ]));
  test.each(['source', 'missing', '__proto__'])('cannot change the member %s', (member) =>
    expect(result('bidControl', controls, set(member))).toBe('no_such_control'),
  );
  test('is not changed in an object of another form', () =>
    expect(result('bidControl', controls, set('bid', rule))).toBe('no_such_control'));
});

const decimal = fc.integer({ min: 0, max: 1_000_000 }).map((value) => (value / 1_000).toString());
const member = fc.oneof(fc.string({ minLength: 1 }), fc.integer());
const hours = fc.array(fc.integer({ min: 0, max: 167 }), { minLength: 1 });
const operation: fc.Arbitrary<FieldOperation> = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), value: fc.jsonValue() as fc.Arbitrary<JsonValue> }),
  fc.record({
    kind: fc.constantFrom('add' as const, 'subtract' as const, 'floor' as const, 'cap' as const),
    amount: decimal,
  }),
  fc.record({ kind: fc.constant('percent' as const), percent: decimal }),
  fc.record({
    kind: fc.constant('replaceText' as const),
    find: fc.string({ minLength: 1 }),
    replacement: fc.string(),
    matchesCase: fc.boolean(),
  }),
  fc.record({
    kind: fc.constantFrom('addMembers' as const, 'removeMembers' as const),
    members: fc.array(member, { minLength: 1 }),
  }),
  fc.record({ kind: fc.constantFrom('addHours' as const, 'removeHours' as const), hours }),
  fc.record({ kind: fc.constant('shiftDays' as const), days: fc.integer({ min: -400, max: 400 }) }),
);

const json = fc.jsonValue() as fc.Arbitrary<JsonValue>;
const bid = fc.double({ min: 0, max: 5, noNaN: true });
const control = fc.oneof(
  fc.record({ source: fc.string(), bid }),
  fc.record({ id: fc.integer(), source: fc.string(), bid }),
  json,
);

/** Campaigns of every kind in which any field may have any value, with fields that the contract does not name. */
const campaigns: fc.Arbitrary<JsonObject> = fc
  .record({
    kind: fc.constantFrom(...(Object.keys(exampleTypes) as ExampleKind[])),
    changed: fc.dictionary(fc.constantFrom(...Object.keys(sampleCampaign)), json, { maxKeys: 8 }),
    unknown: fc.dictionary(fc.string(), json, { maxKeys: 4 }),
    bidControl: fc.array(control, { maxLength: 4 }),
  })
  .map(({ kind, changed, unknown, bidControl }) => {
    return { ...unknown, ...exampleCampaign(kind), bidControl, ...changed };
  });

/** Operations on some of the campaign's fields, including operations on a control. */
function draftsOf(campaign: JsonObject): fc.Arbitrary<Record<string, FieldOperation[]>> {
  const controls = Array.isArray(campaign['bidControl']) ? campaign['bidControl'].filter(isJsonObject) : [];
  const ofControl = fc.record({
    kind: fc.constant('setBidControl' as const),
    control: fc.constantFrom(...controls, { source: 'none', bid: 1 }),
    member: fc.constantFrom('bid', 'source', 'id', '__proto__'),
    value: bid,
  });
  const fields = fc.constantFrom(...Object.keys(campaign), 'not_there', 'bidControl');
  const operations = fc.array(fc.oneof({ arbitrary: operation, weight: 4 }, ofControl), {
    minLength: 1,
    maxLength: 4,
  });
  return fc.dictionary(fields, operations, { maxKeys: 6 });
}

test('no operation changes another field or the campaign that was read', () => {
  const kinds = new Set<string>();
  fc.assert(
    fc.property(
      campaigns.chain((campaign) => draftsOf(campaign).map((wanted) => ({ campaign, wanted }))),
      ({ campaign, wanted }) => {
        const before = structuredClone(campaign);
        const draft = Object.fromEntries(
          Object.entries(wanted).map(([field, operations]) => [field, { from: null, operations }]),
        );
        const { payload, applied } = applyDraft(campaign, draft);
        expect(jsonEqual(campaign, before)).toBe(true);
        expect(Object.keys(payload)).toEqual(Object.keys(campaign));
        for (const field of Object.keys(campaign)) {
          const isNamed = Object.hasOwn(draft, field);
          const isChanged = applied.get(field)?.kind === 'value';
          if (!isNamed || !isChanged) expect(payload[field]).toBe(campaign[field]);
        }
        for (const { kind } of Object.values(wanted).flat()) kinds.add(kind);
      },
    ),
    runs(300),
  );
  // The generator must have made every kind of operation.
  expect(kinds.size).toBe(fieldOperationSchema.options.length);
});

test('an operation on a bid control changes one number of one object', () => {
  fc.assert(
    fc.property(fc.array(control, { minLength: 1, maxLength: 5 }), fc.nat(), bid, (controls, at, value) => {
      const chosen = controls[at % controls.length] ?? null;
      if (!isJsonObject(chosen)) return;
      const steps: FieldOperation[] = [{ kind: 'setBidControl', control: chosen, member: 'bid', value }];
      const after = applyOperations('bidControl', controls, steps);
      if (after.kind === 'problem') return;
      const changed = (after.value as JsonValue[]).flatMap((item, index) =>
        jsonEqual(item, controls[index] ?? null) ? [] : [{ item, was: controls[index] }],
      );
      expect(changed.length).toBeLessThanOrEqual(1);
      for (const { item, was } of changed) expect(item).toEqual({ ...(was as JsonObject), bid: value });
    }),
  );
});
