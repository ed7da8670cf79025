import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { parseDecimal } from '#renderer/stores/agents/guardrails-form.ts';
import { runs } from '#test/setup/property-runs.ts';

describe('an amount is read exactly as typed', () => {
  test.each([
    ['0.045', 0.045],
    [' 12 ', 12],
    ['0', 0],
    ['2050.00', 2050],
    ['0.000001', 0.000001],
    ['007', 7],
  ])('%j is %d', (typed, value) => {
    expect(parseDecimal(typed)).toEqual({ kind: 'number', value });
  });

  test('every amount with up to six decimals is read without loss', () => {
    fc.assert(
      fc.property(fc.nat(999_999_999), fc.nat(999_999), (whole, micros) => {
        const typed = `${whole}.${String(micros).padStart(6, '0')}`;
        const parsed = parseDecimal(typed);
        expect(parsed.kind === 'number' && parsed.value.toFixed(6)).toBe(typed);
      }),
      runs(200),
    );
  });
});

describe('an ambiguous or invalid amount is refused with an explanation', () => {
  test.each([
    ['', /Enter an amount/u],
    ['abc', /Enter digits/u],
    ['1,5', /after a point/u],
    ['1,250.50', /after a point/u],
    ['-1', /cannot be negative/u],
    ['1e3', /Enter digits/u],
    ['.5', /Enter digits/u],
    ['5.', /Enter digits/u],
    ['$5', /Enter digits/u],
    ['0x10', /Enter digits/u],
    ['Infinity', /Enter digits/u],
    ['0.0000001', /at most 6 decimals/u],
    ['12345678901.234567', /too many digits/u],
  ])('%j', (typed, words) => {
    const parsed = parseDecimal(typed);
    expect(parsed.kind === 'wrong' && parsed.message).toMatch(words);
  });
});
