import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDecimal } from '#renderer/stores/agents/guardrails-form.ts';
import { readDollars } from '#renderer/features/training/stores/practice-store.ts';
import { readTypedAmount } from '#shared/drafts/typed-amount.ts';
import { factorText, isFactorExact, typedText } from '#shared/lib/decimal.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { numberFormats, withoutSpaces, createFormats, type Formats } from '#shared/lib/formats.ts';
import { axisLabels, differenceOf, formatValue, reportFile } from '#shared/reports/index.ts';

const money = { id: 'spent', kind: 'money' } as const;
const clicks = { id: 'clicks', kind: 'count', label: null } as const;

const texts: [what: string, text: (formats: Formats) => string, ...expected: string[]][] = [
  ['money', (formats) => formats.money(1_234_500_000n), '$1,234.50', '$1\u202F234.50', '$1234.50'],
  [
    'money of millions',
    (formats) => formats.money(-1_234_567_890_000n),
    '−$1,234,567.89',
    '−$1\u202F234\u202F567.89',
    '−$1234567.89',
  ],
  ['money of hundreds', (formats) => formats.money(999_000_000n), '$999.00', '$999.00', '$999.00'],
  ['a bid', (formats) => formats.bid(12_345_125_000n), '$12,345.125', '$12\u202F345.125', '$12345.125'],
  ['an amount', (formats) => formats.decimal(1_000_000_000n, 0), '1,000', '1\u202F000', '1000'],
  [
    'a count',
    (formats) => formats.counted(10_000, 'campaign'),
    '10,000 campaigns',
    '10\u202F000 campaigns',
    '10000 campaigns',
  ],
  ['a number', (formats) => formats.count(1234.5), '1,234.5', '1\u202F234.5', '1234.5'],
  ['a factor', (formats) => factorText(1, 4000, formats) ?? '', '×4,000', '×4\u202F000', '×4000'],
  [
    'a figure of a report',
    (formats) => formatValue(money, '1234.5', formats),
    '$1,234.50',
    '$1\u202F234.50',
    '$1234.50',
  ],
  [
    'a difference',
    (formats) => differenceOf(clicks, '5000', '1000', formats)?.absolute ?? '',
    '+4,000',
    '+4\u202F000',
    '+4000',
  ],
  [
    'an axis',
    (formats) => axisLabels(money, [0, 2000, 4000], formats).join(' '),
    '$0 $2,000 $4,000',
    '$0 $2\u202F000 $4\u202F000',
    '$0 $2000 $4000',
  ],
];

describe.each(numberFormats.map((format, at) => [format, at] as const))(
  'with the format %s',
  (format, at) => {
    const formats = createFormats({ numbers: format, zone: undefined });

    test.each(texts)('%s is shown as chosen', (_what, text, ...expected) => {
      expect(text(formats)).toBe(expected[at]);
      // A page displays these numbers through the filter for untrusted text, which must not change them.
      expect(inertText(text(formats))).toBe(expected[at]);
    });

    test('an amount can be read back from every field as it is shown', () => {
      fc.assert(
        fc.property(fc.bigInt(0n, 999_999_999_999_999n), (micros) => {
          const value = Number(micros) / 1e6;
          expect(parseDecimal(typedText(micros, 2))).toEqual({ kind: 'number', value });
          // A number copied from a page is read correctly or refused, but never read as a different number.
          const copied = formats.decimal(micros, 2);
          const amount = parseDecimal(copied);
          if (format === 'comma' && micros >= 1_000_000_000n) expect(amount.kind).toBe('wrong');
          else expect(amount).toEqual({ kind: 'number', value });
          expect(readTypedAmount(copied)).toEqual({ kind: 'operation', operation: { kind: 'set', value } });
        }),
      );
      expect(readDollars(formats.money(1_234_500_000n))).toBe(1_234_500_000);
    });

    test('an ambiguous typed amount is asked about or refused as in other formats', () => {
      expect(readTypedAmount('1,234')).toEqual({ kind: 'ask', readings: [1234, 1.234] });
      expect(parseDecimal('1,234')).toMatchObject({ kind: 'wrong' });
      expect(parseDecimal('1 23')).toMatchObject({ kind: 'wrong' });
      expect(parseDecimal('12 3456')).toMatchObject({ kind: 'wrong' });
    });

    test('a factor is recognised as exact by its value and not by its text', () => {
      expect(isFactorExact(1, 4000)).toBe(true);
      expect(isFactorExact(3, 4001)).toBe(false);
      expect(isFactorExact(8, 10)).toBe(true);
    });

    test.each(['csv', 'tsv'] as const)('a spreadsheet gets plain digits as %s', (kind) => {
      const shape = { dimensions: ['geo'], columns: [clicks], compared: false, flagged: false };
      const lines = reportFile(kind, shape).rows([
        { path: ['BR'], values: ['1234567'], compared: null, flag: '' },
      ]);
      expect(lines).toMatch(/1234567/);
    });
  },
);

test.each([
  ['1 234.50', '1234.50'],
  ['1\u202F234\u202F567', '1234567'],
  ['$1\u00A0234.5', '$1234.5'],
  ['-12 345', '-12345'],
  ['12 34', '12 34'],
  ['1 2345', '1 2345'],
  ['1234 567', '1234 567'],
  ['1 234,50', '1 234,50'],
  ['1 234.567 8', '1 234.567 8'],
])('the typed text %j is read as %j', (typed, plain) => expect(withoutSpaces(typed)).toBe(plain));
