import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { jsonEqual, type JsonValue } from '#shared/lib/json/json-value.ts';
import { runs } from '#test/setup/property-runs.ts';

const jsonValues = fc.jsonValue() as fc.Arbitrary<JsonValue>;

function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, reversed(item)]),
  );
}

describe('the published vectors of RFC 8785', () => {
  test('section 3.2.2: numbers, strings and literals', () => {
    const input = `{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
      "literals": [null, true, false]
    }`;
    expect(canonicalJson(JSON.parse(input) as JsonValue)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  test('section 3.2.3: keys are sorted by UTF-16 code units', () => {
    const input =
      '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}';
    expect(canonicalJson(JSON.parse(input) as JsonValue)).toBe(
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    );
  });

  test.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['41b3de4355555554', '333333333.33333325'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
  ])('appendix B: the double %s is %s', (hex, text) => {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, BigInt(`0x${hex}`));
    expect(canonicalJson(view.getFloat64(0))).toBe(text);
  });
});

test.each([
  [Number.NaN, 'NaN'],
  [-Infinity, 'Infinity'],
  ['\ud800', 'Lone surrogate'],
  [{ a: ['\udfff'] }, 'Lone surrogate'],
] as [JsonValue, string][])('a value that JSON does not have is refused: %j', (value, message) => {
  expect(() => canonicalJson(value)).toThrow(message);
});

test('the canonical text equals the reference implementation’s, for sorted and unsorted keys', () => {
  fc.assert(
    fc.property(jsonValues, (value) => {
      expect(canonicalJson(value)).toBe(canonicalize(value));
      const sorted = JSON.parse(canonicalJson(value)) as JsonValue;
      expect(canonicalJson(sorted)).toBe(canonicalize(value));
    }),
    runs(500),
  );
});

test.each([
  { a: '\\ud800', b: 1 },
  { a: '\u0001', é: 'é' },
  { '10': 1, '9': 2 },
  { '9': 1, A: 2 },
  JSON.parse('{"a":1,"__proto__":2}') as JsonValue,
  { a: { toJSON: 1 } },
  JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) as JsonValue,
] as JsonValue[])('the canonical text of an unusual value equals the reference implementation’s', (value) => {
  expect(canonicalJson(value)).toBe(canonicalize(value));
});

test('equal values have one canonical text, whatever the order of their keys', () => {
  fc.assert(
    fc.property(jsonValues, (value) => {
      expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      expect(jsonEqual(reversed(value), value)).toBe(true);
    }),
    runs(200),
  );
});

test('two values are equal exactly when their canonical texts are', () => {
  const close = fc.jsonValue({ maxDepth: 2, depthSize: 'xsmall' }) as fc.Arbitrary<JsonValue>;
  fc.assert(
    fc.property(close, close, (a, b) => {
      expect(jsonEqual(a, b)).toBe(canonicalJson(a) === canonicalJson(b));
    }),
    runs(500),
  );
});

test.each([
  [1, 1.0, true],
  [0, -0, true],
  [1, '1', false],
  [null, 0, false],
  [[], {}, false],
  [[1, 2], [2, 1], false],
  [{ a: 1 }, { a: 1, b: 1 }, false],
  [{ toString: 1 }, {}, false],
  [{ a: [{ b: null }] }, { a: [{ b: null }] }, true],
] as [JsonValue, JsonValue, boolean][])('%j and %j are equal: %s', (a, b, equal) => {
  expect(jsonEqual(a, b)).toBe(equal);
});
