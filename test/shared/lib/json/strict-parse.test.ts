import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError, parseServiceJson, parseStrictJson } from '#shared/errors/index.ts';
import { maxJsonDepth } from '#shared/lib/json/strict-parse.ts';
import { runs } from '#test/setup/property-runs.ts';

function refusal(text: string): AppError {
  try {
    parseStrictJson(text);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error(`Not refused: ${text.slice(0, 100)}`);
}

/** Parses a number as the strict parser does, with minus zero as zero. */
function withoutMinusZero(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown) => (Object.is(value, -0) ? 0 : value));
}

describe('the strict parser reads the same as JSON.parse', () => {
  test('for any JSON value, however it is spaced', () => {
    const spaces = fc.constantFrom(undefined, 1, '\t', '\n  ');
    const values = fc.jsonValue({ noUnicodeString: false, depthSize: 'medium' });
    fc.assert(
      fc.property(values, spaces, (value, space) => {
        const text = JSON.stringify(value, null, space);
        fc.pre(!text.includes('__proto__'));
        expect(withoutMinusZero(JSON.stringify(parseStrictJson(text)))).toEqual(withoutMinusZero(text));
      }),
      runs(300),
    );
  });

  test('or refuses as JSON.parse does, for any text made of JSON pieces', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '1',
      '-',
      '.5',
      'e3',
      'true',
      'null',
      ' ',
      '\\u0041',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        // A three-digit exponent exceeds the range of a double, and JSON.parse returns Infinity.
        fc.pre(!/e3\d\d/.test(text));
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          expect(refusal(text).code).toMatch(/^json_(invalid|duplicate_key)$/);
          return;
        }
        if (text.split('"a"').length <= 2) expect(parseStrictJson(text)).toEqual(expected);
      }),
      runs(2000),
    );
  });

  test.each([
    '"\\u00e9\\n\\/"',
    '"\\ud83d\\ude00"',
    '{"constructor":1,"toString":[],"":{}}',
    ' [ ] ',
    '[1.0,1e2,-0.5E-3]',
  ])('for %s', (text) => expect(parseStrictJson(text)).toEqual(JSON.parse(text)));
});

describe('what the canonical form cannot represent is refused with its path:', () => {
  test.each([
    ['{"a":1,"b":{"a":2},"a":3}', 'json_duplicate_key', 'a'],
    ['{"campaign":{"geo":["DE",{"x":1,"\\u0078":2}]}}', 'json_duplicate_key', 'campaign.geo[1].x'],
    ['{"a":{"__proto__":{}}}', 'json_forbidden_key', 'a.__proto__'],
    ['{"__pr\\u006fto__":1}', 'json_forbidden_key', '__proto__'],
    ['{"odd key":[0,9007199254740993]}', 'json_number_inexact', '["odd key"][1]'],
    ['{"a":"\\ud800"}', 'json_lone_surrogate', 'a'],
    ['{"a":["\\udc00x"]}', 'json_lone_surrogate', 'a[0]'],
    ['["\ud800"]', 'json_lone_surrogate', '[0]'],
    ['{"a":1', 'json_invalid', 'a'],
    ['[1,2,]', 'json_invalid', '[2]'],
    ['{"":[1,2,]}', 'json_invalid', '[""][2]'],
  ])('%s', (text, code, path) => {
    const error = refusal(text);
    expect(error.code).toBe(code);
    expect(error.data).toEqual({ path });
    expect(error.message).toContain(path);
  });

  test('a text that ends before its first key or value is refused without a place', () => {
    for (const text of ['{', '{a:1}', '{"x":1,']) expect(refusal(text).message).not.toContain('[""]');
    expect(refusal('{').data).toEqual({ path: '' });
    expect(refusal('{"a":{').data).toEqual({ path: 'a' });
  });

  test('a key that would garble the message is made harmless in it', () => {
    expect(refusal('{"a\\u202eb":1e999}').message).toContain('["a⟨U+202E⟩b"]');
  });
});

/** Returns a decimal as digits × 10^exponent, with integers of any size. */
function exactly(text: string): { digits: bigint; exponent: bigint } {
  const [coefficient = '', power = '0'] = text.split('e');
  const [whole = '', fraction = ''] = coefficient.split('.');
  return { digits: BigInt(whole + fraction), exponent: BigInt(power) - BigInt(fraction.length) };
}

