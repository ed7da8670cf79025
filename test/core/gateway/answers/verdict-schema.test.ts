import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutVerdict, withVerdictMember } from '#core/gateway/answers/verdict-schema.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { runs } from '#test/setup/property-runs.ts';

const ajv = new Ajv2020({ strict: false, addUsedSchema: false });
const passes = (schema: JsonObject, value: JsonValue): boolean => ajv.validate(schema, value);

const verdict = { verdict: 'differs', proposalId: 'p', message: 'm', next: 'n', differences: [] };

/** Names of members in answers, without the member of Countersign. */
const name = fc.constantFrom('status', 'data', 'error');
const value = fc.constantFrom<JsonValue>('success', 'error', 1, {});
const property = fc.constantFrom<JsonValue>(
  true,
  { type: 'string' },
  { const: 'success' },
  { type: 'object' },
);

const part: fc.Arbitrary<JsonObject> = fc.record(
  {
    properties: fc.dictionary(name, property),
    required: fc.uniqueArray(name, { maxLength: 2 }),
    additionalProperties: fc.constantFrom<JsonValue>(true, false, { type: 'number' }),
    not: fc.record({ required: fc.uniqueArray(name, { minLength: 1, maxLength: 2 }) }),
  },
  { requiredKeys: [] },
);

const schemas: fc.Arbitrary<JsonObject> = fc
  .tuple(
    part,
    fc.record(
      {
        oneOf: fc.array(part, { minLength: 1, maxLength: 3 }),
        anyOf: fc.array(part, { minLength: 1, maxLength: 3 }),
        allOf: fc.array(part, { minLength: 1, maxLength: 2 }),
        unevaluatedProperties: fc.constant(false),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([one, more]) => ({ type: 'object', ...one, ...more }));

test('a schema with the verdict member accepts what it accepted before, with or without a verdict, and refuses the rest', () => {
  fc.assert(
    fc.property(schemas, fc.dictionary(name, value), (schema, answer) => {
      const mirrored = withVerdictMember(schema);
      expect(mirrored).not.toBeNull();
      if (mirrored === null) return;
      const expected = passes(schema, answer);
      expect(passes(mirrored, answer)).toBe(expected);
      expect(passes(mirrored, { countersign: verdict, ...answer })).toBe(expected);
      expect(passes(mirrored, { countersign: 'anything', ...answer })).toBe(false);
    }),
    runs(120),
  );
});

test.each<[string, JsonObject]>([
  ['a reference', { $ref: '#/$defs/a', $defs: { a: {} } }],
  ['patterns for names', { patternProperties: { '^c': { type: 'number' } } }],
  ['a rule for names', { propertyNames: { maxLength: 5 } }],
  ['a limit of the number of members', { maxProperties: 2 }],
  ['a condition', { if: { required: ['a'] } }],
  ['a fixed value', { const: { a: 1 } }],
  ['an alternative that is a reference', { oneOf: [{ $ref: '#/$defs/a' }], $defs: { a: {} } }],
  ['an alternative that names the member itself', { anyOf: [{ required: ['countersign'] }] }],
  ['a negation that forbids members', { not: { additionalProperties: false } }],
  ['invalid alternatives', { oneOf: 1 }],
  ['an unknown keyword', { 'x-rule': true }],
])('a schema with %s is left unchanged', (_what, schema) => {
  expect(withVerdictMember({ type: 'object', ...schema })).toBeNull();
});

test('nested alternatives are followed only for a few levels', () => {
  const nested = (levels: number): JsonObject =>
    levels === 0 ? { additionalProperties: false } : { anyOf: [nested(levels - 1)] };
  expect(withVerdictMember(nested(8))).not.toBeNull();
  expect(withVerdictMember(nested(9))).toBeNull();
});

test('a member named countersign belongs to Countersign alone, in schemas and in answers', () => {
  const schema = {
    type: 'object',
    properties: { countersign: { type: 'number' }, a: {} },
    required: ['countersign', 'a'],
  };
  const mirrored = withVerdictMember(schema) ?? {};
  expect([passes(mirrored, { a: 1, countersign: verdict }), passes(mirrored, { a: 1 })]).toEqual([
    true,
    true,
  ]);
  expect(passes(mirrored, { a: 1, countersign: 5 })).toBe(false);
  const answer = {
    structuredContent: { a: 1, countersign: 5 },
    _meta: { 'countersign/verdict': 1, b: 2 },
    c: 3,
  };
  expect(withoutVerdict(answer)).toEqual({ structuredContent: { a: 1 }, _meta: { b: 2 }, c: 3 });
});
