import fc from 'fast-check';
import { expect, test } from 'vitest';
import { flagText, peersOf, reportMetrics, unlikeOf, type Rate } from '#shared/reports/index.ts';
import { defaultFormats } from '#shared/lib/formats.ts';
import { runs } from '#test/setup/property-runs.ts';

const rate = (percent: number, volume = 10_000): Rate => ({ value: percent / 100, volume });
const rates = (...percents: number[]): Rate[] => percents.map((percent) => rate(percent));

test.each([
  ['far below the others', rates(96, 96.1, 95.9, 96.2), rate(39), 'low'],
  ['far above the others', rates(2.4, 2.3, 2.5, 2.4), rate(5.5), 'high'],
  ['far below the others, next to a second outlier', rates(96, 96.1, 95.9, 34), rate(39), 'low'],
  ['close to the others', rates(96, 96.1, 95.9, 96.2), rate(93), null],
  ['within the spread of the others', rates(20, 40, 60, 80), rate(30), null],
  ['from too few clicks', rates(96, 96.1, 95.9, 96.2), rate(39, 99), null],
  ['no more than chance away', rates(2.4, 2.3, 2.5, 2.4), rate(4, 120), null],
  ['with too few others', rates(96, 96.1), rate(39), null],
  ['with others without volume', [rate(96), rate(96, 5), rate(96, 5), rate(96, 5)], rate(39), null],
])('a rate %s is compared with the other rows', (_what, others, own, is) => {
  const peers = peersOf([...others, own]);
  expect(peers && unlikeOf(own, peers)).toBe(is);
});

test('volume alone never makes an outlier: equal rates mark no row, whatever their sizes', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 10_000_000 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(sizes, fc.double({ min: 0, max: 1, noNaN: true }), (volumes, value) => {
      const rows = volumes.map((volume) => ({ value, volume }));
      const peers = peersOf(rows);
      for (const row of rows) expect(peers && unlikeOf(row, peers)).toBeNull();
    }),
    runs(500),
  );
});

test('an outlier states its rate, how high it is, and what is typical', () => {
  const columns = reportMetrics.xml.map(({ id, kind }) => ({ id, kind, label: null }));
  const values = columns.map(({ id }) => (id === 'valid_rate' ? '0.390812' : '0.0552'));
  const row = {
    values,
    unlike: [
      { column: 'valid_rate', is: 'low' as const, typical: '0.960682' },
      { column: 'click_rate', is: 'high' as const, typical: '0.0242' },
    ],
  };
  expect(flagText(row, columns, defaultFormats)).toBe(
    'Low valid rate: 39.08%, typically 96.07%; high click rate: 5.52%, typically 2.42%',
  );
  expect(flagText({ values, unlike: [] }, columns, defaultFormats)).toBe('');
});
