import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError, parseStrictJson } from '#shared/errors/index.ts';
import { maxJsonDepth } from '#shared/lib/json/strict-parse.ts';

/** The error of a text that must be refused. */
function refusal(text: string): AppError {
  try {
    parseStrictJson(text);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error(`Not refused: ${text.slice(0, 100)}`);
}

/** A number as the parser sees it: minus zero has the value zero. */
function withoutMinusZero(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown) => (Object.is(value, -0) ? 0 : value));
}

describe('what JSON.parse reads, the strict parser reads alike', () => {
  test('for any JSON value, however it is spaced', () => {
    const spaces = fc.constantFrom(undefined, 1, '\t', '\n  ');
    const values = fc.jsonValue({ noUnicodeString: false, depthSize: 'medium' });
    fc.assert(
      fc.property(values, spaces, (value, space) => {
        const text = JSON.stringify(value, null, space);
        fc.pre(!text.includes('__proto__'));
        expect(withoutMinusZero(JSON.stringify(parseStrictJson(text)))).toEqual(withoutMinusZero(text));
      }),
      { numRuns: 300 },
    );
  });

  test('or both refuse, for any text made of JSON pieces', () => {
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
        // An exponent of three digits leaves the range of a double: JSON.parse then reads Infinity.
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
      { numRuns: 2000 },
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

describe('what a canonical form cannot see is refused with its path', () => {
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

  test('a text that ends before its first key or value names no place', () => {
    for (const text of ['{', '{a:1}', '{"x":1,']) expect(refusal(text).message).not.toContain('[""]');
    expect(refusal('{').data).toEqual({ path: '' });
    expect(refusal('{"a":{').data).toEqual({ path: 'a' });
  });

  test('a key that would disturb the message is made inert in it', () => {
    expect(refusal('{"a\\u202eb":1e999}').message).toContain('["a⟨U+202E⟩b"]');
  });
});

describe('a number is refused exactly when its decimal value would not survive', () => {
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

  test('every double in its shortest form is exact', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(parseStrictJson(String(value))).toBe(Object.is(value, -0) ? 0 : value);
      }),
    );
  });
});

test('nesting is read to 64 levels and refused at 65', () => {
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
