import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codePointLength } from '#shared/lib/inert-text.ts';
import {
  exactFactor,
  factorText,
  isAtLeastTimes,
  isFactorExact,
  isMovedPoint,
  percentText,
  toDecimal,
  toMicros,
} from '#shared/lib/decimal.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const amounts = fc.double({ min: 0, max: 1e12, noNaN: true });

describe('money is computed from the decimal text, not from the binary number:', () => {
  test.each([
    [0, 0n],
    [0.1, 100_000n],
    [0.045, 45_000n],
    [1.1, 1_100_000n],
    [2050, 2_050_000_000n],
    [0.000001, 1n],
    [0.0000001, 1n],
    [0.0000011, 2n],
    [1e-300, 1n],
    [-0.0000019, -1n],
    [1e21, 10n ** 27n],
    [1.5e22, 15n * 10n ** 27n],
    [Number.MAX_SAFE_INTEGER, 9_007_199_254_740_991_000_000n],
  ])('%d is %d micros', (value, micros) => expect(toMicros(value)).toBe(micros));

  test('a larger amount never has fewer micros', () => {
    fc.assert(
      fc.property(amounts, amounts, (a, b) => {
        const [less, more] = a <= b ? [a, b] : [b, a];
        expect(toMicros(less) <= toMicros(more)).toBe(true);
      }),
    );
  });

  test('a rounded amount is rounded up by less than a micro', () => {
    fc.assert(
      fc.property(amounts, (value) => {
        const micros = toMicros(value);
        const { digits, exponent } = toDecimal(value);
        const exact = digits * 10n ** BigInt(6 + exponent + 400);
        const scaled = micros * 10n ** 400n;
        expect(scaled >= exact && scaled - exact < 10n ** 400n).toBe(true);
      }),
    );
  });

  test('an amount cannot be made of an invalid number', () => {
    expect(() => toMicros(Number.NaN)).toThrow(RangeError);
    expect(() => toMicros(Infinity)).toThrow(RangeError);
  });
});

test.each([
  [45_000n, '$0.045', '$0.045'],
  [450_000n, '$0.450', '$0.45'],
  [500n, '$0.0005', '$0.0005'],
  [1n, '$0.000001', '$0.000001'],
  [0n, '$0.000', '$0.00'],
  [50_000_000n, '$50.000', '$50.00'],
  [2_050_000_000n, '$2,050.000', '$2,050.00'],
  [1_234_567_890_123n, '$1,234,567.890123', '$1,234,567.890123'],
  [-405_000n, '−$0.405', '−$0.405'],
])('%d micros are shown as %s as a bid and %s as an amount', (micros, bid, amount) => {
  expect(defaultFormats.bid(micros)).toBe(bid);
  expect(defaultFormats.money(micros)).toBe(amount);
});

test('every shown amount can be read back to the same micros', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
      fc.integer({ min: 0, max: 3 }),
      (micros, decimals) => {
        const text = defaultFormats.decimal(micros, decimals).replaceAll(',', '').replace('−', '-');
        const [whole = '', fraction = ''] = text.split('.');
        expect(BigInt(whole + fraction.padEnd(6, '0'))).toBe(micros);
      },
    ),
  );
});

describe('a factor is an exact ratio of decimals with at most three digits:', () => {
  test.each([
    [0.045, 0.45, '×10'],
    [0.1, 0.3, '×3'],
    [0.04, 0.05, '×1.25'],
    [50, 25, '×0.5'],
    [3, 1, '×0.333'],
    [3, 2, '×0.667'],
    [1, 9.996, '×10'],
    [1, 12_345, '×12,300'],
    [1000, 1, '×0.001'],
    [1, 999.9, '×1,000'],
    [7, 7.14, '×1.02'],
    [1e-7, 1e7, '×100,000,000,000,000'],
  ])('%d to %d is %s', (before, after, text) => expect(factorText(before, after, defaultFormats)).toBe(text));

  test.each([
    [0, 5],
    [5, 0],
    [-1, 1],
    [1, Infinity],
    [Number.NaN, 1],
    [1, 1],
    [1000, 1001],
  ])('%d to %d has no factor', (before, after) => {
    expect(factorText(before, after, defaultFormats)).toBeNull();
    expect(exactFactor(before, after)).toBeNull();
  });

  test.each([
    [0.1, 0.15, '3/2', true],
    [0.2, 0.3, '3/2', true],
    [1, 1.499, '1499/1000', false],
    [1, 1.501, '1501/1000', false],
    [3, 1, '1/3', false],
    [1, 12_345, '12345/1', false],
    [1, 12_300, '12300/1', true],
    [1e-7, 1e7, '100000000000000/1', true],
  ])('%d to %d is %s, whatever its rounded text says', (before, after, ratio, isExact) => {
    expect(exactFactor(before, after)).toBe(ratio);
    expect(isFactorExact(before, after)).toBe(isExact);
  });

  test.each([
    [0.045, 0.45, true],
    [0.045, 0.4499999, false],
    [0.07, 0.7, true],
    [0, 1, false],
  ])('%d to %d is ten times or more: %s', (before, after, answer) => {
    expect(isAtLeastTimes(before, after, 10n)).toBe(answer);
  });

  test.each([
    [0.045, 0.45, true],
    [0.045, 4.5, true],
    [0.1, 1e-7, true],
    [1e21, 1, true],
    [50, 5, true],
    [0.045, 0.045, false],
    [0.045, 0.46, false],
    [20, 200.001, false],
    [0, 10, false],
    [-1, -10, false],
    [1, Infinity, false],
  ])('%d to %d is a shifted decimal point: %s', (before, after, answer) => {
    expect(isMovedPoint(before, after)).toBe(answer);
  });
});

test.each([
  ['', 0],
  ['abc', 3],
  ['naïve', 5],
  ['😀😀', 2],
  ['👩‍👩‍👧', 5],
])('%j has %d code points', (text, length) => expect(codePointLength(text)).toBe(length));

test.each([
  [0.5, 0.45, '10%'],
  [0.02, 0.03, '50%'],
  [1, 1.499, '49.9%'],
  [3, 1, 'about 66.7%'],
  [1, 1.9996, null],
  [1, 2, null],
  [1, 10, null],
  [1, 0.0001, null],
  [1000, 1001, null],
  [0, 1, null],
])('%d to %d is a change by %s', (before, after, text) => {
  expect(percentText(before, after)).toBe(text);
});