/** The exact but slow rule: the shortest text of the nearest double must be the same decimal. */
function isKept(text: string): boolean {
  if (!Number.isFinite(Number(text))) return false;
  const [a, b] = [exactly(text), exactly(String(Number(text)))];
  if (a.digits === 0n || b.digits === 0n) return a.digits === b.digits;
  const apart = a.exponent - b.exponent;
  // With a larger difference the digits cannot be equal, and the power would not fit into memory.
  if (apart > 2000n || apart < -2000n) return false;
  return apart >= 0n ? a.digits * 10n ** apart === b.digits : a.digits === b.digits * 10n ** -apart;
}

describe('a number is refused exactly if its decimal value would change:', () => {
  test.each([
    '0',
    '-0',
    '1.0',
    '1e2',
    '0.1',
    '9007199254740991',
    '9007199254740992',
    '1e21',
    '5e-324',
    '0e999999',
    '100000000000000000000',
  ])('%s is kept', (text) => expect(parseStrictJson(text)).toBe(Number(text)));

  test.each([
    '9007199254740993',
    '-9007199254740993',
    '0.1000000000000000055511151231257827',
    '1e400',
    '1e-400',
    '4.94e-324',
    '12345678901234567890',
    '1e99999999999999999999',
  ])('%s is refused', (text) => expect(refusal(text).code).toBe('json_number_inexact'));

  test('in an answer of a service, a fraction may have 17 digits', () => {
    expect(parseServiceJson('[0.57999999999999996,1.1000000000000001e-7]')).toEqual([0.58, 1.1e-7]);
    expect(refusal('0.57999999999999996').code).toBe('json_number_inexact');
    const fraction = fc.double({ noNaN: true, noDefaultInfinity: true, noInteger: true });
    fc.assert(
      fc.property(fraction, (value) => {
        expect(parseServiceJson(value.toPrecision(17))).toBe(value);
      }),
      runs(1000),
    );
  });

  test.each([
    '0.57999999999999997',
    '0.5799999999999999600426131',
    '0.30000000000000001',
    '9007199254740993',
    '90071992547409936',
    '9007199254740992.5',
    '1e400',
  ])('in an answer of a service, %s is still refused', (text) => {
    expect(() => parseServiceJson(text)).toThrow(
      expect.objectContaining({ code: 'json_number_inexact' }) as Error,
    );
  });

  test('any notation of a number is accepted or refused as exact arithmetic says', () => {
    const digits = fc.array(fc.constantFrom('0', '0', '0', '1', '9', '5', '4503599627370496'), {
      maxLength: 8,
    });
    const number = fc.record({
      sign: fc.constantFrom('', '-'),
      whole: fc.oneof(
        fc.constant('0'),
        digits.map((texts) => `7${texts.join('')}`),
      ),
      fraction: fc.option(digits.map((texts) => `.${texts.join('')}0`)),
      exponent: fc.option(
        fc.oneof(
          fc.integer({ min: -350, max: 350 }),
          fc.constantFrom('+0012', '-00', '9007199254740993', '-9007199254740993', `-${'9'.repeat(30)}`),
        ),
      ),
    });
    fc.assert(
      fc.property(number, ({ sign, whole, fraction, exponent }) => {
        const text = `${sign}${whole}${fraction ?? ''}${exponent === null ? '' : `e${exponent}`}`;
        if (isKept(text)) expect(parseStrictJson(text)).toBe(Number(text));
        else expect(refusal(text).code).toBe('json_number_inexact');
      }),
      runs(3000),
    );
  });

  test('every double in its shortest form is exact', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(parseStrictJson(String(value))).toBe(Object.is(value, -0) ? 0 : value);
      }),
    );
  });
});

test('nesting is accepted up to 64 levels and refused at 65', () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  expect(maxJsonDepth).toBe(64);
  expect(parseStrictJson(nested(64))).toEqual(JSON.parse(nested(64)));
  expect(refusal(nested(65)).code).toBe('json_too_deep');
  expect(refusal(nested(1_000_000)).code).toBe('json_too_deep');
});

test.each([
  '',
  ' ',
  '\ufeff1',
  'nul',
  '01',
  '1.',
  '.5',
  '+1',
  '"a',
  '"\\x"',
  '"\n"',
  '{a:1}',
  "{'a':1}",
  '[1 2]',
  '1 2',
  'NaN',
  '[,]',
  '{"a"}',
])('text that is not JSON is refused: %j', (text) => expect(refusal(text).code).toBe('json_invalid'));
