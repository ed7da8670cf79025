import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  axisLabels,
  differenceOf,
  formatValue,
  shareText,
  subtractDecimals,
  sumDecimals,
} from '#shared/reports/index.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const count = { id: 'clicks', kind: 'count' } as const;
const money = { id: 'revenue', kind: 'money' } as const;
const share = { id: 'click_rate', kind: 'share' } as const;
const epc = { id: 'epc', kind: 'rate' } as const;
const rpm = { id: 'rpm', kind: 'rate' } as const;
const own = { id: 'ctr', kind: 'number' } as const;

test.each([
  [count, '0', '0'],
  [count, '9007199254740993', '9,007,199,254,740,993'],
  [count, '-12', '−12'],
  [money, '1234.565', '$1,234.57'],
  [money, '-0.5', '−$0.50'],
  [money, '0.004', '<$0.01'],
  [money, '0.000', '$0.00'],
  [share, '0.25314', '25.31%'],
  [share, '1', '100.00%'],
  [share, '0.00001', '<0.01%'],
  [epc, '0.01234', '$0.0123'],
  [rpm, '1.2', '$1.20'],
  [rpm, null, '—'],
  [own, '0.031', '0.031'],
  [own, '-1234.5', '−1,234.5'],
  [own, '0.000000001', '0.000000001'],
])('%o of %s is shown as %s', (column, value, text) => {
  expect(formatValue(column, value, defaultFormats)).toBe(text);
});

test.each([
  [count, '112', '100', '+12', '+12.0%', '12 more (+12.0%)'],
  [count, '9710', '10914', '−1,204', '−11.0%', '1,204 fewer (−11.0%)'],
  [count, '3', '0', '+3', null, '3 more'],
  [count, '0', '3', '−3', '−100.0%', '3 fewer (−100.0%)'],
  [count, '1', '10000', '−9,999', '−99.9%', '9,999 fewer (−99.9%)'],
  [money, '0.3', '1000', '−$999.70', '−99.9%', '$999.70 less (−99.9%)'],
  [count, '1250', '100', '+1,150', '×12.5', '1,150 more (×12.5)'],
  [count, '1000000', '999999', '+1', '<0.1%', '1 more (<0.1%)'],
  [money, '6.80', '10', '−$3.20', '−32.0%', '$3.20 less (−32.0%)'],
  [share, '0.25', '0.238', '+1.20 pp', null, '1.20 points higher'],
  [share, '0.3908', '0.0595', '+33.13 pp', null, '33.13 points higher'],
  [epc, '0.0100', '0.01', '±0', null, 'Unchanged'],
  [own, '0.031', '0.02', '+0.011', '+55.0%', '0.011 higher (+55.0%)'],
])('%o of %s, before %s, differs by %s', (column, now, before, absolute, ratio, sentence) => {
  expect(differenceOf(column, now, before, defaultFormats)).toMatchObject({ absolute, ratio, sentence });
});

test('a missing value is not compared, and zero has no share of zero', () => {
  expect(differenceOf(count, null, '1', defaultFormats)).toBeNull();
  expect(differenceOf(count, '1', null, defaultFormats)).toBeNull();
  expect(shareText('1', '0', defaultFormats)).toBeNull();
  expect(shareText('1', null, defaultFormats)).toBeNull();
  expect(shareText('0.125', '1', defaultFormats)).toBe('12.5%');
});

test('the difference is exact with its sign, beyond the range of a double', () => {
  const whole = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });
  fc.assert(
    fc.property(whole, whole, (now, before) => {
      const found = differenceOf(count, String(now), String(before), defaultFormats);
      const sign = found?.direction === 'down' ? '-' : '';
      expect(BigInt(sign + (found?.absolute ?? '').replace(/\D/g, ''))).toBe(now - before);
    }),
  );
});

describe('exact sums', () => {
  test('keep the decimals of their parts', () => {
    expect(sumDecimals(['0.1', '0.25', '-1'])).toBe('-0.65');
    expect(sumDecimals([])).toBe('0');
    expect(subtractDecimals('10.00', ['9.99', '0.01'])).toBe('0.00');
  });

  test('shares that leave a total equal what was added to it', () => {
    const decimal = fc.tuple(fc.boolean(), fc.nat(), fc.nat(999)).map(([minus, whole, part]) => {
      return `${minus ? '-' : ''}${whole}.${String(part).padStart(3, '0')}`;
    });
    fc.assert(
      fc.property(fc.array(decimal), decimal, (parts, rest) => {
        expect(Number(subtractDecimals(sumDecimals([...parts, rest]), parts))).toBe(Number(rest));
      }),
    );
  });
});

test.each([
  [count, [0, 500_000, 1_000_000], ['0', '0.5M', '1.0M']],
  [count, [0, 2_000, 4_000], ['0', '2,000', '4,000']],
  [count, [0, 20_000, 40_000], ['0', '20k', '40k']],
  [money, [0, 0.5, 1], ['$0.00', '$0.50', '$1.00']],
  [share, [0, 0.005, 0.01], ['0.0%', '0.5%', '1.0%']],
  [epc, [0, 0.002, 0.004], ['$0.000', '$0.002', '$0.004']],
  [own, [0, 0.02, 0.04], ['0.00', '0.02', '0.04']],
  [count, [0, 2_500, 5_000, 7_500, 10_000], ['0', '2.5k', '5.0k', '7.5k', '10.0k']],
  [money, [0, 250_000, 500_000, 750_000, 1_000_000], ['$0', '$0.25M', '$0.50M', '$0.75M', '$1.00M']],
  [money, [0, 2.5, 5], ['$0.00', '$2.50', '$5.00']],
  [share, [0, 0.0015, 0.003], ['0.00%', '0.15%', '0.30%']],
  [epc, [0, 0.1, 0.2, 0.1 + 0.2], ['$0.00', '$0.10', '$0.20', '$0.30']],
  [money, [-15_000, 0, 15_000], ['−$15k', '$0', '$15k']],
])('an axis of %o at %o is labelled %o', (column, values, labels) => {
  expect(axisLabels(column, values, defaultFormats)).toEqual(labels);
});
